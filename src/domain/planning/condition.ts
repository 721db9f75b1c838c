import { z } from 'zod';
import { ROLES } from '../tool/tool-call.ts';

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What is known of the box itself: load average per core, use of all cores and of memory in percent, degrees Celsius of the processor. */
export const NODE_FIGURES = [
  'load_per_core',
  'cpu_used_percent',
  'memory_used_percent',
  'temperature_c',
] as const;
export type NodeFigure = (typeof NODE_FIGURES)[number];

export type Scalar = string | number | boolean;
/** An id as written, or the one that a slot holds. */
export type NameOrSlot = string | { readonly slot: string };

/** A condition of a rule, as data: nothing in it is ever run. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly role: { readonly at_least: (typeof ROLES)[number] } }
  | { readonly slot: string; readonly is: 'present' | 'absent' }
  | { readonly slot: string; readonly op: Comparison; readonly value: Scalar }
  | {
      readonly point: {
        readonly machine: NameOrSlot;
        readonly point: NameOrSlot;
        readonly op: Comparison;
        readonly value: Scalar;
      };
    }
  | { readonly fact: { readonly subject: NameOrSlot; readonly attribute: string } }
  | { readonly node: NodeFigure; readonly op: Comparison; readonly value: number }
  /** Something that these tools did, or are about to do, stands in the ledger; with `newer_than`, behind all that those did. */
  | {
      readonly ledger: {
        readonly of: readonly string[];
        readonly newer_than?: readonly string[] | undefined;
      };
    };

const name = z.string().min(1).max(64);
export const scalarSchema = z.union([z.string().max(200), z.number(), z.boolean()]);
const nameOrSlot = z.union([name, z.strictObject({ slot: name })]);
const op = z.enum(COMPARISONS);

export const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(conditionSchema).min(1).max(20) }),
    z.strictObject({ any: z.array(conditionSchema).min(1).max(20) }),
    z.strictObject({ not: conditionSchema }),
    z.strictObject({ role: z.strictObject({ at_least: z.enum(ROLES) }) }),
    z.strictObject({ slot: name, is: z.enum(['present', 'absent']) }),
    z.strictObject({ slot: name, op, value: scalarSchema }),
    z.strictObject({
      point: z.strictObject({ machine: nameOrSlot, point: nameOrSlot, op, value: scalarSchema }),
    }),
    z.strictObject({ fact: z.strictObject({ subject: nameOrSlot, attribute: name }) }),
    z.strictObject({ node: z.enum(NODE_FIGURES), op, value: z.number() }),
    z.strictObject({
      ledger: z.strictObject({ of: z.array(name).min(1), newer_than: z.array(name).min(1).optional() }),
    }),
  ]),
);
