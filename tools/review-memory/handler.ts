import type { Sentence } from '../../src/domain/tool/say.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { isObject, numberOf, optionalText } from '../_shared/json.ts';
import { rememberedIn, sayRemembered } from '../_shared/remembered.ts';

export const handle: Handle = async (args, { use }) => {
  const fact = optionalText(args['fact']);
  const says = optionalText(args['says']);
  const answer = await use('memory.review', fact === undefined ? { list: 1 } : { fact });
  const waiting = numberOf(isObject(answer) ? answer['waiting'] : undefined, 'how many wait');
  const [first] = rememberedIn(answer, 'facts');
  if (first === undefined && fact !== undefined)
    throw fault('INPUT_INVALID', 'fact: it does not wait any more', {
      say: [{ phrase: 'gone', values: {} }],
    });
  if (first === undefined)
    return { result: { fact: null, waiting }, say: [{ phrase: 'nothing', values: {} }] };
  return { result: { fact: first.id, waiting }, say: [...sayRemembered(first), ...then(says, waiting - 1)] };
};

function then(says: string | undefined, others: number): readonly Sentence[] {
  if (says !== undefined)
    return [{ phrase: says === 'verified' ? 'called_right' : 'called_wrong', values: {} }];
  return [
    { phrase: 'right_or_wrong', values: {} },
    ...(others > 0 ? [{ phrase: 'others', values: { count: others } }] : []),
  ];
}
