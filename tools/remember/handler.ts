import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import type { Sentence } from '../../src/domain/tool/say.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { codeOf, fault } from '../_shared/fault.ts';
import { isObject, objectsOf, optionalText, textOf } from '../_shared/json.ts';
import { quoted } from '../_shared/remembered.ts';

export const handle: Handle = async (args, { use }) => {
  const answer = await noting(use('memory.remember', wishOf(args)));
  const given = isObject(answer) ? answer : {};
  const kept = textOf(given['kept'], 'what became of the note');
  const item = isObject(given['item']) ? given['item'] : undefined;
  const stated = objectsOf(given['stated'], 'stated');
  const phrase = kept === 'refreshed' ? 'known' : 'noted';
  const noted: Sentence =
    item === undefined
      ? { phrase: kept === 'waiting' ? 'waiting' : 'not_worth_it', values: {} }
      : { phrase, values: { text: quoted(textOf(item['text'], 'the text of the note')) } };
  return {
    result: { kept, item: item ?? null, stated: [...stated] },
    say: [noted, ...stated.flatMap(consequence).slice(0, 3)],
  };
};

function wishOf(args: JsonObject): JsonObject {
  const text = optionalText(args['text']);
  if (text !== undefined) return { text };
  const machine = optionalText(args['machine']);
  const remark = optionalText(args['remark']);
  if (machine === undefined || remark === undefined)
    throw fault('INPUT_INVALID', 'text: nothing was said that could be kept', {
      hint: 'give text, or machine and remark',
    });
  const condition = optionalText(args['condition']);
  return { machine, remark, ...(condition === undefined ? {} : { condition }) };
}

async function noting(answer: Promise<JsonValue>): Promise<JsonValue> {
  try {
    return await answer;
  } catch (error) {
    if (codeOf(error) !== 'CLOCK_NOT_SET') throw error;
    throw fault('TOOL_UNAVAILABLE', 'the clock is not set yet: nothing can be dated', {
      say: [{ phrase: 'no_clock', values: {} }],
    });
  }
}

/** What a stated thing did to what was known. */
function consequence({ what, replaced }: JsonObject): readonly Sentence[] {
  if (what === 'disputed') return [{ phrase: 'beside', values: {} }];
  if (what === 'pending') return [{ phrase: 'waits', values: {} }];
  return isObject(replaced)
    ? [{ phrase: 'replaced', values: { text: quoted(textOf(replaced['text'], 'the text of a fact')) } }]
    : [];
}
