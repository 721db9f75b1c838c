import type { ClockState } from '../../domain/envelope.ts';
import {
  holdMsOf,
  type Observation,
  type RecordPolicy,
  recordReason,
} from '../../domain/history/recorder.ts';
import type { Sample } from '../../domain/history/sample.ts';
import type { PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { KnownReading } from '../../domain/plc/reading.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Health, Service, Unsubscribe } from '../../runtime/service.ts';
import type { PointImage } from '../plc/point-image.ts';
import type { HistoryStore } from '../ports/history-store.ts';

interface Parts {
  readonly plant: PlantModel;
  readonly image: PointImage;
  readonly store: Pick<HistoryStore, 'append'>;
  readonly clocks: Clocks;
  readonly clockState: () => ClockState;
}

interface Recorded {
  readonly policy: RecordPolicy;
  readonly holdMs: number;
  last: Observation | undefined;
}

/** A value that does not change is recorded again as often as this: it tells "unchanged" from "not read". */
const HEARTBEAT_MS = 60_000;
/** And never before so many polls. */
const HEARTBEAT_POLLS = 3;

/** Takes every reading of the polls and hands on what is worth keeping. Between the image and the store. */
export class HistoryRecorder implements Service {
  readonly name = 'history recorder';
  readonly #parts: Parts;
  readonly #points = new Map<string, Recorded>();
  #leave: Unsubscribe | undefined;
  #readings = 0;
  #recorded = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const point of parts.plant.points()) {
      const policy = policyOf(point, parts.plant);
      this.#points.set(keyOf(point.ref), { policy, holdMs: holdMsOf(policy), last: undefined });
    }
  }

  async start(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#leave = this.#parts.image.onReadings((readings) => this.#take(readings));
  }

  async stop(_deadlineMs: number): Promise<void> {
    this.#leave?.();
    this.#leave = undefined;
  }

  health(): Health {
    const figures = { readings_total: this.#readings, recorded_total: this.#recorded };
    return this.#leave === undefined
      ? { status: 'off', detail: 'not started', figures }
      : { status: 'ok', detail: `${this.#points.size} points`, figures };
  }

  #take(readings: readonly KnownReading[]): void {
    const { clocks, clockState, store } = this.#parts;
    const nowMs = clocks.monotonicMs();
    const wallMs = clocks.wall().getTime();
    const samples: Sample[] = [];
    let clock: ClockState | undefined;
    for (const reading of readings) {
      const recorded = this.#points.get(keyOf(reading.ref));
      if (recorded === undefined) continue;
      const observation = observationOf(reading);
      if (recordReason(recorded.policy, recorded.last, observation) === undefined) continue;
      recorded.last = observation;
      // Looked up once for a batch: it is a question to the file system.
      clock ??= clockState();
      samples.push({
        ref: reading.ref,
        value: observation.value,
        quality: observation.quality,
        reason: observation.reason,
        atMs: wallMs - (nowMs - reading.atMs),
        clock,
        bootId: reading.bootId,
        monotonicMs: reading.atMs,
        seq: reading.seq,
        holdMs: recorded.holdMs,
      });
    }
    this.#readings += readings.length;
    this.#recorded += samples.length;
    if (samples.length > 0) store.append(samples);
  }
}

function observationOf(reading: KnownReading): Observation {
  return reading.quality === 'good'
    ? { value: reading.value, quality: 'good', monotonicMs: reading.atMs }
    : { value: undefined, quality: reading.quality, reason: reading.reason, monotonicMs: reading.atMs };
}

function policyOf(point: PlantPoint, plant: PlantModel): RecordPolicy {
  const { when, periodMs, deadband } = point.report;
  const intervalMs = plant.device(point.device)?.pollIntervalMs ?? 0;
  return {
    report: when,
    reportPeriodMs: Math.max(periodMs, intervalMs),
    deadband,
    heartbeatMs: Math.max(HEARTBEAT_MS, HEARTBEAT_POLLS * intervalMs),
  };
}

function keyOf({ machine, point }: { readonly machine: string; readonly point: string }): string {
  return `${machine}.${point}`;
}
