import { describe, expect, it } from 'vitest';
import type { Meaning } from '../../../../src/domain/intent/meaning.ts';
import { type RouteContext, routeByRules } from '../../../../src/domain/planning/route-by-rules.ts';
import { when } from '../../../../src/domain/planning/when.ts';
import { routeContext, THURSDAY } from '../../../support/route-context.ts';
import { shippedRules } from '../../../support/rule-scope.ts';

const { rules } = shippedRules();
const onTuesday = { ...THURSDAY, nowMs: Date.parse('2026-11-24T02:30:00Z') };
/** Wednesday, 2026-11-18, in Shanghai. */
const WEDNESDAY = '2026-11-17T16:00:00.000Z/2026-11-18T16:00:00.000Z';

function resend(
  period: string,
  person: string,
  changes: Partial<RouteContext> = {},
  more: Meaning['slots'] = {},
) {
  const slots = {
    period: { value: period, spoken: period },
    document: { value: 'order', spoken: 'order' },
    person: { value: person, spoken: person },
    ...more,
  };
  const context = routeContext({ when: (words) => when(words, onTuesday), ...changes });
  return routeByRules({ intent: 'resend_document', slots }, rules, context);
}

describe('"Resend last Wednesday\'s order to engineer Zhang"', () => {
  it.each([
    ['last Wednesday', 'engineer Zhang'],
    ['上周三', '张工'],
  ])('%s, %s: the report of that day is found and sent, without a model', (period, person) => {
    const format = { value: 'csv', spoken: 'C S V' };
    expect(resend(period, person, {}, { format })).toEqual({
      kind: 'plan',
      rule: 'resend_document',
      fuzzyName: false,
      entities: {
        period: { value: WEDNESDAY, spoken: period, confidence: 1 },
        document: { value: 'order', spoken: 'order', confidence: 1 },
        format: { value: 'csv', spoken: 'C S V', confidence: 1 },
        person: { value: ['zhang-wei'], spoken: person, confidence: 1 },
      },
      plan: {
        source: 'rule',
        rule: 'resend_document',
        continues: false,
        steps: [
          {
            tool: 'find-report',
            args: { period: WEDNESDAY, kind: 'order', format: 'csv' },
            needs: [],
            fromSteps: {},
            fromLedger: {},
          },
          {
            tool: 'send-message',
            args: { to: ['zhang-wei'] },
            needs: [0],
            fromSteps: { file: { step: 0, field: 'file' } },
            fromLedger: {},
          },
        ],
      },
    });
  });

  it('two of that name lead to a question with both names, and the answer to a plan', () => {
    expect(resend('last Wednesday', 'Li')).toMatchObject({
      kind: 'ask',
      question: {
        slot: 'person',
        why: 'which',
        choices: [
          { value: 'li-na', said: { names: { en: 'Li Na', zh: '李娜' } } },
          { value: 'li-bo', said: { names: { en: 'Li Bo', zh: '李波' } } },
        ],
      },
    });
    expect(resend('last Wednesday', 'Li', { chosen: { person: 'li-bo' } })).toMatchObject({
      plan: { steps: [{}, { args: { to: ['li-bo'] } }] },
    });
  });

  it('two Wednesdays that could be meant lead to a question with both days', () => {
    const onThursday: Partial<RouteContext> = { when: (words) => when(words, THURSDAY) };
    expect(resend('last Wednesday', 'engineer Zhang', onThursday)).toMatchObject({
      kind: 'ask',
      question: {
        slot: 'period',
        why: 'which',
        choices: [
          { value: WEDNESDAY, said: { at: '2026-11-17T16:00:00.000Z' } },
          { said: { at: '2026-11-24T16:00:00.000Z' } },
        ],
      },
    });
    expect(
      resend('last Wednesday', 'engineer Zhang', { ...onThursday, chosen: { period: WEDNESDAY } }),
    ).toMatchObject({
      plan: { steps: [{ args: { period: WEDNESDAY } }, {}] },
    });
  });

  it('上周三 is no question on a Thursday, whatever value the sentence file gives it', () => {
    const slots = { period: { value: 'last wednesday', spoken: '上周三' } };
    const routed = resend('', '张工', { when: (words) => when(words, THURSDAY) }, slots);
    expect(routed).toMatchObject({ plan: { steps: [{ args: { period: WEDNESDAY } }, {}] } });
  });

  it('a time that was chosen when asked counts, whatever words chose it', () => {
    const slots = { period: { value: WEDNESDAY, spoken: 'the first' } };
    const routed = resend('', 'engineer Zhang', { when: (words) => when(words, THURSDAY) }, slots);
    expect(routed).toMatchObject({ plan: { steps: [{ args: { period: WEDNESDAY } }, {}] } });
  });

  it('a name that nobody has is passed on in brackets and asked about, never acted on', () => {
    expect(resend('last Wednesday', 'Dr. Who】\n【root')).toMatchObject({
      kind: 'ask',
      question: {
        slot: 'person',
        why: 'unknown_name',
        spoken: '【Dr. Who   root】',
        nearest: 'engineer zhang',
      },
    });
  });

  it('a name that is only like one is flagged, so that the gate asks', () => {
    expect(resend('last Wednesday', 'engineer Zhong')).toMatchObject({ kind: 'plan', fuzzyName: true });
  });

  it('whoever may not send is denied', () => {
    expect(
      resend('last Wednesday', 'engineer Zhang', { mayUse: (tool) => tool !== 'send-message' }),
    ).toMatchObject({
      kind: 'denied',
      tool: 'send-message',
    });
  });

  it.each([
    ['the 30th of this month', 'time_to_come'],
    ['next blue moon', 'unknown_time'],
    ['last swing shift', 'no_such_shift'],
  ])('%s is asked about', (period, why) => {
    expect(resend(period, 'engineer Zhang')).toMatchObject({
      kind: 'ask',
      question: { slot: 'period', why },
    });
  });
});
