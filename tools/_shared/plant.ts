import type { JsonObject } from '../../src/domain/json.ts';
import type { HandlerContext } from '../../src/tooling/handler-api.ts';
import { fault } from './fault.ts';
import { isObject, objectsOf, textOf } from './json.ts';

export interface DescribedPoint {
  readonly id: string;
  readonly inStatus: boolean;
  /** Some points can only be written. */
  readonly isReadable: boolean;
  readonly unit: string | undefined;
}

export interface DescribedMachine {
  readonly id: string;
  readonly points: readonly DescribedPoint[];
  readonly hasLog: boolean;
  readonly timeZone: string;
}

/** A machine by id or name, with its points. */
export async function describeMachine(
  { use }: Pick<HandlerContext, 'use'>,
  machine: string,
): Promise<DescribedMachine> {
  const answer = await use('plant.describe', { machine });
  const plant = isObject(answer) ? answer : {};
  const [found] = objectsOf(plant['machines'], 'machines');
  if (found === undefined) throw fault('INPUT_INVALID', `machine: there is no machine "${machine}"`);
  const logs = found['logs'];
  return {
    id: textOf(found['id'], 'the id of a machine'),
    points: objectsOf(found['points'], 'points').map(pointOf),
    hasLog: Array.isArray(logs) && logs.length > 0,
    timeZone: textOf(plant['time_zone'], 'the time zone'),
  };
}

function pointOf(point: JsonObject): DescribedPoint {
  const unit = point['unit'];
  return {
    id: textOf(point['id'], 'the id of a point'),
    inStatus: point['in_status'] === true,
    isReadable: point['access'] !== 'write',
    unit: isObject(unit) && typeof unit['en'] === 'string' ? unit['en'] : undefined,
  };
}
