import type { Language } from '../domain/language/language.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { PointRef } from '../domain/plc/point-ref.ts';
import type { GoodReading, KnownReading } from '../domain/plc/reading.ts';
import type { Clocks } from '../runtime/clocks.ts';
import type { PointImage } from './plc/point-image.ts';
import type { PlcReader } from './ports/plc-reader.ts';
import type { ReadingReport, ValueReport } from './turn-report.ts';

/** Longest time a read for a person may take: below the 10 s of a step, and short enough to stand and wait for. */
export const READ_DEADLINE_MS = 3000;

/** Reads points live and reports each with its quality, unit and the wall time at which the answer came. */
export async function readPoints(
  refs: readonly PointRef[],
  parts: { readonly reader: PlcReader; readonly plant: PlantModel; readonly clocks: Clocks },
): Promise<readonly { readonly reading: KnownReading; readonly report: ReadingReport }[]> {
  const readings = await parts.reader.read(refs, READ_DEADLINE_MS);
  const nowMs = parts.clocks.monotonicMs();
  const wallMs = parts.clocks.wall().getTime();
  return readings.map((reading) => ({
    reading,
    report: reportOf(reading, parts.plant, (atMs) => new Date(wallMs - (nowMs - atMs))),
  }));
}

/** What is known of every point of the plant, without asking anyone. */
export function knownPoints(parts: {
  readonly image: PointImage;
  readonly plant: PlantModel;
  readonly clocks: Clocks;
}): readonly ReadingReport[] {
  const nowMs = parts.clocks.monotonicMs();
  const wallMs = parts.clocks.wall().getTime();
  return parts.image
    .all()
    .map((reading) => reportOf(reading, parts.plant, (atMs) => new Date(wallMs - (nowMs - atMs))));
}

function reportOf(reading: KnownReading, plant: PlantModel, wallAt: (atMs: number) => Date): ReadingReport {
  const base = {
    machine: reading.ref.machine,
    point: reading.ref.point,
    quality: reading.quality,
    at: wallAt(reading.atMs).toISOString(),
    boot_id: reading.bootId,
    seq: reading.seq,
  };
  switch (reading.quality) {
    case 'bad':
      return { ...base, reason: reading.reason, detail: reading.detail };
    case 'stale': {
      const last = { ...valueReport(reading.last, plant), at: wallAt(reading.last.atMs).toISOString() };
      return { ...base, reason: reading.reason, detail: reading.detail, last };
    }
    case 'good':
      return { ...base, ...valueReport(reading, plant) };
  }
}

function valueReport(reading: GoodReading, plant: PlantModel): ValueReport {
  const unit = plant.unit(reading.ref)?.en;
  const meaning = plant.enumText(reading.ref, reading.value)?.en;
  const decimals = plant.decimals(reading.ref);
  return {
    value: reading.value,
    ...(unit === undefined ? {} : { unit }),
    ...(meaning === undefined ? {} : { meaning }),
    ...(decimals === undefined ? {} : { decimals }),
  };
}

/** The name a machine is told apart by among others: the first of its names that none of the others has, else its id. */
export function distinctName(
  id: string,
  among: readonly string[],
  plant: PlantModel,
  language: Language,
): string {
  const taken = new Set(
    among.filter((other) => other !== id).flatMap((other) => plant.machine(other)?.names[language] ?? []),
  );
  return plant.machine(id)?.names[language].find((name) => !taken.has(name)) ?? id;
}
