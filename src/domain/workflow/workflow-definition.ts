import { z } from 'zod';
import { didYouMean } from '../../runtime/nearest.ts';
import { jsonValueSchema } from '../json.ts';

/** In this order; those without steps are passed over. */
export const STAGES = ['pre_check', 'action', 'post_update'] as const;
export type Stage = (typeof STAGES)[number];

/** The longest that a step may take, milliseconds. */
export const STEP_LIMIT_MS = 10_000;
/** The longest that a workflow may take from its start or its resumption, milliseconds. */
export const WORKFLOW_LIMIT_MS = 30_000;

/** What a workflow was started with, among the sources of arguments. */
export const INPUT = 'input';

/** Where a value comes from. */
export const argumentSchema = z.union([
  z.strictObject({ value: jsonValueSchema }),
  z.strictObject({
    /** `input`, or a step of an earlier stage. */
    from: z.string(),
    /** A field of it; empty for all of it. */
    field: z.string().default(''),
    /**
     * Stands in when that step has not succeeded, or not yet, or has no such field. Without it the step waits for that one,
     * and fails with it.
     */
    or: jsonValueSchema.optional(),
  }),
]);

export type WorkflowArgument = z.infer<typeof argumentSchema>;

const stepSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z][a-z0-9_]*$/u, 'lower-case letters, digits and "_", a letter first'),
    /** A tool that is called, or a function of earlier results that the program has. */
    tool: z.string().optional(),
    function: z.string().optional(),
    args: z.record(z.string(), argumentSchema).default({}),
    /** The stage is through with the first of these that succeeds, and the workflow fails when none does. */
    needed: z.boolean().default(true),
    timeout_ms: z.int().min(1).max(STEP_LIMIT_MS).default(STEP_LIMIT_MS),
  })
  .refine(({ tool, function: name }) => (tool === undefined) !== (name === undefined), {
    message: 'a step has either a tool or a function',
  });
export type WorkflowStep = z.infer<typeof stepSchema>;

const stepsSchema = z.array(stepSchema).max(10).default([]);

/** Several calls in three stages, as data. The steps of a stage run side by side. */
export const workflowDefinitionSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u, 'lower-case words with hyphens'),
    /** A snapshot of another version is not resumed. */
    version: z.int().min(1),
    stages: z.strictObject({ pre_check: stepsSchema, action: stepsSchema, post_update: stepsSchema }),
  })
  .superRefine(({ stages }, context) => {
    const earlier = [INPUT];
    for (const stage of STAGES) {
      for (const [index, step] of stages[stage].entries()) {
        const fault = (path: readonly string[], message: string): void =>
          context.addIssue({ code: 'custom', path: ['stages', stage, index, ...path], message });
        const isKnown = stepsOf(stages).filter(({ id }) => id === step.id).length > 1 || step.id === INPUT;
        if (isKnown) fault(['id'], `"${step.id}" is taken`);
        for (const [name, argument] of Object.entries(step.args)) {
          if ('from' in argument && !earlier.includes(argument.from))
            fault(
              ['args', name, 'from'],
              `"${argument.from}" is neither "input" nor a step of an earlier stage.${didYouMean(argument.from, earlier)}`,
            );
        }
      }
      earlier.push(...stages[stage].map(({ id }) => id));
    }
    if (earlier.length === 1)
      context.addIssue({ code: 'custom', path: ['stages'], message: 'there are no steps' });
  });
export type WorkflowDefinition = z.infer<typeof workflowDefinitionSchema>;

export function stepsOf(stages: WorkflowDefinition['stages']): readonly WorkflowStep[] {
  return STAGES.flatMap((stage) => stages[stage]);
}
