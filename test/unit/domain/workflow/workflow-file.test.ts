import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { ToolContract } from '../../../../src/domain/tool/tool-contract.ts';
import { workflowFaults } from '../../../../src/domain/workflow/check-workflow.ts';
import { workflowResult, workflowSay } from '../../../../src/domain/workflow/workflow-answer.ts';
import { workflowContract } from '../../../../src/domain/workflow/workflow-contract.ts';
import { type WorkflowFile, workflowFileSchema } from '../../../../src/domain/workflow/workflow-file.ts';
import {
  newWorkflow,
  type StepState,
  type WorkflowState,
} from '../../../../src/domain/workflow/workflow-state.ts';
import { shippedContracts } from '../../../support/rule-scope.ts';

const tools = shippedContracts();
const contractOf = (tool: string): ToolContract | undefined => tools.get(tool);
const BUSY = { en: 'Busy.', zh: '忙。' };
const HORN = { tool: 'write-value', args: { machine: 'horn', point: 'coil', value: true } };

const fileOf = (stages: string, more = ''): WorkflowFile =>
  workflowFileSchema.parse(
    parse(`
name: look
version: 1
use_when: { en: To look., zh: 查看。 }
deed: { en: the look, zh: 查看 }
input:
  properties: { machine: { type: string, format: machine, description: { en: Which, zh: 哪台 } } }
  required: [machine]
stages: ${stages}
${more}`),
  );
const faults = (stages: string, more = ''): readonly string[] =>
  workflowFaults(fileOf(stages, more), {
    tools: new Map([...tools, ['away', undefined]]),
    functions: new Set(['sum-up']),
    declaredOutputs: [HORN],
  }).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('a workflow file', () => {
  it.each([
    [
      '{ action: [{ id: a, tool: machine-statis }] }',
      'stages.action.0.tool: there is no tool "machine-statis". Did you mean "machine-status"?',
    ],
    [
      '{ action: [{ id: a, function: sum-upp }] }',
      'stages.action.0.function: there is no function "sum-upp". Did you mean "sum-up"?',
    ],
    [
      '{ action: [{ id: a, tool: away }] }',
      'stages.action.0.tool: "away" is not used: hermes-edge tools list says why',
    ],
    [
      '{ action: [{ id: a, tool: machine-status, args: { machin: { value: p }, machine: { value: p } } }] }',
      'stages.action.0.args.machin: there is no argument of machine-status "machin". Did you mean "machine"?',
    ],
    ['{ action: [{ id: a, tool: machine-status }] }', 'stages.action.0.args: machine-status needs machine'],
    [
      '{ action: [{ id: a, tool: read-plc-log, args: { machine: { value: p }, limit: { value: 0 } } }] }',
      'stages.action.0.args.limit: ',
    ],
    [
      '{ action: [{ id: a, tool: machine-status, args: { machine: { from: input, field: machin } } }] }',
      'stages.action.0.args.machine.field: input has no field "machin". Did you mean "machine"?',
    ],
    [
      '{ pre_check: [{ id: a, tool: diagnose, args: { machine: { value: p } } }], action: [{ id: b, tool: machine-status, args: { machine: { from: a, field: machina } } }] }',
      'stages.action.0.args.machine.field: a has no field "machina". Did you mean "machine"?',
    ],
  ])('names the place and the nearest word: %s', (stages, fault) => {
    expect(faults(stages)).toEqual([expect.stringContaining(fault)]);
  });

  const LOOKS = '{ action: [{ id: a, tool: diagnose, args: { machine: { from: input, field: machine } } }] }';
  it.each([
    ['says: [b]', 'says.0: there is no step with a tool "b".'],
    ['result: { x: { from: b, field: findings } }', 'result.x.from: there is no step "b".'],
    [
      'result: { x: { from: a, field: finding } }',
      'result.x.field: a has no field "finding". Did you mean "findings"?',
    ],
  ])('names what is said or given back and is not there: %s', (more, fault) => {
    expect(faults(LOOKS, more)).toEqual([expect.stringContaining(fault)]);
  });

  it('has no step that a person would have to confirm, but for just what the site declared as automatic', () => {
    const order =
      '{ action: [{ id: a, tool: create-work-order, args: { machine: { from: input, field: machine } } }] }';
    expect(faults(order)).toEqual([
      'stages.action.0.tool: create-work-order has to be confirmed by a person, whom a workflow cannot ask: make it the step of a rule, after the workflow',
    ]);
    const horn = (value: boolean) =>
      `{ action: [{ id: a, tool: write-value, args: { machine: { value: horn }, point: { value: coil }, value: { value: ${value} } } }] }`;
    expect(faults(horn(true))).toEqual([]);
    expect(faults(horn(false))).toHaveLength(1);
    expect(faults(horn(true).replace('{ value: horn }', '{ from: input, field: machine }'))).toHaveLength(1);
    expect(workflowContract(fileOf(LOOKS), contractOf, BUSY).security.risk).toBe('none');
    expect(workflowContract(fileOf(horn(true)), contractOf, BUSY).security.risk).toBe('reversible');
  });
});

