import { digitsBetween, doubtfulDigits, readingsOf, wholeNumber } from '../../domain/gate/digit-count.ts';
import type { Meaning } from '../../domain/intent/meaning.ts';
import type { Language } from '../../domain/language/language.ts';
import { WRITING_INTENTS } from '../../domain/planning/writing-intents.ts';
import { namesIn } from '../../domain/plc/find-by-name.ts';
import type { PlantMachine, PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import { slotId } from './complete-meaning.ts';

/** Whether the number that was said for a point may as well have been another that can be written there. */
export function isValueDoubtful(meaning: Meaning, language: Language, plant: PlantModel): boolean {
  const value = meaning.slots['value'];
  if (value === undefined || !WRITING_INTENTS.includes(meaning.intent)) return false;
  const machine = slotId(meaning, 'machine');
  const point = slotId(meaning, 'quantity');
  const found = machine === undefined || point === undefined ? undefined : plant.point({ machine, point });
  const digits = digitsBetween(found?.writeMin, found?.writeMax);
  const meantBy = (words: string) => writableNumber(wholeNumber(words, language), found);
  return doubtfulDigits(value, { digits, meantBy }, language) !== undefined;
}

/** The other machines that a name may as well have meant, of those where the same could be done. */
export function machinesMistakable(
  meaning: Meaning,
  language: Language,
  plant: PlantModel,
): readonly string[] {
  const machine = meaning.slots['machine'];
  if (machine === undefined || !WRITING_INTENTS.includes(meaning.intent)) return [];
  const possible = [...plant.machines.values()].filter((each) => isPossibleAt(each, meaning));
  const named = namesIn(
    possible.map(({ id, names }) => ({ value: id, spoken: names })),
    language,
  );
  const others = readingsOf(machine, { digits: undefined, meantBy: (words) => named(words)[0] }, language);
  return others.map(({ value }) => String(value));
}

function isPossibleAt({ points, commands }: PlantMachine, meaning: Meaning): boolean {
  const quantity = slotId(meaning, 'quantity');
  if (quantity !== undefined) return (points.get(quantity)?.access ?? 'read') !== 'read';
  const action = slotId(meaning, 'action');
  return meaning.slots['value'] !== undefined || action === undefined || commands.has(action);
}

/** What other words would mean instead: only a value that could be written there counts. */
function writableNumber(value: number | undefined, point: PlantPoint | undefined): number | undefined {
  if (value === undefined || point === undefined) return value;
  const isPossible =
    value >= (point.writeMin ?? Number.NEGATIVE_INFINITY) &&
    value <= (point.writeMax ?? Number.POSITIVE_INFINITY);
  return isPossible ? value : undefined;
}
