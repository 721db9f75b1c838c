import type { Language } from '../language/language.ts';
import { trimContext } from './context-window.ts';
import { decodeSummary, summaryText } from './rolling-summary.ts';
import type { SessionMessage, SessionRecord } from './session-record.ts';
import { contextFor, trimWindows } from './sub-contexts.ts';
import { firstTokens } from './token-estimate.ts';

/** What went before a sentence, for somebody who has to make sense of it. */
export interface SpokenBefore {
  /** Of what memory has let go; empty when that is nothing. */
  readonly summary: string;
  /** The oldest first. */
  readonly messages: readonly Pick<SessionMessage, 'role' | 'content'>[];
}

export const NOTHING_BEFORE: SpokenBefore = { summary: '', messages: [] };

/** Tokens that the talk and its summary may take. */
export const BEFORE_TOKENS = { messages: 1500, summary: 500 } as const;

/** The main window of a session with what people said, for a sentence of it; never more than BEFORE_TOKENS. */
export function spokenBefore(
  messages: readonly SessionMessage[],
  { summary }: Pick<SessionRecord, 'summary'>,
  sentence: string,
  language: Language,
): SpokenBefore {
  const talk = contextFor('voice', trimWindows(messages, sentence));
  const { kept, tokens } = trimContext(talk, sentence, BEFORE_TOKENS.messages, messages);
  return {
    summary: firstTokens(summaryText(decodeSummary(summary), language), BEFORE_TOKENS.summary),
    messages: newest(kept, tokens).map(({ role, content }) => ({ role, content })),
  };
}

/** What is protected may be more than the limit: then the oldest gives way. */
function newest(messages: readonly SessionMessage[], tokens: number): readonly SessionMessage[] {
  let over = tokens - BEFORE_TOKENS.messages;
  return messages.filter((message) => {
    if (over <= 0) return true;
    over -= message.tokens;
    return false;
  });
}
