import { type ContextWindow, trimContext } from './context-window.ts';
import { MESSAGE_SOURCES, type MessageSource, type SessionMessage } from './session-record.ts';

/** What a message is, from which follows the window it stands in. */
export type MessageKind =
  | 'heard'
  | 'alarm'
  | 'routing_decision'
  | 'final_output'
  | 'diagnosis'
  | 'tool_result';

/** The main window keeps what was decided and what was said in the end; how it came to that stays in the windows of its parts. */
const SOURCE_OF: Readonly<Record<MessageKind, MessageSource>> = {
  heard: 'voice',
  alarm: 'alarm',
  routing_decision: 'main',
  final_output: 'main',
  diagnosis: 'diagnosis',
  tool_result: 'tool',
};

export function sourceOf(kind: MessageKind): MessageSource {
  return SOURCE_OF[kind];
}

/** Tokens that each window may hold. */
export const WINDOW_TOKENS: Readonly<Record<MessageSource, number>> = {
  main: 2000,
  voice: 1000,
  alarm: 1000,
  diagnosis: 1500,
  tool: 1000,
};

/**
 * Each source's window, trimmed by itself: a talkative tool drives no decision out of the main one. What is important is told
 * from the whole conversation: the answer to "and yesterday" stays with its question, whatever window it stands in.
 */
export function trimWindows(
  messages: readonly SessionMessage[],
  query: string,
  limits: Readonly<Record<MessageSource, number>> = WINDOW_TOKENS,
): Readonly<Record<MessageSource, ContextWindow>> {
  const window = (source: MessageSource): ContextWindow =>
    trimContext(
      messages.filter((message) => message.source === source),
      query,
      limits[source],
      messages,
    );
  const [main, voice, alarm, diagnosis, tool] = MESSAGE_SOURCES;
  return {
    main: window(main),
    voice: window(voice),
    alarm: window(alarm),
    diagnosis: window(diagnosis),
    tool: window(tool),
  };
}

/** What the part of a session that `source` names gets to see: the main window and its own, in the order in which they were said. */
export function contextFor(
  source: MessageSource,
  windows: Readonly<Record<MessageSource, ContextWindow>>,
): readonly SessionMessage[] {
  const others = source === 'main' ? [] : windows[source].kept;
  return [...windows.main.kept, ...others].sort((a, b) => a.seq - b.seq);
}
