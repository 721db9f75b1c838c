import { anchorsIn } from './anchor-words.ts';
import type { SessionMessage } from './session-record.ts';
import { termOverlaps } from './term-overlap.ts';

/** A turn that shares more than this of the query's weight is kept before others. */
export const OVERLAP_LIMIT = 0.3;

interface Turn {
  readonly messages: readonly SessionMessage[];
  /** 0 plain, 1 neighbour of an anchor, 2 about the same as the query or an anchor. */
  readonly importance: number;
}

export interface ContextWindow {
  /** In the order in which they were said. */
  readonly kept: readonly SessionMessage[];
  readonly dropped: readonly SessionMessage[];
  readonly tokens: number;
}

/**
 * The messages that fit into `limitTokens`. The least important turn goes first, of equal ones the oldest: plain turns, then the
 * neighbours of anchors, then anchors (turns with time words, demonstratives or a negation) and turns that overlap with the
 * query. Protected messages stay, even when they alone are more than the limit. `all` is the conversation that the messages are a
 * part of, in the order in which it was said: anchors and their neighbours are looked for in all of it.
 */
export function trimContext(
  messages: readonly SessionMessage[],
  query: string,
  limitTokens: number,
  all: readonly SessionMessage[] = messages,
): ContextWindow {
  let tokens = messages.reduce((sum, message) => sum + message.tokens, 0);
  const dropped = new Set<SessionMessage>();
  if (tokens > limitTokens) {
    const own = new Set(messages);
    const leastFirst = turnsOf(all, query).sort((a, b) => a.importance - b.importance);
    for (const turn of leastFirst) {
      if (tokens <= limitTokens) break;
      for (const message of turn.messages) {
        if (message.isProtected || !own.has(message)) continue;
        dropped.add(message);
        tokens -= message.tokens;
      }
    }
  }
  return {
    kept: messages.filter((message) => !dropped.has(message)),
    dropped: messages.filter((message) => dropped.has(message)),
    tokens,
  };
}

/** The oldest first. */
function turnsOf(messages: readonly SessionMessage[], query: string): Turn[] {
  const byTurn = new Map<string, SessionMessage[]>();
  for (const message of messages) {
    const turn = byTurn.get(message.turnId);
    if (turn === undefined) byTurn.set(message.turnId, [message]);
    else turn.push(message);
  }
  const turns = [...byTurn.values()];
  const texts = turns.map((turn) => turn.map(({ content }) => content).join('\n'));
  const overlaps = termOverlaps(query, texts);
  // What a tool or the assistant says is full of times: only people make anchors.
  const isAnchor = turns.map((turn) =>
    turn.some(({ role, content }) => role === 'person' && anchorsIn(content).length > 0),
  );
  const isTalk = turns.map((turn) => turn.some(({ role }) => role === 'person'));
  const near = new Set([
    ...besides(isAnchor, () => true),
    // An alarm between two sentences takes neither from the other.
    ...besides(isAnchor, (i) => isTalk[i] === true),
  ]);
  return turns.map((turn, i) => {
    const isAbout = (overlaps[i] ?? 0) > OVERLAP_LIMIT;
    return { messages: turn, importance: isAnchor[i] === true || isAbout ? 2 : near.has(i) ? 1 : 0 };
  });
}

/** Which of the turns that count stand next to an anchor, by their places. */
function besides(isAnchor: readonly boolean[], counts: (place: number) => boolean): readonly number[] {
  const places = [...isAnchor.keys()].filter(counts);
  return places.filter(
    (_, i) => isAnchor[places[i - 1] ?? -1] === true || isAnchor[places[i + 1] ?? -1] === true,
  );
}