describe('the contract of a workflow', () => {
  const step = (id: string) => `{ id: ${id}, tool: who-am-i }`;
  const three = (limitMs: number) =>
    ['pre_check', 'action', 'post_update']
      .map((stage, index) => `${stage}: [${step(`s${index}`).replace('}', `, timeout_ms: ${limitMs} }`)}]`)
      .join(', ');

  it('is as guarded as the most guarded of its steps, and asks for what it declares', () => {
    const stages =
      '{ action: [{ id: a, tool: diagnose, args: { machine: { value: p } } }, { id: b, tool: send-message }] }';
    const contract = workflowContract(
      fileOf(stages),
      (tool) => {
        const found = contractOf(tool === 'send-message' ? 'who-am-i' : tool);
        if (found === undefined || tool !== 'send-message') return found;
        return { ...found, security: { ...found.security, access_level: 'CRITICAL' } };
      },
      BUSY,
    );
    expect(contract).toMatchObject({ name: 'workflow.look', security: { access_level: 'CRITICAL' } });
    expect(contract.schema.parameters.required).toEqual(['machine']);
  });

  it('runs on behind its turn only when it may take longer than a turn', () => {
    const slaOf = (limitMs: number) =>
      workflowContract(fileOf(`{ ${three(limitMs)} }`), contractOf, BUSY).sla;
    expect(slaOf(8000)).toMatchObject({ max_execution_time_ms: 24_000, detached: false });
    expect(slaOf(10_000)).toMatchObject({ max_execution_time_ms: 30_000, detached: true });
  });
});

describe('the answer of a workflow', () => {
  const check = workflowFileSchema.parse(
    parse(readFileSync(new URL('../../../../config/workflows/check-machine.yaml', import.meta.url), 'utf8')),
  );
  const AT = '2026-03-01T12:00:00.000Z';
  const success = (result: JsonObject, phrase: string): StepState => ({
    status: 'success',
    result,
    say: [{ phrase, values: {} }],
    at: AT,
  });
  const state: WorkflowState = {
    ...newWorkflow(check, { machine: 'pump-3' }),
    steps: {
      status: success({ readings: [] }, 'unreadable'),
      log: { status: 'failed', error: { code: 'TOOL_FAILED', message: '' } },
      diagnosis: {
        ...success({ findings: [] }, 'events'),
        say: [
          {
            phrase: 'events',
            values: { list: { kind: 'list', items: [{ phrase: 'record', values: { text: 'x' } }] } },
          },
        ],
      },
    },
  };
  const soon = new Date(Date.parse(AT) + 5000);

  it('speaks in the phrases of its tools, each of which its contract has', () => {
    const { phrases } = workflowContract(check, contractOf, BUSY);
    const said = workflowSay(check, state, soon);
    expect(said).toEqual([
      { phrase: 'status.unreadable', values: {} },
      {
        phrase: 'diagnosis.events',
        values: { list: { kind: 'list', items: [{ phrase: 'diagnosis.record', values: { text: 'x' } }] } },
      },
    ]);
    for (const key of ['status.unreadable', 'diagnosis.events', 'diagnosis.record', 'busy', 'as_of'])
      expect(Object.keys(phrases)).toContain(key);
  });

  it.each([
    ['older than a workflow may take', 31_000],
    ['from a clock that was set since', -1000],
  ])('says the time of results that are %s', (_, afterMs) => {
    const said = workflowSay(check, state, new Date(Date.parse(AT) + afterMs));
    expect(said[0]).toEqual({ phrase: 'as_of', values: { time: { kind: 'time', at: AT } } });
    expect(said).toHaveLength(3);
  });

  it('gives back what its steps brought, and leaves out the rest', () => {
    expect(workflowResult(check, state)).toEqual({ machine: 'pump-3', readings: [], findings: [] });
  });

  it('has nothing to fault in the workflow that is shipped', () => {
    const scope = { tools, functions: new Set<string>(), declaredOutputs: [] };
    expect(workflowFaults(check, scope)).toEqual([]);
  });
});
