import { describe, expect, it } from 'vitest';
import { RuleRouter } from '../../../../src/app/planning/rule-router.ts';
import type { FactFound } from '../../../../src/app/ports/fact-view.ts';
import type { NodeFigures } from '../../../../src/app/ports/node-gauge.ts';
import { parseRules } from '../../../../src/domain/planning/parse-rules.ts';
import { when } from '../../../../src/domain/planning/when.ts';
import { PlantModel } from '../../../../src/domain/plc/plant-model.ts';
import type { KnownReading } from '../../../../src/domain/plc/reading.ts';
import { people, THURSDAY } from '../../../support/route-context.ts';
import { ruleScope } from '../../../support/rule-scope.ts';
import { contractOf, toolCall } from '../../../support/tool-contract.ts';

const RULES = `{"version": 1, "rules": [{
  "id": "status_under_pressure",
  "when": {"intent": "machine_status"},
  "if": {"point": {"machine": "pump-3", "point": "pressure", "op": ">", "value": 2}},
  "then": [{"tool": "system-status"}],
  "fallback": [{"tool": "machine-status", "args": {"machine": {"slot": "machine"}}}]
}]}`;

const good: KnownReading = {
  ref: { machine: 'pump-3', point: 'pressure' },
  atMs: 0,
  bootId: 'boot',
  seq: 1,
  quality: 'good',
  value: 3,
};

interface Surroundings {
  readonly rules?: string;
  readonly read?: () => Promise<readonly KnownReading[]>;
  readonly fallback?: AbortSignal;
  readonly facts?: FactFound;
  readonly node?: NodeFigures;
  readonly unusable?: string;
}

function routed(intent: string, given: Surroundings) {
  const router = new RuleRouter({
    book: { rules: parseRules(given.rules ?? RULES, 'rules.json', ruleScope) },
    plant: new PlantModel([]),
    reader: { read: given.read ?? (() => Promise.reject(new Error('nothing has to be read'))) },
    people,
    node: { figures: () => given.node ?? {} },
    facts: { look: () => given.facts ?? { kind: 'unknown' } },
    tools: { contract: (tool) => (tool === given.unusable ? undefined : contractOf(tool)) },
    when: (words) => when(words, THURSDAY),
    lacking: new Set(),
  });
  const { caller } = toolCall('machine-status');
  return router.route(
    { intent, slots: { machine: { value: 'pump-3', spoken: 'pump three' } } },
    {
      caller,
      language: 'en',
      actions: [],
      understoodBy: 'template',
      slotConfidence: {},
      fallback: given.fallback ?? new AbortController().signal,
    },
  );
}

const route = (read: () => Promise<readonly KnownReading[]>, fallback: AbortSignal) =>
  routed('machine_status', { read, fallback });

describe('a route whose condition looks at a point', () => {
  it('is decided by the value that is read', async () => {
    const found = await route(async () => [good], new AbortController().signal);
    expect(found).toMatchObject({ kind: 'plan', plan: { steps: [{ tool: 'system-status' }] } });
  });

  it('is the fallback of its rule when the time for it is over before the PLC answers', async () => {
    const limit = new AbortController();
    const found = route(() => {
      queueMicrotask(() => limit.abort());
      return new Promise(() => undefined);
    }, limit.signal);
    expect(await found).toMatchObject({ kind: 'plan', plan: { steps: [{ tool: 'machine-status' }] } });
  });

  it('is the fallback of its rule when the point can never be read', async () => {
    const found = await route(async () => [], new AbortController().signal);
    expect(found).toMatchObject({ kind: 'plan', plan: { steps: [{ tool: 'machine-status' }] } });
  });
});

describe('a route whose condition looks at a fact or at the node', () => {
  /** What is said where a rule with this condition holds, does not hold, or cannot be told. */
  const said = async (condition: unknown, known: Pick<Surroundings, 'facts' | 'node'>): Promise<string> => {
    const rules = `{ "version": 1, "rules": [{
      "id": "only", "when": { "intent": "diagnose" }, "if": ${JSON.stringify(condition)},
      "then": { "say": "busy" }, "else": { "say": "writes_unavailable" }, "fallback": { "session": "help" } }] }`;
    const found = await routed('diagnose', { ...known, rules });
    return found.kind === 'say' ? found.phrase : found.kind;
  };
  const fact = { fact: { subject: { slot: 'machine' }, attribute: 'supplier' } };

  it('holds where memory has the fact, and does not where it has none', async () => {
    expect(await said(fact, { facts: { kind: 'known', value: 'Siemens' } })).toBe('busy');
    expect(await said(fact, { facts: { kind: 'none' } })).toBe('writes_unavailable');
    expect(await said(fact, { facts: { kind: 'known', value: false } })).toBe('writes_unavailable');
  });

  it('is the fallback of its rule where nobody knows the fact, whichever way round it is asked', async () => {
    expect(await said(fact, {})).toBe('session');
    expect(await said({ not: fact }, {})).toBe('session');
  });

  it('follows what is measured of the node, and is the fallback where nothing is', async () => {
    const busy = { node: 'cpu_used_percent', op: '>', value: 80 };
    expect(await said(busy, { node: { cpu_used_percent: 90 } })).toBe('busy');
    expect(await said(busy, { node: { cpu_used_percent: 10 } })).toBe('writes_unavailable');
    expect(await said(busy, {})).toBe('session');
  });
});

it('a route to a tool without a contract is unavailable, whatever the caller may use', async () => {
  const rules = `{ "version": 1, "rules": [{
    "id": "only", "when": { "intent": "diagnose" }, "then": [{ "tool": "system-status" }] }] }`;
  expect(await routed('diagnose', { rules })).toMatchObject({ kind: 'plan' });
  expect(await routed('diagnose', { rules, unusable: 'system-status' })).toEqual({
    kind: 'unavailable',
    rule: 'only',
    tool: 'system-status',
  });
});
