import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shipped } from '../../../../src/config/shipped.ts';
import { INTENT_SLOTS } from '../../../../src/domain/planning/intents.ts';
import { jsonFaultAt } from '../../../../src/domain/planning/json-fault.ts';
import { parseRules } from '../../../../src/domain/planning/parse-rules.ts';
import { ruleWarnings } from '../../../../src/domain/planning/rule-warnings.ts';
import { isEdgeError } from '../../../../src/runtime/edge-error.ts';
import { ruleScope, shippedRules } from '../../../support/rule-scope.ts';

const PLAIN = '"when": { "intent": "diagnose" }, "then": { "session": "help" }';

const SIX_STEPS = Array.from({ length: 6 }, () => '{ "tool": "diagnose" }').join(', ');

function faultsOf(text: string): readonly string[] {
  try {
    parseRules(text, 'site/rules.json', ruleScope);
    return [];
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return [error.code, ...error.message.split('\n')];
  }
}

const rule = (body: string): string => `{ "version": 1, "rules": [{ "id": "hot", ${body} }] }`;

describe('the guide docs/rules.md', () => {
  it('lists every intent with its slots', () => {
    const guide = readFileSync(shipped('docs/rules.md'), 'utf8');
    const [, table = ''] = /^## Intents\n(.*?)^`examples`/msu.exec(guide) ?? [];
    const rows = [...table.matchAll(/^\| `(\w+)` +\|([^|]*)\|/gmu)].map(([, intent = '', slots = '']) => [
      intent,
      [...slots.matchAll(/`(\w+)`/gu)].map(([, slot]) => slot),
    ]);
    expect(rows).toEqual([...INTENT_SLOTS]);
  });
});

