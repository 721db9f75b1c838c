import type { Sentence } from '../../src/domain/tool/say.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { optionalText } from '../_shared/json.ts';
import { rememberedIn, sayRemembered } from '../_shared/remembered.ts';

const LOOKED_AT = 20;

export const handle: Handle = async (args, { use }) => {
  const machine = optionalText(args['machine']);
  const question = optionalText(args['question']);
  if (machine === undefined && question === undefined)
    throw fault('INPUT_INVALID', 'question: nothing was asked', { hint: 'give question or machine' });
  const answer =
    question === undefined
      ? await use('memory.happened', { machine: machine ?? '', incidents: true })
      : await use('memory.recall', { question, limit: LOOKED_AT, order: 'newest' });
  const found = rememberedIn(answer, 'items');
  const [last] = found;
  const before = Math.max(0, found.length - 1);
  return {
    result: { items: found.map(({ raw }) => raw), before },
    say: last === undefined ? [{ phrase: 'nothing', values: {} }] : [...sayRemembered(last), often(before)],
  };
};

function often(before: number): Sentence {
  if (before === 0) return { phrase: 'first', values: {} };
  return before === 1
    ? { phrase: 'before_once', values: {} }
    : { phrase: 'before', values: { count: before } };
}
