import { aligned } from './aligned.ts';
import type { StatsReply } from './memory-replies.ts';
import { shownAge, shownTime } from './shown-time.ts';

/** Every level of memory for people; `timeZone` is the site's. */
export function statsLines(stats: StatsReply, timeZone: string): string[] {
  const { working, episodes, facts, semantic, procedures, archive, tombstones } = stats;
  const time = (iso: string): string => shownTime(iso, timeZone);
  const [newest] = tombstones;
  return [
    ...aligned([
      [
        'working',
        `${working.sessions} sessions, ${shownBytes(working.bytes)} of ${shownBytes(working.max_bytes)}`,
        `${working.max_age_s / 3600} h each, in this process alone`,
      ],
      [
        'episodes',
        String(episodes.total),
        episodes.oldest_at === undefined ? '' : `the oldest of ${time(episodes.oldest_at)}`,
      ],
      ...episodes.classes.map((each) => [`  ${each.class}`, String(each.episodes), retentionText(each)]),
      [
        'facts',
        `${facts.now} known now, ${facts.past} before`,
        `${facts.pending} wait for a second signature, ${facts.disputed} disputed`,
      ],
      [
        'semantic',
        `${semantic.kind === 'full_text' ? 'full text' : semantic.kind} of ${semantic.episodes} episodes`,
        '',
      ],
      ['procedures', `${procedures.procedures} how-tos`, proceduresText(procedures, time)],
      [
        'archive',
        `${archive.days} days, ${shownBytes(archive.bytes)} of ${shownBytes(archive.max_bytes)}`,
        `kept for ${archive.keep_days} days${archive.oldest_day === undefined ? '' : `; the oldest is ${archive.oldest_day}`}`,
      ],
    ]),
    '',
    `On the disk: ${shownBytes(stats.bytes)} in memory.db (episodes, facts, full text, log)`,
    `Waiting to be remembered: ${stats.waiting}; not taken since the start: ${stats.rejected_writes}`,
    stats.last_sweep === undefined
      ? 'Nothing was swept since the start; the first sweep is 10 minutes after it.'
      : `Last sweep: ${time(stats.last_sweep.at)}, ${shownAge(stats.last_sweep.age_s)} ago`,
    ...(newest === undefined
      ? []
      : [
          `Last removed on request: ${newest.episodes} episodes and ${newest.facts} facts, ${time(newest.at)} (${newest.reason})`,
        ]),
  ];
}

type ClassReply = StatsReply['episodes']['classes'][number];

/** How long a class stays. */
export function retentionText({
  class: of,
  decay_per_h: decay,
  expires_after_h: expires,
  recheck_after_h: recheck,
}: Omit<ClassReply, 'episodes'>): string {
  const parts = [
    expires === undefined
      ? 'no end'
      : `ends ${hoursText(expires)} after ${of === 'project' ? 'its work order was closed' : 'it was last confirmed'}`,
    ...(decay === 0 ? [] : [`halves every ${(Math.LN2 / decay).toFixed(1)} h`]),
    ...(recheck === undefined ? [] : [`asked about again after ${hoursText(recheck)}`]),
  ];
  return parts.join(', ');
}

function proceduresText(
  { commit, committed_at: at, pushed, ahead, fault }: StatsReply['procedures'],
  time: (iso: string) => string,
): string {
  const version =
    commit === undefined ? 'no version yet' : `version ${commit.slice(0, 12)} of ${time(at ?? '')}`;
  const copy = pushed === undefined ? 'no remote' : pushed ? 'pushed' : `${ahead} commits are only here`;
  return `${version}, ${copy}${fault === undefined ? '' : `: ${fault}`}`;
}

function hoursText(hours: number): string {
  return hours % 24 === 0 ? `${hours / 24} days` : `${hours} h`;
}

function shownBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
