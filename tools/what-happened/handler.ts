import type { Handle } from '../../src/tooling/handler-api.ts';
import { isObject, optionalText } from '../_shared/json.ts';
import { machineName } from '../_shared/readings.ts';
import { rememberedIn, sayRemembered } from '../_shared/remembered.ts';

const MOST_SAID = 3;

export const handle: Handle = async (args, { use }) => {
  const machine = optionalText(args['machine']);
  const period = optionalText(args['period']);
  const answer = await use('memory.happened', {
    ...(machine === undefined ? {} : { machine }),
    ...(period === undefined ? {} : { period }),
  });
  const found = rememberedIn(answer, 'items');
  const rest = Math.max(0, found.length - MOST_SAID);
  const isMore = isObject(answer) && answer['more'] === true;
  const result = { items: found.map(({ raw }) => raw), more: rest };
  if (found.length === 0)
    return {
      result,
      say: [
        machine === undefined || period !== undefined
          ? { phrase: 'nothing', values: {} }
          : { phrase: 'nothing_of_machine', values: { machine: machineName(machine) } },
      ],
    };
  return {
    result,
    say: [
      ...found.slice(0, MOST_SAID).flatMap(sayRemembered),
      ...(rest === 0 ? [] : [{ phrase: isMore ? 'rest_at_least' : 'rest', values: { count: rest } }]),
    ],
  };
};
