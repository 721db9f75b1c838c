import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { isObject, numberOf, optionalText, textOf } from '../_shared/json.ts';

export const handle: Handle = async (args, { use }) => {
  const number = numberOf(args['number'], 'number');
  const answer = await use('work_orders.close', { number, note: optionalText(args['note']) ?? '' });
  const order = isObject(answer) ? answer : {};
  const state = textOf(order['state'], 'the state of a work order');
  if (state === 'refused')
    throw fault('INPUT_INVALID', `the work order system refuses it: ${optionalText(order['why']) ?? ''}`, {
      say: [{ phrase: 'refused', values: { number } }],
    });
  return {
    result: { number, state },
    say: [{ phrase: state === 'closed' ? 'closed' : 'waiting', values: { number } }],
  };
};
