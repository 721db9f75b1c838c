import type { JsonObject } from '../json.ts';
import type { Binding } from '../session/action.ts';

/** Who thought of a plan. Only a `template` and a `rule` rest on a whole sentence that was understood word for word. */
export const PLAN_SOURCES = ['template', 'rule', 'keyword', 'model', 'workflow', 'alarm'] as const;
export type PlanSource = (typeof PLAN_SOURCES)[number];

export interface PlanStep {
  readonly tool: string;
  readonly args: JsonObject;
  /** Places (from 0) of earlier steps of this plan that have to be done before. */
  readonly needs: readonly number[];
  /** Arguments that come from the result of an earlier step of this plan. */
  readonly fromSteps: Readonly<Record<string, { readonly step: number; readonly field: string }>>;
  /** Arguments that come from the result of an action already in the ledger; that action is a dependency too. */
  readonly fromLedger: Readonly<Record<string, Binding>>;
}

export interface Plan {
  readonly source: PlanSource;
  /** The rule that made it. */
  readonly rule?: string;
  /** It rests on what was done before, as "compare with pump three" does: its steps are counted on. */
  readonly continues: boolean;
  readonly steps: readonly PlanStep[];
}

/** Most steps of a plan, and of one that says of itself that it is complex. */
export const MAX_STEPS = 5;
export const MAX_COMPLEX_STEPS = 10;
