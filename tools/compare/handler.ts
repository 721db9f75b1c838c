import type { JsonObject } from '../../src/domain/json.ts';
import type { SayValue, Sentence } from '../../src/domain/tool/say.ts';
import type { Handle, HandlerContext } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { historiesOf } from '../_shared/history.ts';
import { isObject, optionalText, textsOf } from '../_shared/json.ts';
import { machineName, pointName, readingsOf } from '../_shared/readings.ts';

const MOST_COMPARED = 6;

/** One side of a comparison; without a value it is named and left out. */
interface Side {
  readonly machine: string;
  readonly point: string;
  readonly value: number | undefined;
  readonly unit: string | undefined;
}

interface Valued extends Side {
  readonly value: number;
}

export const handle: Handle = async (args, context) => {
  const machines = textsOf(args['machines']);
  const single = optionalText(args['point']);
  const points = single === undefined ? textsOf(args['points']) : [single, ...textsOf(args['points'])];
  const refs = machines.flatMap((machine) => points.map((point) => ({ machine, point })));
  if (refs.length < 2)
    throw fault('INPUT_INVALID', 'machines: a comparison needs two machines, or two points of one');
  if (refs.length > MOST_COMPARED)
    throw fault('INPUT_INVALID', `machines: at most ${MOST_COMPARED} values are compared at a time`);
  const period = optionalText(args['period']);
  const { sides, raw } =
    period === undefined ? await present(refs, context) : await past(refs, period, context);
  const valued = sides
    .flatMap((side): Valued[] => (side.value === undefined ? [] : [{ ...side, value: side.value }]))
    .toSorted((one, other) => other.value - one.value);
  const difference = differenceOf(valued);
  return {
    result: {
      period: period ?? null,
      sides: raw,
      highest: difference === undefined ? null : (valued[0]?.machine ?? null),
      difference: difference ?? null,
    },
    say: sayComparison(sides, valued, difference, period !== undefined),
  };
};

interface Found {
  readonly sides: readonly Side[];
  readonly raw: readonly JsonObject[];
}

type Refs = readonly { readonly machine: string; readonly point: string }[];

async function present(refs: Refs, { use }: Pick<HandlerContext, 'use'>): Promise<Found> {
  const { readings, raw } = readingsOf(await use('points.read', { points: refs }));
  return {
    raw,
    sides: readings.map(({ machine, point, value }, index) => {
      const unit = raw[index]?.['unit'];
      return {
        machine,
        point,
        value: typeof value === 'number' ? value : undefined,
        unit: typeof unit === 'string' ? unit : undefined,
      };
    }),
  };
}

async function past(refs: Refs, period: string, { use }: Pick<HandlerContext, 'use'>): Promise<Found> {
  const found = [];
  for (const { machine, point } of refs) {
    const { histories, raw } = historiesOf(await use('history.over', { machine, point, period }));
    const [history] = histories;
    const [report] = raw;
    if (history !== undefined && isObject(report)) found.push({ history, report });
  }
  return {
    raw: found.map(({ report }) => report),
    sides: found.map(({ history: { machine, point, mean, unit } }) => ({
      machine,
      point,
      value: mean,
      unit,
    })),
  };
}

/** Of the highest and the next; of what is measured in different units there is none. */
function differenceOf([first, second, ...others]: readonly Valued[]): number | undefined {
  if (first === undefined || second === undefined) return undefined;
  if ([second, ...others].some(({ unit }) => unit !== first.unit)) return undefined;
  return Number((first.value - second.value).toPrecision(12));
}

function sayComparison(
  sides: readonly Side[],
  valued: readonly Valued[],
  difference: number | undefined,
  isPast: boolean,
): Sentence[] {
  const said: Sentence[] =
    valued.length === 0
      ? []
      : [
          {
            phrase: isPast ? 'averages' : 'values',
            values: {
              list: {
                kind: 'list',
                items: valued.map(({ machine, point, value }) => ({
                  phrase: 'item',
                  values: {
                    machine: { kind: 'machine', id: machine },
                    quantity: pointName(machine, point),
                    value: { kind: 'value', machine, point, value },
                  },
                })),
              },
            },
          },
        ];
  const [first] = valued;
  if (first !== undefined && difference !== undefined) said.push(sayDifference(first, difference));
  for (const { machine, point, value } of sides)
    if (value === undefined)
      said.push({
        phrase: 'without_value',
        values: { machine: machineName(machine), quantity: pointName(machine, point) },
      });
  return said;
}

function sayDifference({ machine, point }: Valued, difference: number): Sentence {
  const names: Record<string, SayValue> = {
    machine: machineName(machine),
    quantity: pointName(machine, point),
  };
  return difference === 0
    ? { phrase: 'same', values: {} }
    : {
        phrase: 'higher',
        values: { ...names, difference: { kind: 'value', machine, point, value: difference } },
      };
}
