import type { Sentence } from '../../src/domain/tool/say.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { textOf } from '../_shared/json.ts';
import { describeMachine } from '../_shared/plant.ts';
import { machineName, pointName, type Reading, readingsOf } from '../_shared/readings.ts';

const MAX_POINTS = 40;

export const handle: Handle = async (args, context) => {
  const { id: machine, points } = await describeMachine(context, textOf(args['machine'], 'machine'));
  const wanted = points.filter(({ inStatus, isReadable }) => inStatus && isReadable).slice(0, MAX_POINTS);
  if (wanted.length === 0)
    throw fault('INPUT_INVALID', `machine: ${machine} has no point that belongs to its status`);
  const { raw, readings } = readingsOf(
    await context.use('points.read', { points: wanted.map(({ id: point }) => ({ machine, point })) }),
  );
  return { result: { machine, readings: raw }, say: [sayStatus(machine, readings)] };
};

function sayStatus(machine: string, readings: readonly Reading[]): Sentence {
  const name = machineName(machine);
  if (readings.every(({ quality }) => quality !== 'good'))
    return { phrase: 'unreadable', values: { machine: name } };
  return {
    phrase: 'status',
    values: {
      machine: name,
      list: {
        kind: 'list',
        items: readings.map(({ point, value }) => {
          const quantity = pointName(machine, point);
          if (value === undefined) return { phrase: 'item_without_value', values: { quantity } };
          return { phrase: 'item', values: { quantity, value: { kind: 'value', machine, point, value } } };
        }),
      },
    },
  };
}
