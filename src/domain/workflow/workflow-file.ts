import { z } from 'zod';
import { bothLanguages, objectSchema } from '../tool/tool-contract.ts';
import { argumentSchema, workflowDefinitionSchema } from './workflow-definition.ts';

/** A workflow as its file holds it: what it does, and what those who ask for it have to know. */
export const workflowFileSchema = workflowDefinitionSchema.safeExtend({
  /** Read by people and by whoever plans: when is this the right one? */
  use_when: bothLanguages,
  /** What one run of it is called aloud. */
  deed: bothLanguages,
  /** Asked before it begins where it switches something; `{names}` are its arguments. */
  question: bothLanguages.optional(),
  /** What it is started with. */
  input: objectSchema.prefault({ properties: {} }),
  /** The steps whose tools are heard, in this order. */
  says: z.array(z.string()).max(4).default([]),
  /** What it comes to; a field whose step came to nothing is left out. */
  result: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/u), argumentSchema).default({}),
});
export type WorkflowFile = z.infer<typeof workflowFileSchema>;

const PREFIX = 'workflow.';

/** The name under which rules and MQTT start a workflow as they call a tool. */
export function workflowTool(name: string): string {
  return `${PREFIX}${name}`;
}
