import type { Capture } from './capture.ts';
import { compress } from './compress.ts';
import type { Episode } from './episode.ts';
import { isKeyFact } from './key-fact.ts';
import type { MemoryClass } from './memory-class.ts';
import type { FindMentions } from './mention.ts';
import { type KeyedHash, type Redacted, redact } from './redact.ts';

/** What the making of an episode depends on besides what happened. */
export interface EpisodeSetting {
  readonly id: string;
  readonly recordedAtMs: number;
  readonly timeZone: string;
  readonly class: MemoryClass;
  readonly hash: KeyedHash;
  /** Asked about the text that is kept. */
  readonly findMentions: FindMentions;
}

const MAX_TEXT = 4000;
/** More than that is never read; what the cut may have gone through is left out with it. */
const MAX_READ = 8000;
const CUT_THROUGH = 200;
const MAX_ENTITIES = 40;

/** What is remembered of a capture, and what was taken out of it. Nothing of the result holds what `redact` takes out. */
export function episodeOf(
  capture: Capture,
  setting: EpisodeSetting,
): { readonly episode: Episode; readonly removed: Redacted['removed'] } {
  const { id, recordedAtMs, timeZone } = setting;
  const read = redact(capture.text.slice(0, MAX_READ), setting.hash);
  const { removed } = read;
  const whole = capture.text.length > MAX_READ ? read.text.slice(0, -CUT_THROUGH) : read.text;
  const text = whole.slice(0, MAX_TEXT).replace(/[\uD800-\uDBFF]$/u, '');
  const { language, atMs } = capture;
  const { summary, entities, deeds } = compress(text, setting.findMentions(text, language), language, {
    atMs,
    timeZone,
  });
  const known = new Set(entities.map((entity) => `${entity.kind}:${entity.id ?? ''}`));
  const about = capture.about
    .filter((each) => !known.has(`${each.kind}:${each.id}`))
    .map((each) => ({ kind: each.kind, text: each.id, id: each.id, exact: true }));
  const episode: Episode = {
    id,
    atMs,
    recordedAtMs,
    confirmedAtMs: recordedAtMs,
    kind: capture.kind,
    source: capture.source,
    origin: capture.origin,
    scope: capture.scope,
    userId: capture.userId,
    language,
    text,
    summary,
    entities: [...about, ...entities].slice(0, MAX_ENTITIES),
    deeds: [...deeds],
    class: setting.class,
    ...(capture.project === undefined ? {} : { project: capture.project }),
    isKey: isKeyFact(text, language),
  };
  return { episode, removed };
}
