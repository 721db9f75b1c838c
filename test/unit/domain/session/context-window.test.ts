import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trimContext } from '../../../../src/domain/session/context-window.ts';
import type { SessionMessage } from '../../../../src/domain/session/session-record.ts';
import { termOverlaps, termsOf } from '../../../../src/domain/session/term-overlap.ts';
import { conversation } from '../../../support/conversation.ts';

const turnsOf = (messages: readonly SessionMessage[]) => [...new Set(messages.map(({ turnId }) => turnId))];
const tokensOf = (messages: readonly SessionMessage[]) =>
  messages.reduce((sum, { tokens }) => sum + tokens, 0);

const FILLER = ['status of the mixer', 'the mixer runs'] as const;

describe('the context window', () => {
  it('drops nothing that fits', () => {
    const messages = conversation([FILLER, FILLER]);
    expect(trimContext(messages, 'pressure', 1000)).toEqual({
      kept: messages,
      dropped: [],
      tokens: tokensOf(messages),
    });
  });

  it('keeps "yesterday" with its neighbours on both sides, and drops the newest small talk before it', () => {
    const messages = conversation([
      ['temperature of pump three', 'sixty degrees'],
      ['and yesterday', 'fifty degrees'],
      ['compare with pump four', 'pump four was hotter'],
      FILLER,
      FILLER,
    ]);
    const limit = tokensOf(messages.slice(0, 6));
    expect(turnsOf(trimContext(messages, 'something else', limit).kept)).toEqual(['tr_1', 'tr_2', 'tr_3']);
  });

  it('keeps 昨天 with its neighbours in Chinese too', () => {
    const messages = conversation([
      ['泵三的温度', '六十度'],
      ['昨天呢', '五十度'],
      ['和泵四比较', '泵四更热'],
      ['搅拌机状态', '搅拌机运行'],
      ['搅拌机状态', '搅拌机运行'],
    ]);
    const limit = tokensOf(messages.slice(0, 6));
    expect(turnsOf(trimContext(messages, '压力', limit).kept)).toEqual(['tr_1', 'tr_2', 'tr_3']);
  });

  it('keeps what is about the same as the query, however old', () => {
    const messages = conversation([['vibration of the gearbox', 'four millimetres'], FILLER, FILLER, FILLER]);
    const { kept } = trimContext(messages, 'gearbox vibration limit', tokensOf(messages.slice(0, 4)));
    expect(turnsOf(kept)).toEqual(['tr_1', 'tr_4']);
  });

  it('fills what is left with the newest', () => {
    const messages = conversation([FILLER, FILLER, FILLER, FILLER]);
    const { kept, dropped } = trimContext(messages, 'pressure', tokensOf(messages.slice(0, 4)));
    expect(turnsOf(kept)).toEqual(['tr_3', 'tr_4']);
    expect(turnsOf(dropped)).toEqual(['tr_1', 'tr_2']);
  });

  it('never drops a protected message, even when it alone is more than the limit', () => {
    const messages = conversation([FILLER, FILLER]).map((message) =>
      message.seq === 2 ? { ...message, isProtected: true } : message,
    );
    const { kept, tokens } = trimContext(messages, 'pressure', 1);
    expect(kept.map(({ seq }) => seq)).toEqual([2]);
    expect(tokens).toBe(kept[0]?.tokens);
  });

  it('counts tokens, not messages', () => {
    const long = 'mixer '.repeat(200);
    const messages = conversation([[long, ''], FILLER, FILLER]);
    expect(turnsOf(trimContext(messages, 'pressure', 100).kept)).toEqual(['tr_2', 'tr_3']);
  });

  it('keeps to the limit whatever it is given, loses nothing that is protected, and keeps the order', () => {
    const anyTurn = fc.tuple(
      fc.constantFrom(
        'yesterday',
        'export that',
        'temperature of pump three',
        'status',
        '取消',
        '泵三温度',
        '不要',
      ),
      fc.constantFrom('', 'sixty degrees', '六十度', 'done '.repeat(20)),
    );
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 20 }), fc.nat(150), fc.nat(9), (turns, limit, every) => {
        const messages = conversation(turns).map((message, i) => ({
          ...message,
          isProtected: i % 10 === every,
        }));
        const { kept, dropped, tokens } = trimContext(messages, 'temperature of pump three', limit);
        expect(tokens).toBe(tokensOf(kept));
        if (kept.some(({ isProtected }) => !isProtected)) expect(tokens).toBeLessThanOrEqual(limit);
        expect(dropped.every(({ isProtected }) => !isProtected)).toBe(true);
        expect([...kept, ...dropped].sort((a, b) => a.seq - b.seq)).toEqual(messages);
        expect(kept.map(({ seq }) => seq)).toEqual(kept.map(({ seq }) => seq).sort((a, b) => a - b));
      }),
    );
  });
});

describe('the overlap of terms', () => {
  it('is the share of the query that a text holds, a rare term counting for more', () => {
    const texts = ['pump three temperature', 'pump four pressure', 'mixer speed', 'pump five level'];
    const [same, pumpOnly, none] = termOverlaps('temperature of pump three', texts);
    expect(same).toBe(1);
    expect(pumpOnly).toBeGreaterThan(0);
    expect(pumpOnly).toBeLessThan(0.3);
    expect(none).toBe(0);
  });

  it('cuts Chinese into pairs of characters, and leaves out what says nothing', () => {
    expect(termsOf('请读泵三的温度')).toEqual(['读泵', '泵三', '温度']);
    expect(termsOf('show me the temperature of pump 3')).toEqual(['temperature', 'pump', '3']);
    expect(termOverlaps('the of', ['anything'])).toEqual([0]);
    expect(termOverlaps('x', [])).toEqual([]);
  });
});
