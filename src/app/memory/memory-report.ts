import type { Deed, Entity, Episode, MemoryOrigin } from '../../domain/memory/episode.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import type { MemoryClass } from '../../domain/memory/memory-class.ts';
import { type MemorySource, type Trust, trustOf } from '../../domain/memory/memory-source.ts';
import type { MemoryLogEntry } from '../ports/memory-store.ts';

/** An episode as people and programs see it; times in ISO 8601. */
export interface EpisodeReport {
  readonly id: string;
  readonly at: string;
  readonly recorded_at: string;
  readonly confirmed_at: string;
  readonly kind: string;
  readonly class: MemoryClass;
  readonly is_key: boolean;
  readonly source: MemorySource;
  /** 0 to 3. */
  readonly trust: Trust;
  readonly origin: OriginReport;
  readonly scope: string;
  readonly by: string;
  readonly language: string;
  readonly text: string;
  readonly summary: string;
  readonly entities: readonly Entity[];
  readonly deeds: readonly Deed[];
  readonly work_order: string | undefined;
  readonly closed_at: string | undefined;
}

interface OriginReport {
  readonly kind: MemoryOrigin['kind'];
  readonly id: string;
  readonly session_id: string | undefined;
}

/** A fact with both its times: when it holds, and when the box knew. */
export interface FactReport {
  readonly id: string;
  readonly scope: string;
  readonly subject: string;
  readonly predicate: string;
  readonly value: string | number | boolean;
  readonly unit: string | undefined;
  readonly text: string;
  readonly valid_from: string;
  /** Undefined while it holds, as the next is while it is what is known. */
  readonly valid_to: string | undefined;
  readonly recorded_at: string;
  readonly superseded_at: string | undefined;
  readonly superseded_by: string | undefined;
  readonly confirmed_at: string;
  readonly told: number;
  readonly source: MemorySource;
  readonly trust: Trust;
  readonly origin: OriginReport;
  readonly by: string;
  readonly status: Fact['status'];
  readonly disputes: string | undefined;
  readonly class: MemoryClass;
  readonly confidence: number;
  /** What it was told in; that may be forgotten by now. */
  readonly episode: string | undefined;
}

export interface LogReport {
  readonly at: string;
  readonly action: MemoryLogEntry['action'];
  readonly target: string;
  readonly source: string;
  readonly bytes_before: number;
  readonly bytes_after: number;
}

export function episodeReport(episode: Episode): EpisodeReport {
  const { id, kind, isKey, source, scope, userId, language, text, summary, entities, deeds } = episode;
  return {
    id,
    at: isoOf(episode.atMs),
    recorded_at: isoOf(episode.recordedAtMs),
    confirmed_at: isoOf(episode.confirmedAtMs),
    kind,
    class: episode.class,
    is_key: isKey,
    source,
    trust: trustOf(source),
    origin: originReport(episode.origin),
    scope,
    by: userId,
    language,
    text,
    summary,
    entities,
    deeds,
    work_order: episode.project,
    closed_at: episode.closedAtMs === undefined ? undefined : isoOf(episode.closedAtMs),
  };
}

export function factReport(fact: Fact): FactReport {
  const { id, scope, subject, predicate, value, unit, text, told, source, status, disputes } = fact;
  return {
    id,
    scope,
    subject,
    predicate,
    value,
    unit,
    text,
    valid_from: isoOf(fact.validFromMs),
    valid_to: fact.validToMs === undefined ? undefined : isoOf(fact.validToMs),
    recorded_at: isoOf(fact.recordedAtMs),
    superseded_at: fact.supersededAtMs === undefined ? undefined : isoOf(fact.supersededAtMs),
    superseded_by: fact.supersededBy,
    confirmed_at: isoOf(fact.confirmedAtMs),
    told,
    source,
    trust: trustOf(source),
    origin: originReport(fact.origin),
    by: fact.userId,
    status,
    disputes,
    class: fact.class,
    confidence: fact.confidence,
    episode: fact.episodeId,
  };
}

export function logReport(entry: MemoryLogEntry): LogReport {
  const { action, target, source, atMs, bytesBefore, bytesAfter } = entry;
  return { at: isoOf(atMs), action, target, source, bytes_before: bytesBefore, bytes_after: bytesAfter };
}

/** A moment that no clock can have had is the nearest that one can. */
export function isoOf(atMs: number): string {
  return new Date(Math.min(Math.max(atMs, -LAST_MS), LAST_MS)).toISOString();
}

/** The last moment of a Date (ECMA-262, 21.4.1.1). */
const LAST_MS = 8.64e15;

function originReport({ kind, id, sessionId }: MemoryOrigin): OriginReport {
  return { kind, id, session_id: sessionId };
}
