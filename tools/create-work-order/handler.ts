import type { JsonObject } from '../../src/domain/json.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { isObject, numberOf, optionalText, textOf } from '../_shared/json.ts';
import { machineName } from '../_shared/readings.ts';

const MAX_TITLE_CHARACTERS = 500;

export const handle: Handle = async (args, { use }) => {
  const machine = textOf(args['machine'], 'machine');
  const text = optionalText(args['text']);
  const diagnosis = args['diagnosis'];
  const found = isObject(diagnosis) && diagnosis['machine'] === machine ? findingsText(diagnosis) : undefined;
  const title = [text ?? `Check ${machine}`, found].filter((part) => part !== undefined).join(': ');
  const answer = await use('work_orders.create', {
    machine,
    title: title.slice(0, MAX_TITLE_CHARACTERS),
    priority: optionalText(args['priority']) ?? 'normal',
  });
  const order = isObject(answer) ? answer : {};
  const number = numberOf(order['number'], 'the number of a work order');
  const state = textOf(order['state'], 'the state of a work order');
  if (state === 'refused' || state === 'expired')
    throw fault('INPUT_INVALID', `the work order system refuses it: ${optionalText(order['why']) ?? state}`, {
      say: [{ phrase: 'refused', values: {} }],
    });
  return {
    result: { number, machine, state, remote: optionalText(order['remote']) ?? null },
    say: [
      {
        phrase: state === 'waiting' ? 'waiting' : 'created',
        values: { number, machine: machineName(machine) },
      },
    ],
  };
};

function findingsText({ findings }: JsonObject): string | undefined {
  if (!Array.isArray(findings)) return undefined;
  const texts = findings.filter(isObject).flatMap((finding) => optionalText(finding['en']) ?? []);
  return texts.length === 0 ? undefined : texts.join('; ');
}
