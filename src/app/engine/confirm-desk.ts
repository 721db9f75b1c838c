import { randomUUID } from 'node:crypto';
import { nextCheckWord } from '../../domain/gate/check-word.ts';
import { openConfirmation } from '../../domain/gate/confirmation.ts';
import type { ConfirmBy, Wanted } from '../../domain/gate/gate.ts';
import { CONFIRM_PROMPTS } from '../../domain/gate/gate-lines.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { Language } from '../../domain/language/language.ts';
import { fillPhrase, type Phrasebook } from '../../domain/phrases/phrasebook.ts';
import { spokenValue } from '../../domain/phrases/spoken-value.ts';
import type { PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import { writableValue } from '../../domain/plc/writing/write-value.ts';
import type { Action } from '../../domain/session/action.ts';
import type { GroundValue } from '../../domain/tool/tool-call.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { PlcReader } from '../ports/plc-reader.ts';
import { READ_DEADLINE_MS } from '../read-value.ts';
import type { OpenConfirmation } from './open-confirmation.ts';
import type { PeopleNames } from './people-names.ts';

interface Parts {
  readonly plant: PlantModel;
  readonly reader: PlcReader;
  readonly phrases: Phrasebook;
  readonly people: PeopleNames;
  readonly clocks: Clocks;
  /** 0 up to but not 1. */
  readonly random: () => number;
}

export interface Asked {
  readonly action: Action;
  readonly contract: ToolContract;
  readonly wanted: Wanted;
  readonly machines: readonly string[];
  /** Where it may be answered; empty for any station where a person is. */
  readonly stations: readonly string[];
  readonly language: Language;
}

export type Opened =
  | { readonly ok: true; readonly open: OpenConfirmation }
  /** Why it cannot be asked for now, as a line to say. */
  | { readonly ok: false; readonly line: (language: Language) => string };

type Text = (language: Language) => string;

/** Puts the question before a person: the whole action is in it, and for a write the value that the point has just now. */
export class ConfirmDesk {
  readonly #parts: Parts;
  #lastWord: string | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async open(asked: Asked): Promise<Opened> {
    const { action, wanted, language } = asked;
    const what =
      asked.machines.length === 0
        ? { ground: [], text: this.#deedText(asked.contract, action.args) }
        : await this.#readBack(action.args);
    if ('refused' in what) return { ok: false, line: what.refused };
    const checkWord = this.#checkWord(wanted.by, language);
    const { clocks } = this.#parts;
    const confirmation = openConfirmation(
      {
        id: randomUUID(),
        actionId: action.id,
        ground: what.ground,
        machines: asked.machines,
        checkWord,
        stations: asked.stations,
        language,
      },
      wanted,
      { bootId: clocks.bootId, monotonicMs: clocks.monotonicMs() },
    );
    const question: Text = (spoken) => {
      const prompt = this.#parts.phrases.say(
        spoken,
        CONFIRM_PROMPTS[wanted.by],
        checkWord === undefined ? {} : { word: checkWord },
      );
      return spoken === 'zh' ? `${what.text(spoken)}${prompt}` : `${what.text(spoken)} ${prompt}`;
    };
    return { ok: true, open: { confirmation, actionId: action.id, question } };
  }

  #checkWord(by: ConfirmBy, language: Language): string | undefined {
    if (by !== 'execute_with_word') return undefined;
    this.#lastWord = nextCheckWord(language, this.#lastWord, this.#parts.random);
    return this.#lastWord;
  }

  /** Machine, point, present and new value, read live: what is confirmed is what the PLC shows now. */
  async #readBack(
    args: JsonObject,
  ): Promise<{ readonly ground: readonly GroundValue[]; readonly text: Text } | { readonly refused: Text }> {
    const { plant, phrases, reader } = this.#parts;
    const { machine, point, value } = args;
    if (typeof machine !== 'string' || typeof point !== 'string' || !isPointValue(value))
      return { refused: (language) => phrases.say(language, 'tool_input_invalid') };
    const found = plant.point({ machine, point });
    const names = (language: Language) => ({
      machine: plant.machineName(machine)[language],
      quantity: plant.pointName({ machine, point })[language],
    });
    if (found === undefined)
      return { refused: (language) => phrases.say(language, 'no_such_point', names(language)) };
    const refused = this.#refusedValue(found, value, names);
    if (refused !== undefined) return { refused };
    if (found.access === 'write' || plant.device(found.device)?.isBroadcast === true) {
      return {
        ground: [],
        text: (language) =>
          phrases.say(language, 'read_back_blind', {
            ...names(language),
            value: this.#valueText(found, value, language),
          }),
      };
    }
    const [reading] = await reader.read([{ machine, point }], READ_DEADLINE_MS, 'confirm');
    if (reading?.quality !== 'good')
      return { refused: (language) => phrases.say(language, 'read_back_impossible', names(language)) };
    const present = reading.value;
    return {
      ground: [{ machine, point, value: present }],
      text: (language) =>
        phrases.say(language, 'read_back', {
          ...names(language),
          present: this.#valueText(found, present, language),
          value: this.#valueText(found, value, language),
        }),
    };
  }

  /** What the point never takes is not asked about: the writer would refuse it after the consent. */
  #refusedValue(
    point: PlantPoint,
    value: PointValue,
    names: (language: Language) => { readonly machine: string; readonly quantity: string },
  ): Text | undefined {
    const { phrases } = this.#parts;
    if (point.access === 'read')
      return (language) => phrases.say(language, 'write_read_only', names(language));
    const writable = writableValue(point, value);
    if (writable.ok) return undefined;
    const { writeMin, writeMax } = point;
    const isOutside = writable.reason === 'below_minimum' || writable.reason === 'above_maximum';
    return (language) => {
      const low = writeMin === undefined ? undefined : this.#valueText(point, writeMin, language);
      const high = writeMax === undefined ? undefined : this.#valueText(point, writeMax, language);
      const named = names(language);
      if (isOutside && low !== undefined && high !== undefined)
        return phrases.say(language, 'write_between', { ...named, low, high });
      if (isOutside && low !== undefined) return phrases.say(language, 'write_at_least', { ...named, low });
      if (isOutside && high !== undefined) return phrases.say(language, 'write_at_most', { ...named, high });
      return phrases.say(language, 'write_impossible', named);
    };
  }

  #valueText(point: PlantPoint, value: PointValue, language: Language): string {
    const text = typeof value === 'string' ? undefined : point.enumTexts.get(Number(value))?.[language];
    if (text !== undefined) return text;
    const said = [...point.enumTexts.values()].find(({ en, zh }) => en === value || zh === value);
    if (said !== undefined) return said[language];
    const words = this.#parts.phrases.measure(
      language,
      spokenValue(value, language, point.decimals),
      point.unit?.[language] ?? '',
    );
    return language === 'zh' ? `${words.value}${words.unit}` : `${words.value} ${words.unit}`.trim();
  }

  /** The tool's own question with the arguments filled in; without one, what it is called. */
  #deedText(contract: ToolContract, args: JsonObject): Text {
    const { question: template, deed } = contract;
    if (template === undefined)
      return (language) => this.#parts.phrases.say(language, 'read_back_deed', { deed: deed[language] });
    return (language) =>
      fillPhrase(
        template[language],
        Object.fromEntries(
          Object.keys(contract.schema.parameters.properties).map((name) => [
            name,
            this.#argumentText(contract, name, args[name], language),
          ]),
        ),
        language,
      );
  }

  #argumentText(
    contract: ToolContract,
    name: string,
    value: JsonValue | undefined,
    language: Language,
  ): string {
    const property = contract.schema.parameters.properties[name];
    const format = property?.items?.format ?? property?.format;
    const text = (one: JsonValue | undefined): string => {
      if (format === 'machine' && typeof one === 'string')
        return this.#parts.plant.machineName(one)[language];
      if (format === 'person' && typeof one === 'string') return this.#parts.people.nameOf(one, language);
      if (typeof one === 'number') return spokenValue(one, language, undefined);
      return typeof one === 'string' ? one : '';
    };
    return Array.isArray(value) ? this.#parts.phrases.list(language, value.map(text)) : text(value);
  }
}

function isPointValue(value: JsonValue | undefined): value is PointValue {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean';
}
