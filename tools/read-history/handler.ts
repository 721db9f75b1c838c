import type { SayValue, Sentence } from '../../src/domain/tool/say.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { historiesOf, type PointHistory, type TimedValue } from '../_shared/history.ts';
import { optionalText, textOf } from '../_shared/json.ts';
import { machineName, pointName } from '../_shared/readings.ts';

/** Below it the figures stand for too little of the period to be said without a word about that. */
const GOOD_COVERAGE = 0.9;
const MOST_SAID = 3;

export const handle: Handle = async (args, { use }) => {
  const period = textOf(args['period'], 'period');
  const point = optionalText(args['point']);
  const statistic = optionalText(args['statistic']);
  const { raw, histories } = historiesOf(
    await use('history.over', {
      machine: textOf(args['machine'], 'machine'),
      period,
      ...(point === undefined ? {} : { point }),
    }),
  );
  const said = histories.filter(({ samples }) => samples > 0).slice(0, MOST_SAID);
  const [first] = histories;
  const none: Sentence[] =
    first === undefined || said.length > 0
      ? []
      : [
          {
            phrase: 'nothing_recorded',
            values: {
              machine: machineName(first.machine),
              quantity:
                histories.length === 1
                  ? pointName(first.machine, first.point)
                  : { kind: 'text', en: 'anything', zh: '数值' },
            },
          },
        ];
  const more = histories.filter(({ samples }) => samples > 0).length - said.length;
  return {
    result: { machine: first?.machine ?? null, period, reports: raw },
    say: [
      ...none,
      ...said.flatMap((history) => sayHistory(history, statistic)),
      ...(more > 0 ? [{ phrase: 'more', values: { count: more } }] : []),
    ],
  };
};

function sayHistory(history: PointHistory, statistic: string | undefined): readonly Sentence[] {
  const { machine, point, coverage } = history;
  const sentence = figures(history, statistic);
  if (coverage >= GOOD_COVERAGE) return [sentence];
  const percent = Math.max(1, Math.round(coverage * 100));
  return [sentence, { phrase: 'coverage', values: { quantity: pointName(machine, point), percent } }];
}

function figures(history: PointHistory, statistic: string | undefined): Sentence {
  const { machine, point, min, max, mean, last, trueS, changes } = history;
  const names = { machine: machineName(machine), quantity: pointName(machine, point) };
  const value = (shown: TimedValue['value']): SayValue => ({ kind: 'value', machine, point, value: shown });
  const timed = ({ value: shown, at }: TimedValue): Record<string, SayValue> => ({
    value: value(shown),
    time: { kind: 'time', at },
  });
  if (statistic === 'max' && max !== undefined)
    return { phrase: 'maximum', values: { ...names, ...timed(max) } };
  if (statistic === 'min' && min !== undefined)
    return { phrase: 'minimum', values: { ...names, ...timed(min) } };
  if (statistic === 'mean' && mean !== undefined)
    return { phrase: 'average', values: { ...names, value: value(mean) } };
  if (min !== undefined && max !== undefined && mean !== undefined && last !== undefined)
    return {
      phrase: 'summary',
      values: {
        ...names,
        mean: value(mean),
        min: value(min.value),
        max: value(max.value),
        max_time: { kind: 'time', at: max.at },
        last: value(last.value),
      },
    };
  if (trueS !== undefined)
    return {
      phrase: 'switched',
      values: { ...names, value: value(true), duration: { kind: 'duration', seconds: trueS }, changes },
    };
  return last === undefined
    ? { phrase: 'nothing_recorded', values: names }
    : { phrase: 'last', values: { ...names, ...timed(last) } };
}
