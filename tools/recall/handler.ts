import type { JsonObject } from '../../src/domain/json.ts';
import type { Handle, HandlerContext } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { optionalText } from '../_shared/json.ts';
import { type Remembered, rememberedIn, sayRemembered } from '../_shared/remembered.ts';

const MOST_SAID = 3;

export const handle: Handle = async (args, { use }) => {
  const found = await recalled(args, use);
  const said = found.slice(0, MOST_SAID);
  const more = found.length - said.length;
  return {
    result: { items: found.map(({ raw }) => raw) },
    say:
      said.length === 0
        ? [{ phrase: 'nothing', values: {} }]
        : [
            ...said.flatMap(sayRemembered),
            ...(more === 0 ? [] : [{ phrase: 'more', values: { count: more } }]),
          ],
  };
};

async function recalled(args: JsonObject, use: HandlerContext['use']): Promise<readonly Remembered[]> {
  const machine = optionalText(args['machine']);
  const about = optionalText(args['about']);
  const question = optionalText(args['question']) ?? about;
  if (machine !== undefined || about !== undefined) {
    const known = await use('memory.about', machine === undefined ? { words: about ?? '' } : { machine });
    const found = [...rememberedIn(known, 'facts'), ...rememberedIn(known, 'items')];
    if (found.length > 0 || question === undefined) return found;
  }
  if (question === undefined)
    throw fault('INPUT_INVALID', 'question: nothing was asked', { hint: 'give question, about or machine' });
  return rememberedIn(await use('memory.recall', { question, limit: MOST_SAID }), 'items');
}
