import type { JsonValue } from '../../src/domain/json.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { codeOf, fault } from '../_shared/fault.ts';
import { isObject, numberOf, textOf } from '../_shared/json.ts';

export const handle: Handle = async (args, { use }) => {
  const answer = await forgetting(use('memory.forget', { id: textOf(args['memory'], 'memory') }));
  const given = isObject(answer) ? answer : {};
  const facts = numberOf(given['facts'], 'the number of facts');
  return {
    result: { forgotten: numberOf(given['forgotten'], 'the number of memories'), facts },
    say: [facts === 0 ? { phrase: 'forgotten', values: {} } : { phrase: 'with_facts', values: {} }],
  };
};

async function forgetting(answer: Promise<JsonValue>): Promise<JsonValue> {
  try {
    return await answer;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'DENIED')
      throw fault('INPUT_INVALID', 'memory: somebody else told that', {
        hint: 'a maintainer can have it forgotten',
        say: [{ phrase: 'not_yours', values: {} }],
      });
    if (code === 'MEMORY_UNKNOWN')
      throw fault('INPUT_INVALID', 'memory: it is not there any more', {
        say: [{ phrase: 'gone', values: {} }],
      });
    throw error;
  }
}
