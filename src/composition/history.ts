import { join } from 'node:path';
import { SqliteHistoryStore } from '../adapters/sqlite/sqlite-history-store.ts';
import { clockState } from '../adapters/systemd/clock-state.ts';
import { HistoryAnswers } from '../app/history/history-answers.ts';
import { HistoryRecorder } from '../app/history/history-recorder.ts';
import type { PointImage } from '../app/plc/point-image.ts';
import type { Config } from '../config/config-schema.ts';
import { shiftCalendarOf } from '../domain/history/shift-calendar.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { Service } from '../runtime/service.ts';
import type { Runtime } from './runtime.ts';
import { timeZoneOf } from './site.ts';

/** The values of the past. */
export interface History {
  /** In the order of their start, before the polls. */
  readonly services: readonly Service[];
  readonly answers: HistoryAnswers;
  /** Looks through the whole file; after READY, since it takes a while. */
  check(): Promise<boolean>;
}

/** Undefined where history is switched off. */
export function composeHistory(
  config: Config,
  plant: PlantModel,
  image: PointImage,
  runtime: Runtime,
): History | undefined {
  const { enabled, raw_days, minute_days, aggregate_days, max_size_mb } = config.history;
  if (!enabled) return undefined;
  const store = new SqliteHistoryStore(
    {
      file: join(config.state_dir, 'history.db'),
      rawDays: raw_days,
      minuteDays: Math.max(raw_days, minute_days),
      aggregateDays: Math.max(raw_days, minute_days, aggregate_days),
      maxBytes: max_size_mb * 1e6,
    },
    { ...runtime, clockState },
  );
  return {
    services: [store, new HistoryRecorder({ plant, image, store, clocks: runtime.clocks, clockState })],
    answers: new HistoryAnswers({
      plant,
      store,
      clocks: runtime.clocks,
      timeZone: timeZoneOf(config),
      shifts: shiftCalendarOf(config.shifts),
      clockState,
    }),
    check: () => store.check(),
  };
}
