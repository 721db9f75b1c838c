import { describe, expect, it } from 'vitest';
import { encodeSummary } from '../../../../src/domain/session/rolling-summary.ts';
import { BEFORE_TOKENS, spokenBefore } from '../../../../src/domain/session/spoken-before.ts';
import { estimateTokens } from '../../../../src/domain/session/token-estimate.ts';
import { conversation } from '../../../support/conversation.ts';

const NO_SUMMARY = { summary: '' };
const FILLER = ['status of the mixer', `the mixer runs ${'on and '.repeat(60)}on`] as const;
const tokensOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + estimateTokens(text), 0);

describe('what went before a sentence', () => {
  it('is what was said and answered, in its order, and neither alarms nor evidence', () => {
    const talk = conversation([['pressure of pump three', 'four bar']]).map((message) =>
      message.role === 'person' ? { ...message, source: 'voice' as const } : message,
    );
    const alarm = conversation([['over-temperature', '']], 'alarm').map((each) => ({ ...each, seq: 9 }));
    expect(spokenBefore([...talk, ...alarm], NO_SUMMARY, 'and yesterday', 'en')).toEqual({
      summary: '',
      messages: [
        { role: 'person', content: 'pressure of pump three' },
        { role: 'assistant', content: 'four bar' },
      ],
    });
  });

  it.each([false, true])('keeps to its tokens, the newest of it (protected: %s)', (isProtected) => {
    const messages = conversation(Array.from({ length: 40 }, () => FILLER)).map((each) => ({
      ...each,
      isProtected,
    }));
    const before = spokenBefore(messages, NO_SUMMARY, 'pressure', 'en');
    const taken = tokensOf(before.messages.map(({ content }) => content));
    expect(taken).toBeLessThanOrEqual(BEFORE_TOKENS.messages);
    expect(taken).toBeGreaterThan(BEFORE_TOKENS.messages / 2);
    expect(before.messages.at(-1)?.content).toBe(FILLER[1]);
  });

  it.each(['en', 'zh'] as const)('begins with the summary of what memory has let go (%s)', (language) => {
    const figure = (n: number) => `${n} ${'bar '.repeat(28)}`.trim();
    const summary = (figures: readonly string[]) => ({
      summary: encodeSummary({
        upToSeq: 9,
        turns: 6,
        entities: ['oven one'],
        figures: [...figures],
        decisions: [],
      }),
    });
    expect(spokenBefore([], summary(['4 bar']), 'x', language).summary).toBe(
      language === 'en'
        ? 'Earlier, 6 turns. Named: oven one. Figures: 4 bar.'
        : '此前共6轮。提到：oven one。数据：4 bar。',
    );
    const long = spokenBefore([], summary(Array.from({ length: 15 }, (_, n) => figure(n))), 'x', language);
    expect(estimateTokens(long.summary)).toBeLessThanOrEqual(BEFORE_TOKENS.summary);
    expect(estimateTokens(long.summary)).toBeGreaterThan(BEFORE_TOKENS.summary - 5);
  });
});
