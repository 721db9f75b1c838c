import { describe, expect, it } from 'vitest';
import { RuleRouter } from '../../../../src/app/planning/rule-router.ts';
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

function route(read: () => Promise<readonly KnownReading[]>, fallback: AbortSignal) {
  const router = new RuleRouter({
    book: { rules: parseRules(RULES, 'rules.json', ruleScope) },
    plant: new PlantModel([]),
    reader: { read },
    people,
    tools: { contract: contractOf },
    when: (words) => when(words, THURSDAY),
  });
  const meaning = {
    intent: 'machine_status',
    slots: { machine: { value: 'pump-3', spoken: 'pump three' } },
  };
  const { caller } = toolCall('machine-status');
  const asked = { caller, language: 'en', actions: [], understoodBy: 'template', fallback } as const;
  return router.route(meaning, asked);
}

describe('a route whose condition looks at a point', () => {
  it('is decided by the value that is read', async () => {
    const routed = await route(async () => [good], new AbortController().signal);
    expect(routed).toMatchObject({ kind: 'plan', plan: { steps: [{ tool: 'system-status' }] } });
  });

  it('is the fallback of its rule when the time for it is over before the PLC answers', async () => {
    const limit = new AbortController();
    const routed = route(() => {
      queueMicrotask(() => limit.abort());
      return new Promise(() => undefined);
    }, limit.signal);
    expect(await routed).toMatchObject({ kind: 'plan', plan: { steps: [{ tool: 'machine-status' }] } });
  });

  it('is the fallback of its rule when the point can never be read', async () => {
    const routed = await route(async () => [], new AbortController().signal);
    expect(routed).toMatchObject({ kind: 'plan', plan: { steps: [{ tool: 'machine-status' }] } });
  });
});
