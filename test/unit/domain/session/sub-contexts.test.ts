import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../../src/domain/session/session-record.ts';
import {
  contextFor,
  sourceOf,
  trimWindows,
  WINDOW_TOKENS,
} from '../../../../src/domain/session/sub-contexts.ts';
import { conversation } from '../../../support/conversation.ts';

const renumbered = (messages: readonly SessionMessage[], by: number) =>
  messages.map((message) => ({ ...message, seq: message.seq + by }));

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
