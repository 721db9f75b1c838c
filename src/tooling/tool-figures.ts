import { limitFromP95, p95Of } from '../domain/tool/execution-limit.ts';
import type { ToolErrorCode } from '../domain/tool/tool-call.ts';
import type { ToolEvent, ToolObserver } from './tool-observer.ts';

/** What the calls of one tool came to since the start. */
export interface FiguresOfTool {
  readonly calls: number;
  readonly failures: Readonly<Partial<Record<ToolErrorCode, number>>>;
  readonly running: number;
  /** 95th percentile of the newest successful calls, milliseconds; undefined below 20 of them. */
  readonly p95Ms: number | undefined;
  /** The limit that follows from it (`limitFromP95`). */
  readonly limitMs: number | undefined;
}

interface Counts {
  calls: number;
  running: number;
  readonly failures: Partial<Record<ToolErrorCode, number>>;
  readonly durationsMs: number[];
}

/** So many durations are kept per tool. */
const KEPT = 200;
/** Below so many a 95th percentile is no more than the slowest call. */
const ENOUGH = 20;

/** Counts calls and their durations by tool. */
export class ToolFigures implements ToolObserver {
  readonly #counts = new Map<string, Counts>();

  onStart({ tool }: ToolEvent): void {
    this.#of(tool).running += 1;
  }

  onSuccess({ tool, durationMs }: ToolEvent & { readonly durationMs: number }): void {
    const counts = this.#ended(tool);
    counts.durationsMs.push(durationMs);
    if (counts.durationsMs.length > KEPT) counts.durationsMs.shift();
  }

  onFailure({ tool, code }: ToolEvent & { readonly code: ToolErrorCode }): void {
    const { failures } = this.#ended(tool);
    failures[code] = (failures[code] ?? 0) + 1;
  }

  of(tool: string): FiguresOfTool {
    const { calls, running, failures, durationsMs } = this.#counts.get(tool) ?? noCounts();
    const p95Ms = durationsMs.length < ENOUGH ? undefined : p95Of(durationsMs);
    const limitMs = p95Ms === undefined ? undefined : limitFromP95(p95Ms);
    return { calls, running, failures: { ...failures }, p95Ms, limitMs };
  }

  #ended(tool: string): Counts {
    const counts = this.#of(tool);
    counts.calls += 1;
    counts.running -= 1;
    return counts;
  }

  #of(tool: string): Counts {
    const known = this.#counts.get(tool) ?? noCounts();
    this.#counts.set(tool, known);
    return known;
  }
}

function noCounts(): Counts {
  return { calls: 0, running: 0, failures: {}, durationsMs: [] };
}
