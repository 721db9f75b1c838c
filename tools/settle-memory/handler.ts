import type { JsonValue } from '../../src/domain/json.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { codeOf, fault } from '../_shared/fault.ts';
import { isObject, numberOf, textOf } from '../_shared/json.ts';

export const handle: Handle = async (args, { use }) => {
  const fact = textOf(args['fact'], 'fact');
  const says = textOf(args['says'], 'says');
  const answer = await settling(use('memory.review', { settle: { fact, says } }));
  const waiting = numberOf(isObject(answer) ? answer['waiting'] : undefined, 'how many wait');
  return {
    result: { fact, waiting },
    say: [
      { phrase: says === 'verified' ? 'believed' : 'rejected', values: {} },
      ...(waiting === 0 ? [] : [{ phrase: 'others', values: { count: waiting } }]),
    ],
  };
};

async function settling(answer: Promise<JsonValue>): Promise<JsonValue> {
  try {
    return await answer;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'DENIED')
      throw fault('INPUT_INVALID', 'fact: a maintainer decides what is believed', {
        hint: 'read your badge first',
        say: [{ phrase: 'maintainer', values: {} }],
      });
    if (code === 'MEMORY_UNKNOWN')
      throw fault('INPUT_INVALID', 'fact: it does not wait any more', {
        say: [{ phrase: 'gone', values: {} }],
      });
    throw error;
  }
}
