import { CANDIDATE_FOR_MS, type Forgetting, forgettingOf } from '../../domain/memory/decay.ts';
import type { Episode } from '../../domain/memory/episode.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import type { ArchiveLine, MemoryArchive } from '../ports/memory-archive.ts';
import type { EpisodeChange, MemoryLogEntry } from '../ports/memory-store.ts';
import { bytesOf } from './fact-writer.ts';

export interface Leaving {
  readonly memory: Episode | Fact;
  readonly how: 'delete' | 'archive';
}

const SOURCE = 'forgetter';

/** Puts away what is kept for an audit, each under the day that it happened or was recorded. */
export async function archive(
  leaving: readonly Leaving[],
  store: Pick<MemoryArchive, 'append'>,
): Promise<void> {
  const byDay = new Map<string, ArchiveLine[]>();
  for (const { memory, how } of leaving) {
    if (how !== 'archive') continue;
    const atMs = 'atMs' in memory ? memory.atMs : memory.recordedAtMs;
    const day = new Date(atMs).toISOString().slice(0, 10);
    byDay.set(day, [...(byDay.get(day) ?? []), { id: memory.id, text: JSON.stringify(memory) }]);
  }
  for (const [day, lines] of byDay) await store.append(day, lines);
}

export function logOfLeaving(leaving: readonly Leaving[], atMs: number): readonly MemoryLogEntry[] {
  return leaving.map(({ memory, how }) => ({
    action: how === 'archive' ? 'archive' : 'forget',
    target: memory.id,
    source: SOURCE,
    atMs,
    bytesBefore: bytesOf(memory),
    bytesAfter: 0,
  }));
}

export function logOfCandidate(memory: Episode | Fact, atMs: number): MemoryLogEntry {
  const bytes = bytesOf(memory);
  return {
    action: 'candidate',
    target: memory.id,
    source: SOURCE,
    atMs,
    bytesBefore: bytes,
    bytesAfter: bytes,
  };
}

/** Which of the candidates, all long enough that, go now, and which have been told again meanwhile. */
export function sortCandidates(
  episodes: readonly Episode[],
  nowMs: number,
): { readonly leaving: readonly Leaving[]; readonly staying: readonly EpisodeChange[] } {
  const judged = episodes.map((episode) => ({
    episode,
    verdict: judge(episode, nowMs, nowMs - CANDIDATE_FOR_MS),
  }));
  return {
    leaving: judged.flatMap(({ episode, verdict }) =>
      verdict.kind === 'gone' ? [{ memory: episode, how: verdict.how }] : [],
    ),
    staying: judged
      .filter(({ verdict }) => verdict.kind !== 'gone')
      .map(({ episode: { id } }) => ({ id, candidateSinceMs: null })),
  };
}

export function judge(episode: Episode, nowMs: number, candidateSinceMs?: number): Forgetting {
  const { closedAtMs } = episode;
  return forgettingOf(episode, { nowMs, clockSynced: true, candidateSinceMs, closedAtMs });
}
