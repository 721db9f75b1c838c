import { z } from 'zod';
import { jsonObjectSchema } from '../json.ts';
import { saySchema } from '../tool/say.ts';
import { STAGES, stepsOf, type WorkflowDefinition } from './workflow-definition.ts';

const stepStateSchema = z.object({
  /** `waiting` for its stage or its sources; of those that have ended `timeout` took too long. */
  status: z.enum(['waiting', 'running', 'success', 'failed', 'timeout']),
  result: jsonObjectSchema.exactOptional(),
  /** What its tool wants said. */
  say: saySchema.exactOptional(),
  /** ISO 8601, wall clock: how old a result is that is told after a restart. */
  at: z.string().exactOptional(),
  error: z.object({ code: z.string(), message: z.string() }).exactOptional(),
});
export type StepState = z.infer<typeof stepStateSchema>;

/** Why a workflow failed. */
export const FAILURES = ['timeout', 'failed', 'limit', 'cancelled', 'expired', 'changed', 'crowded'] as const;
export type WorkflowFailure = (typeof FAILURES)[number];

/** All that a workflow knows: from it and its definition it goes on, also after a restart. */
export const workflowStateSchema = z.object({
  name: z.string(),
  version: z.int(),
  /** `FINISHING` when all stages are through and steps that nobody waits for still run. */
  stage: z.enum([...STAGES, 'FINISHING', 'COMPLETED', 'FAILED']),
  input: jsonObjectSchema,
  steps: z.record(z.string(), stepStateSchema),
  failure: z.enum(FAILURES).exactOptional(),
});
export type WorkflowState = z.infer<typeof workflowStateSchema>;

export function newWorkflow(definition: WorkflowDefinition, input: WorkflowState['input']): WorkflowState {
  return {
    name: definition.name,
    version: definition.version,
    stage: 'pre_check',
    input,
    steps: Object.fromEntries(stepsOf(definition.stages).map(({ id }) => [id, { status: 'waiting' }])),
  };
}

export function hasEnded({ stage }: WorkflowState): boolean {
  return stage === 'COMPLETED' || stage === 'FAILED';
}

/** Whether the step will not change any more. */
export function isSettled({ status }: StepState): boolean {
  return status !== 'waiting' && status !== 'running';
}
