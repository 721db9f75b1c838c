import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workflowDefinitionSchema } from '../../../../src/domain/workflow/workflow-definition.ts';

const faults = (yaml: string): readonly string[] => {
  const parsed = workflowDefinitionSchema.safeParse(parse(yaml));
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

describe('the definition of a workflow', () => {
  it('is data that a YAML file can hold', () => {
    const definition = workflowDefinitionSchema.parse(
      parse(`
name: line-anomaly
version: 1
stages:
  pre_check:
    - id: log
      tool: read-plc-log
      args: { machine: { from: input, field: machine }, period: { value: last hour } }
    - { id: cases, tool: similar-cases, needed: false, timeout_ms: 2000 }
  action:
    - { id: proposal, function: propose, args: { log: { from: log, or: null } } }
`),
    );
    expect(definition.stages.pre_check).toMatchObject([
      { id: 'log', needed: true, timeout_ms: 10_000 },
      { id: 'cases', needed: false, timeout_ms: 2000 },
    ]);
    expect(definition.stages.post_update).toEqual([]);
  });

  it('names a step that takes from one that is not before it, and the nearest that is', () => {
    const yaml = `
name: a
version: 1
stages:
  pre_check: [{ id: log, tool: x }]
  action: [{ id: say, function: f, args: { what: { from: logg } } }, { id: other, function: f, args: { what: { from: say } } }]
`;
    expect(faults(yaml)).toEqual([
      'stages.action.0.args.what.from: "logg" is neither "input" nor a step of an earlier stage. Did you mean "log"?',
      expect.stringContaining('stages.action.1.args.what.from: "say" is neither'),
    ]);
  });

  it('refuses two steps of one name, a step called input, and a step that is both or neither', () => {
    expect(
      faults(
        '{ name: a, version: 1, stages: { pre_check: [{ id: x, tool: t }], action: [{ id: x, tool: t }] } }',
      ),
    ).toEqual(['stages.pre_check.0.id: "x" is taken', 'stages.action.0.id: "x" is taken']);
    expect(faults('{ name: a, version: 1, stages: { action: [{ id: input, tool: t }] } }')).toHaveLength(1);
    expect(
      faults('{ name: a, version: 1, stages: { action: [{ id: x, tool: t, function: f }] } }'),
    ).toHaveLength(1);
    expect(faults('{ name: a, version: 1, stages: { action: [{ id: x }] } }')).toHaveLength(1);
  });

  it('refuses a step that may take longer than 10 s, and a workflow without steps', () => {
    expect(
      faults('{ name: a, version: 1, stages: { action: [{ id: x, tool: t, timeout_ms: 10001 }] } }'),
    ).toHaveLength(1);
    expect(faults('{ name: a, version: 1, stages: {} }')).toEqual(['stages: there are no steps']);
  });
});
