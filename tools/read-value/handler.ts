import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { textOf, textsOf } from '../_shared/json.ts';
import { readingsOf, sayReading } from '../_shared/readings.ts';

export const handle: Handle = async (args, { use }) => {
  const machine = textOf(args['machine'], 'machine');
  const points = textsOf(args['points']);
  if (points.length === 0) throw fault('INPUT_INVALID', 'points: name at least one point');
  const { raw, readings } = readingsOf(
    await use('points.read', { points: points.map((point) => ({ machine, point })) }),
  );
  return {
    result: { machine: readings[0]?.machine ?? machine, readings: raw },
    say: readings.map(sayReading),
  };
};
