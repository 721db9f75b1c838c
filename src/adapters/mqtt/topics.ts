import { MAX_TOPIC_LEVEL } from '../../domain/alarm/alarm-event.ts';

/** The topics of one node below `edge/v1/{site}/{node}`. */
export interface Topics {
  readonly base: string;
  readonly status: string;
  /** Filters this node subscribes to, each with its quality of service. */
  readonly subscriptions: Readonly<Record<string, 0 | 1>>;
}

export function topicsOf(site: string, node: string): Topics {
  const base = `edge/v1/${site}/${node}`;
  return {
    base,
    status: `${base}/status`,
    subscriptions: {
      [`${base}/alarm/+/+/event`]: 1,
      [`${base}/say`]: 1,
      // A broker keeps nothing of quality 0 for a node that is away: who was there an hour ago is there no more, and a command
      // is carried out at once or never.
      [`${base}/badge`]: 0,
      [`${base}/cmd/+`]: 0,
    },
  };
}

export type Inbound =
  | { readonly kind: 'alarm'; readonly source: string; readonly name: string }
  | { readonly kind: 'command'; readonly tool: string }
  | { readonly kind: 'say' }
  | { readonly kind: 'badge' };

/** What an incoming topic asks for; undefined for one this node never subscribed to. */
export function parseTopic(topics: Topics, topic: string): Inbound | undefined {
  if (!topic.startsWith(`${topics.base}/`)) return undefined;
  const [kind, first, second, last, ...more] = topic.slice(topics.base.length + 1).split('/');
  if ((kind === 'say' || kind === 'badge') && first === undefined) return { kind };
  if (kind === 'cmd' && first && second === undefined) return { kind: 'command', tool: first };
  if (kind === 'alarm' && first && second && last === 'event' && more.length === 0) {
    if (first.length > MAX_TOPIC_LEVEL || second.length > MAX_TOPIC_LEVEL) return undefined;
    return { kind: 'alarm', source: first, name: second };
  }
  return undefined;
}

/**
 * Whether a response may be published to a topic that came from outside: below this node's own `reply/`, or below a
 * prefix the site allows. Anywhere else, whoever may only ask could have this node publish where they may not.
 */
export function isSafeResponseTopic(topics: Topics, prefixes: readonly string[], topic: string): boolean {
  if (topic.length > 512 || ['+', '#', '\0'].some((mark) => topic.includes(mark))) return false;
  return [`${topics.base}/reply/`, ...prefixes].some(
    (prefix) => topic.startsWith(prefix) && topic.length > prefix.length,
  );
}
