import type { Language } from '../domain/language/language.ts';
import { fillPhrase, type Phrasebook } from '../domain/phrases/phrasebook.ts';
import { spokenAge } from '../domain/phrases/spoken-age.ts';
import { spokenMoment } from '../domain/phrases/spoken-moment.ts';
import { spokenValue } from '../domain/phrases/spoken-value.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { PointRef } from '../domain/plc/point-ref.ts';
import type { PointValue } from '../domain/plc/reading.ts';
import type { Say, SayValue } from '../domain/tool/say.ts';
import type { ToolContract } from '../domain/tool/tool-contract.ts';
import type { Clocks } from '../runtime/clocks.ts';

interface Parts {
  readonly phrases: Phrasebook;
  readonly plant: PlantModel;
  readonly clocks: Pick<Clocks, 'wall'>;
  /** IANA name of the zone the site lives by. */
  readonly timeZone: string;
}

type ToolPhrases = ToolContract['phrases'];

/**
 * What a tool wants said, in a language: its sentences by its own phrases, one after the other. A sentence whose phrase
 * the tool does not have is left out; `unknownPhrases` finds those before.
 */
export function sayResult(say: Say, own: ToolPhrases, parts: Parts, language: Language): string {
  const sentences = say.flatMap(({ phrase, values }) => sentence(phrase, values, own, parts, language) ?? []);
  return sentences.join(language === 'zh' ? '' : ' ');
}

/** The keys that a tool used and its contract lacks. */
export function unknownPhrases(say: Say, own: ToolPhrases): readonly string[] {
  const used = say.flatMap(({ phrase, values }) => [
    phrase,
    ...Object.values(values).flatMap((value) =>
      typeof value === 'object' && value.kind === 'list' ? value.items.map((item) => item.phrase) : [],
    ),
  ]);
  return [...new Set(used.filter((key) => !Object.hasOwn(own, key)))];
}

function sentence(
  key: string,
  values: Readonly<Record<string, SayValue>>,
  own: ToolPhrases,
  parts: Parts,
  language: Language,
): string | undefined {
  const template = Object.hasOwn(own, key) ? own[key] : undefined;
  if (template === undefined) return undefined;
  const words = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, valueWords(value, own, parts, language)]),
  );
  return fillPhrase(template[language], words, language);
}

function valueWords(value: SayValue, own: ToolPhrases, parts: Parts, language: Language): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return spokenValue(value, language, undefined);
  switch (value.kind) {
    case 'machine':
      return parts.plant.machineName(value.id)[language];
    case 'point':
      return parts.plant.pointName(value)[language];
    case 'value':
      return measured(value, value.value, parts, language);
    case 'time':
      return momentWords(value.at, parts, language);
    case 'duration':
      return spokenAge(value.seconds * 1000, language);
    case 'text':
      return value[language];
    case 'list':
      return parts.phrases.list(
        language,
        value.items.flatMap((item) => sentence(item.phrase, item.values, own, parts, language) ?? []),
      );
  }
}

function momentWords(at: string, { clocks, timeZone }: Parts, language: Language): string {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? at : spokenMoment(atMs, clocks.wall().getTime(), timeZone, language);
}

/** A value of a point with its unit, or its text where the device map has one. */
function measured(ref: PointRef, value: PointValue, parts: Parts, language: Language): string {
  const text = parts.plant.enumText(ref, value)?.[language];
  if (text !== undefined) return text;
  const words = spokenValue(value, language, parts.plant.decimals(ref));
  const said = parts.phrases.measure(language, words, parts.plant.unit(ref)?.[language] ?? '');
  if (said.unit === '') return said.value;
  return language === 'zh' ? `${said.value}${said.unit}` : `${said.value} ${said.unit}`;
}
