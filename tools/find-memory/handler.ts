import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { optionalText } from '../_shared/json.ts';
import { rememberedIn, sayRemembered } from '../_shared/remembered.ts';

const LOOKED_AT = 5;

export const handle: Handle = async (args, { use }) => {
  const about = optionalText(args['about']);
  const answer = await use(
    'memory.recall',
    about === undefined ? { meant: true } : { question: about, limit: LOOKED_AT },
  );
  const found = rememberedIn(answer, 'items');
  const [meant, ...others] = found;
  if (meant === undefined)
    throw fault('INPUT_INVALID', 'about: nothing is remembered that could be meant', {
      hint: 'ask about it first',
      say: [{ phrase: 'nothing', values: {} }],
    });
  if (others.length > 0)
    throw fault('INPUT_INVALID', `about: any of ${found.length} could be meant`, {
      hint: 'ask about one of them first',
      say: [{ phrase: 'several', values: { count: found.length } }],
    });
  return { result: { memory: meant.id }, say: [...sayRemembered(meant)] };
};
