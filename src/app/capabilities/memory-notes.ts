import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import { languageOf } from '../../domain/language/language.ts';
import { findByName } from '../../domain/plc/find-by-name.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { Waiting } from '../memory/memory-desk.ts';
import type { Written } from '../memory/memory-writer.ts';
import { deskOf, episodeJson, factJson, type MemoryParts } from './memory-items.ts';

const MAX_CHARACTERS = 1000;

const rememberSchema = z.union([
  z.strictObject({ text: z.string().trim().min(1).max(MAX_CHARACTERS) }),
  z.strictObject({
    machine: z.string().min(1).max(100),
    remark: z.string().trim().min(1).max(200),
    condition: z.string().trim().min(1).max(100).optional(),
  }),
]);

/**
 * Keeps a text, or a remark about a machine, for whoever asks: `{ kept, item, stated }`. `kept` is `written`, `refreshed`,
 * `repeated`, `not_worth_it`, or `waiting` until the clock is set; `stated` has what became of each thing that the text says, and what it took the place of.
 */
export function memoryRemember(
  parts: MemoryParts & { readonly plant: PlantModel },
): Capability<z.infer<typeof rememberSchema>> {
  return {
    name: 'memory.remember',
    args: rememberSchema,
    run: async (args, { call }) => {
      const text = 'text' in args ? args.text : remarkText(args, parts.plant);
      const written = await deskOf(parts).remember({
        id: call.idempotencyKey,
        text,
        language: languageOf(text),
        caller: call.caller,
      });
      return writtenJson(written, (fact) => factJson(fact, call.caller, parts), {
        item: written.episode === undefined ? null : episodeJson(written.episode, call.caller, parts),
      });
    },
  };
}

/** In the language of the remark: its sentence names the machine as that language does. */
function remarkText(
  {
    machine,
    remark,
    condition,
  }: { readonly machine: string; readonly remark: string; readonly condition?: string | undefined },
  plant: PlantModel,
): string {
  const id = findByName(machine, plant.machineList(), 'machine');
  const language = languageOf(remark);
  const name = plant.machineName(id)[language];
  return language === 'zh'
    ? `${name}${condition ?? ''}${remark}`
    : [name, remark, condition].filter((part) => part !== undefined).join(' ');
}

function writtenJson(
  { kind, facts }: Written | Waiting,
  shown: (fact: NonNullable<Written['facts'][number]['fact']>) => JsonObject,
  more: JsonObject,
): JsonObject {
  return {
    kept: kind,
    ...more,
    stated: facts.map(({ what, fact, replaced }) => ({
      what,
      fact: fact === undefined ? null : shown(fact),
      replaced: replaced === undefined ? null : shown(replaced),
    })),
  };
}

const forgetSchema = z.strictObject({ id: z.string().min(1).max(200) });

/** Takes one thing out with what was stated in it: `{ forgotten, facts }`. Only its own teller or a maintainer may. */
export function memoryForget(parts: MemoryParts): Capability<z.infer<typeof forgetSchema>> {
  return {
    name: 'memory.forget',
    args: forgetSchema,
    run: async ({ id }, { call }) => {
      const desk = deskOf(parts);
      const { episodes, facts } = await desk.forget(id, call.caller);
      desk.told(call.caller.sessionId, []);
      return { forgotten: episodes.length, facts: facts.length };
    },
  };
}
