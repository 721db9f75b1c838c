import {
  type WorkflowDefinition,
  workflowDefinitionSchema,
} from '../../src/domain/workflow/workflow-definition.ts';

type Given = Partial<Record<'pre_check' | 'action' | 'post_update', readonly object[]>>;

/** A checked definition from its steps. */
export function workflowOf(stages: Given, name = 'line-anomaly'): WorkflowDefinition {
  return workflowDefinitionSchema.parse({ name, version: 1, stages });
}

/** The alarm of the articles: log and similar cases side by side, a proposal of whichever is there, an order. */
export const LINE_ANOMALY = workflowOf({
  pre_check: [
    { id: 'log', tool: 'read-plc-log', args: { machine: { from: 'input', field: 'machine' } } },
    { id: 'cases', tool: 'similar-cases', args: { machine: { from: 'input', field: 'machine' } } },
  ],
  action: [
    {
      id: 'proposal',
      function: 'propose',
      args: { log: { from: 'log', or: null }, cases: { from: 'cases', or: null } },
    },
  ],
  post_update: [
    { id: 'order', tool: 'create-work-order', args: { text: { from: 'proposal', field: 'text' } } },
  ],
});
