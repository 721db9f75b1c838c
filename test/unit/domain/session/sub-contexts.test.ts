import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_SOURCES, type SessionMessage } from '../../../../src/domain/session/session-record.ts';
import {
  contextFor,
  sourceOf,
  trimWindows,
  WINDOW_TOKENS,
} from '../../../../src/domain/session/sub-contexts.ts';
import { conversation } from '../../../support/conversation.ts';

const renumbered = (messages: readonly SessionMessage[], by: number) =>
  messages.map((message) => ({ ...message, seq: message.seq + by }));

const tokensOf = (messages: readonly SessionMessage[]) =>
  messages.reduce((sum, { tokens }) => sum + tokens, 0);

/** What is said stands in the window of the voice, what is answered in the main one. */
const talk = (turns: Parameters<typeof conversation>[0]): readonly SessionMessage[] =>
  conversation(turns).map((message) =>
    message.role === 'person' ? { ...message, source: 'voice' } : message,
  );

describe('the windows of a session', () => {
  it('puts what was decided and said in the end into the main one, and the way there into its own', () => {
    expect(sourceOf('routing_decision')).toBe('main');
    expect(sourceOf('final_output')).toBe('main');
    expect(sourceOf('heard')).toBe('voice');
    expect(sourceOf('alarm')).toBe('alarm');
    expect(sourceOf('diagnosis')).toBe('diagnosis');
    expect(sourceOf('tool_result')).toBe('tool');
  });

  it('are trimmed each by itself: a talkative tool drives out no decision', () => {
    const main = conversation([['route: read-history', 'sixty degrees']]);
    const tool = renumbered(
      conversation(
        Array.from({ length: 200 }, () => ['row of values from the tool', ''] as const),
        'tool',
      ),
      10,
    );
    const windows = trimWindows([...main, ...tool], 'pressure');
    expect(windows.main.kept).toEqual(main);
    expect(windows.tool.tokens).toBeLessThanOrEqual(WINDOW_TOKENS.tool);
    expect(windows.tool.dropped.length).toBeGreaterThan(0);
    expect(windows.voice.kept).toEqual([]);
  });

  it('keep the answers to "and yesterday" and to the question before it, which stand in another window', () => {
    const messages = talk([
      ['temperature of pump three', 'sixty degrees'],
      ['and yesterday', 'fifty degrees'],
      ['compare with pump four', 'pump four was hotter'],
      ...Array.from({ length: 4 }, () => ['status of the mixer', 'the mixer runs'] as const),
    ]);
    const answers = messages.filter(({ source }) => source === 'main').slice(0, 3);
    const { main } = trimWindows(messages, 'pressure', { ...WINDOW_TOKENS, main: tokensOf(answers) });
    expect(main.kept).toEqual(answers);
  });

  it('keep both neighbours of "and yesterday" in the talk when an alarm was said between them', () => {
    const [first, firstAnswer, second, secondAnswer, ...small] = talk([
      ['temperature of pump three', 'sixty degrees'],
      ['and yesterday', 'fifty degrees'],
      ...Array.from({ length: 3 }, () => ['status of the mixer', 'the mixer runs'] as const),
    ]);
    const alarm = (turnId: string, seq: number): SessionMessage[] =>
      conversation([['over-temperature', '']], 'alarm').map((message) => ({
        ...message,
        turnId,
        seq,
        role: 'assistant',
      }));
    const messages = [first, firstAnswer, ...alarm('tr_a', 2.5), second, secondAnswer, ...small].flatMap(
      (message) => message ?? [],
    );
    const { main } = trimWindows(messages, 'pressure', { ...WINDOW_TOKENS, main: 10 });
    expect(main.kept.map(({ content }) => content)).toEqual([
      'sixty degrees',
      'fifty degrees',
      'the mixer runs',
    ]);
  });

  it('drop a neighbour of an anchor only when no plain turn is left in its window, whatever the sources', () => {
    const said = fc.record({
      isAnchor: fc.boolean(),
      sources: fc.array(fc.constantFrom(...MESSAGE_SOURCES), { minLength: 1, maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(said, { maxLength: 12 }), fc.nat(40), (turns, limit) => {
        const messages = turns.flatMap(({ isAnchor, sources }, turn) =>
          sources.map((source, place) => ({
            seq: turn * 3 + place + 1,
            turnId: `tr_${turn}`,
            role: place === 0 ? ('person' as const) : ('assistant' as const),
            source,
            content: place === 0 && isAnchor ? 'and yesterday' : 'mixer',
            at: '2026-01-15T08:00:00.000Z',
            tokens: 3,
            isProtected: false,
          })),
        );
        const limits = { main: limit, voice: limit, alarm: limit, diagnosis: limit, tool: limit };
        const isNear = ({ turnId }: SessionMessage): boolean => {
          const turn = Number(turnId.slice(3));
          return [turn - 1, turn, turn + 1].some((place) => turns[place]?.isAnchor === true);
        };
        for (const { kept, dropped } of Object.values(trimWindows(messages, 'pressure', limits)))
          if (dropped.some(isNear)) expect(kept.filter((message) => !isNear(message))).toEqual([]);
      }),
    );
  });

  it('shows each part the main window and its own, and no other', () => {
    const main = conversation([['route', 'answer']]);
    const alarm = renumbered(conversation([['over-temperature', '']], 'alarm'), -1);
    const voice = renumbered(conversation([['what is wrong', '']], 'voice'), 5);
    const windows = trimWindows([...main, ...alarm, ...voice], 'x');
    expect(contextFor('alarm', windows)).toEqual([...alarm, ...main]);
    expect(contextFor('voice', windows)).toEqual([...main, ...voice]);
    expect(contextFor('main', windows)).toEqual(main);
  });
});