describe('a file of rules', () => {
  it('as it is shipped is valid', () => {
    expect(shippedRules().rules.length).toBeGreaterThan(20);
  });

  it.each([
    [
      'an unknown tool',
      '"when": { "intent": "diagnose" }, "then": [{ "tool": "diagnos" }]',
      'rule "hot": then.0.tool: there is no tool "diagnos". Did you mean "diagnose"?',
    ],
    [
      'six steps that nobody said are complex',
      `"when": { "intent": "diagnose" }, "then": [${SIX_STEPS}]`,
      'rule "hot": then: 6 steps: a rule with more than 5 says "complex": true',
    ],
    [
      'six steps where nothing can be told',
      `"complex": false, ${PLAIN}, "fallback": [${SIX_STEPS}]`,
      'rule "hot": fallback: 6 steps: a rule with more than 5 says "complex": true',
    ],
    [
      'an unknown argument',
      '"when": { "intent": "diagnose" }, "then": [{ "tool": "diagnose", "args": { "machin": { "slot": "machine" } } }]',
      'rule "hot": then.0.args.machin: there is no argument of diagnose "machin". Did you mean "machine"?',
    ],
    [
      'an unknown intent',
      '"when": { "intent": "diagnse" }, "then": { "session": "help" }',
      'rule "hot": when.intent: there is no intent "diagnse". Did you mean "diagnose"?',
    ],
    [
      'an intent like no other',
      '"when": { "intent": "zzzzzzzzzzzz" }, "then": { "session": "help" }',
      `rule "hot": when.intent: there is no intent "zzzzzzzzzzzz". There are ${[...INTENT_SLOTS.keys()].join(', ')}.`,
    ],
    [
      'a slot that the intent does not have',
      '"when": { "intent": "diagnose" }, "then": { "ask": "machne" }',
      'rule "hot": then.ask: there is no slot of diagnose "machne". Did you mean "machine"?',
    ],
    [
      'an unknown phrase',
      '"when": { "intent": "diagnose" }, "then": { "say": "bussy" }',
      'rule "hot": then.say: there is no phrase "bussy". Did you mean "busy"?',
    ],
    [
      'an unknown rule to go on with',
      '"when": { "intent": "diagnose" }, "then": { "rule": "hott" }',
      'rule "hot": then.rule: there is no rule "hott". Did you mean "hot"?',
    ],
    [
      'an unknown point',
      `"if": { "not": { "point": { "machine": "pump-3", "point": "presure", "op": ">", "value": 5 } } }, ${PLAIN}`,
      'rule "hot": if.not.point.point: there is no point of pump-3 "presure". Did you mean "pressure"?',
    ],
    [
      'a machine that is not there',
      `"if": { "any": [{ "point": { "machine": "pump-4", "point": "pressure", "op": ">", "value": 5 } }] }, ${PLAIN}`,
      'rule "hot": if.any.0.point.machine: there is no machine "pump-4". Did you mean "pump-3"?',
    ],
    [
      'a step that depends on a later one',
      '"when": { "intent": "diagnose" }, "then": [{ "tool": "diagnose", "args": { "machine": { "step": 1 } } }, { "tool": "who-am-i" }]',
      'rule "hot": then.0.args.machine.step: step 1 does not come before this one',
    ],
    [
      'a misspelt key',
      '"wen": { "intent": "diagnose" }, "then": { "session": "help" }',
      'rule "hot": unknown key "wen". Did you mean "when"?',
    ],
    [
      'a misspelt key of a condition',
      `"if": { "rol": { "at_least": "operator" } }, ${PLAIN}`,
      'rule "hot": if: {"rol":{"at_least":"operator"}} is none of the forms that go here. Did you mean "role"?',
    ],
    [
      'a role that there is not',
      `"if": { "role": { "at_least": "operater" } }, ${PLAIN}`,
      'rule "hot": if.role.at_least: one of guest, operator, maintainer, supervisor, not "operater". Did you mean "operator"?',
    ],
    [
      'a comparison that there is not',
      `"if": { "slot": "machine", "op": "=>", "value": 1 }, ${PLAIN}`,
      'rule "hot": if.op: one of =, !=, <, <=, >, >=, not "=>". Did you mean "="?',
    ],
    [
      'a rule that leads to itself',
      '"when": { "intent": "diagnose" }, "then": { "rule": "hot" }',
      'rule "hot": it leads back to itself',
    ],
  ])('with %s names file, rule and place, and the nearest word', (_what, body, line) => {
    expect(faultsOf(rule(body))).toContainEqual(`site/rules.json: ${line}`);
  });

  it('may have five steps in a rule, and up to ten in one that says that it is complex', () => {
    const five = SIX_STEPS.split(', ').slice(1).join(', ');
    const when = '"when": { "intent": "diagnose" }';
    expect(faultsOf(rule(`${when}, "then": [${five}]`))).toEqual([]);
    expect(faultsOf(rule(`"complex": true, ${when}, "then": [${SIX_STEPS}]`))).toEqual([]);
    expect(faultsOf(rule(`"complx": true, ${when}, "then": [${SIX_STEPS}]`))[1]).toContain('complex');
  });

  it('with two rules of one id is told', () => {
    const twice = `{ "version": 1, "rules": [{ "id": "a", ${PLAIN} }, { "id": "a", ${PLAIN} }] }`;
    expect(faultsOf(twice)).toContain('site/rules.json: rule "a": another rule has this id');
  });

  it('with examples of an unknown intent is told', () => {
    const text = rule(PLAIN).replace('"rules"', '"examples": { "diagnos": { "en": ["x"] } }, "rules"');
    expect(faultsOf(text)).toContain(
      'site/rules.json: examples.diagnos: there is no intent "diagnos". Did you mean "diagnose"?',
    );
  });

  it('that is no JSON is told with its line and column', () => {
    const [code, line] = faultsOf('{\n  "version": 1,\n  "rules": [}\n}');
    expect(code).toBe('RULES_UNFINISHED');
    expect(line).toMatch(/^site\/rules\.json:3:13 this is no JSON/u);
  });

  it('that was written half is unfinished wherever it was cut', () => {
    const text = rule(PLAIN);
    for (let length = 0; length < text.length; length += 1)
      expect(faultsOf(text.slice(0, length))[0]).toBe('RULES_UNFINISHED');
  });

  it('nested without end is refused and not followed', () => {
    const deep = `${'{"not":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    expect(faultsOf(rule(`"if": ${deep}, ${PLAIN}`))).toContain(
      'site/rules.json: it is nested more than 40 deep',
    );
  });

  it('whatever it holds is read or refused with a line', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const faults = faultsOf(rule(`"if": ${JSON.stringify(value)}, ${PLAIN}`));
        if (faults.length > 0) expect(faults[1]).toMatch(/^site\/rules\.json/u);
      }),
    );
  });
});

describe('the place where JSON ends to be JSON', () => {
  it.each([
    ['{"a" 1}', 5],
    ['{"a": 1,}', 8],
    ['[1 2]', 3],
    ["{'a': 1}", 1],
    ['[01]', 1],
    ['{"a": tru}', 6],
    ['{"a": 1}}', 8],
    ['{"a": "x', 6],
    ['', 0],
  ])('of %s is %i', (text, at) => {
    expect(jsonFaultAt(text)).toBe(at);
  });

  it('is the end of every valid text', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonFaultAt(text)).toBe(text.length);
      }),
    );
  });
});

describe('a valid rule whose tool cannot be used', () => {
  const text = rule(
    '"when": { "intent": "diagnose" }, "if": { "ledger": { "of": ["diagnose"] } }, "then": [{ "tool": "system-status" }, { "tool": "diagnose" }], "else": [{ "tool": "diagnose" }]',
  );
  const rules = parseRules(text, 'rules.json', ruleScope);

  it('is named with the place of each call, and not for what it asks of the ledger', () => {
    expect(ruleWarnings(rules, (tool) => tool !== 'diagnose')).toEqual([
      'rule "hot": then.1.tool: "diagnose" is there and cannot be used',
      'rule "hot": else.0.tool: "diagnose" is there and cannot be used',
    ]);
  });

  it('is not named while all of its tools can be used', () => {
    expect(ruleWarnings(rules, () => true)).toEqual([]);
  });
});
