import type { MessageSource, SessionMessage } from '../../src/domain/session/session-record.ts';
import { estimateTokens } from '../../src/domain/session/token-estimate.ts';

/** One turn a line: what a person said, and unless it is empty what was answered. */
export function conversation(
  turns: readonly (readonly [said: string, answer: string])[],
  source: MessageSource = 'main',
): readonly SessionMessage[] {
  return turns.flatMap(([said, answer], turn) => {
    const message = (role: SessionMessage['role'], content: string, seq: number): SessionMessage => ({
      seq,
      turnId: `tr_${turn + 1}`,
      role,
      source,
      content,
      at: '2026-01-15T08:00:00.000Z',
      tokens: estimateTokens(content),
      isProtected: false,
    });
    const answers = answer === '' ? [] : [message('assistant', answer, turn * 2 + 2)];
    return [message('person', said, turn * 2 + 1), ...answers];
  });
}
