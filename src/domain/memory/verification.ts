import type { PointValue } from '../plc/reading.ts';
import { convertUnit } from '../tool/units.ts';
import type { Fact } from './fact.ts';
import { isSameValue } from './fact-value.ts';
import { covers } from './valid-interval.ts';

/** Who can give the second signature of a pending fact. */
export type CheckPlan =
  | {
      readonly by: 'plc';
      readonly machine: string;
      readonly kind: 'limit' | 'setpoint' | 'value' | 'state';
      /** What it is of, such as `temperature`; `state` for a state. */
      readonly quantity: string;
    }
  | { readonly by: 'work_orders'; readonly order: string }
  /** No system knows it. */
  | { readonly by: 'person' };

/** What a system said of a fact. `unknown`: it could not be asked, did not know, or only knew something old. */
export type CheckAnswer = 'agrees' | 'differs' | 'unknown';

/** What a system holds now. */
export interface SystemValue {
  readonly value: PointValue;
  readonly unit?: string | undefined;
  /** Of words: the names of what it says, and of all that it could say, in every language. */
  readonly words?: { readonly present: readonly string[]; readonly others: readonly string[] } | undefined;
  /** So far a number may be off, in the system's unit: the deadband of a point. 0 for what has to be equal. */
  readonly tolerance: number;
}

const MACHINE = /^machine:(.+)$/su;
const ORDER = /^work_order:(.+)$/su;
const OF_QUANTITY = /^(limit|setpoint|value)\.(.+)$/su;
const ORDER_PREDICATES = new Set(['state', 'priority', 'title', 'machine']);

/**
 * Which system a fact is checked against, by its subject and predicate: of a machine `limit.…`, `setpoint.…`, `value.…`
 * and `state` a PLC, of a work order its state, priority, title and machine. A system only knows what is now: what
 * held once, or will, is for a person.
 */
export function checkPlanOf(fact: Fact, nowMs: number): CheckPlan {
  if (!covers(fact, nowMs)) return { by: 'person' };
  const [, order] = ORDER.exec(fact.subject) ?? [];
  if (order !== undefined && ORDER_PREDICATES.has(fact.predicate)) return { by: 'work_orders', order };
  const [, machine] = MACHINE.exec(fact.subject) ?? [];
  if (machine === undefined) return { by: 'person' };
  if (fact.predicate === 'state') return { by: 'plc', machine, kind: 'state', quantity: 'state' };
  const [, kind, quantity] = OF_QUANTITY.exec(fact.predicate) ?? [];
  if (quantity === undefined || (kind !== 'limit' && kind !== 'setpoint' && kind !== 'value'))
    return { by: 'person' };
  return { by: 'plc', machine, kind, quantity };
}

/** Whether what a system holds now bears a fact out; undefined for a value that it does not know, or not as of now. */
export function answerOf(fact: Pick<Fact, 'value' | 'unit'>, system: SystemValue | undefined): CheckAnswer {
  if (system === undefined) return 'unknown';
  if (typeof system.value === 'number' && typeof fact.value === 'number') {
    if (!Number.isFinite(system.value)) return 'unknown';
    const { unit = system.unit } = fact;
    const claimed =
      unit === undefined || system.unit === undefined || unit === system.unit
        ? fact.value
        : convertUnit(fact.value, unit, system.unit);
    // Measured in something else: nothing can be said of it.
    if (claimed === undefined) return 'unknown';
    const off = Math.abs(claimed - system.value);
    return off <= system.tolerance || isSameValue({ value: claimed }, { value: system.value })
      ? 'agrees'
      : 'differs';
  }
  if (typeof fact.value === 'boolean' || typeof system.value === 'boolean')
    return typeof fact.value === typeof system.value
      ? fact.value === system.value
        ? 'agrees'
        : 'differs'
      : 'unknown';
  const { present = [], others } = system.words ?? {};
  if ([system.value, ...present].some((value) => isSameValue(fact, { value, unit: system.unit })))
    return 'agrees';
  // A word that the system does not have may be another name of what it says.
  if (others === undefined) return typeof fact.value === typeof system.value ? 'differs' : 'unknown';
  return others.some((value) => isSameValue(fact, { value })) ? 'differs' : 'unknown';
}
