import type { JsonObject } from '../../src/domain/json.ts';
import type { Say, SayValue } from '../../src/domain/tool/say.ts';
import type { Handle, HandlerFault } from '../../src/tooling/handler-api.ts';
import { codeOf, fault } from '../_shared/fault.ts';
import { isObject, isScalar, optionalText, textOf } from '../_shared/json.ts';
import { machineName, pointName } from '../_shared/readings.ts';

/** Refusals that whoever asked can do something about; the others are for a device to mend. */
const OF_THE_ORDER = [
  'writes_off',
  'unattributed',
  'unknown_point',
  'read_only',
  'wrong_type',
  'unknown_enum_value',
  'below_minimum',
  'above_maximum',
  'not_encodable',
  'interlock_unmet',
  'present_changed',
  'present_unknowable',
];

const SPOKEN_REFUSALS: Readonly<Record<string, string>> = {
  writes_off: 'writes_off',
  read_only: 'read_only',
  below_minimum: 'outside_limits',
  above_maximum: 'outside_limits',
  interlock_unmet: 'interlock_unmet',
  interlock_unknown: 'interlock_unknown',
  present_changed: 'present_changed',
};

export const handle: Handle = async (args, { use }) => {
  const value = args['value'];
  if (!isScalar(value)) throw fault('INPUT_INVALID', 'value: a number, a text, true or false');
  const answer = await use('points.write', {
    machine: textOf(args['machine'], 'machine'),
    point: textOf(args['point'], 'point'),
    value,
  }).catch((error: unknown) => {
    // Nothing went out without a confirmation.
    if (codeOf(error) === 'NOT_CONFIRMED')
      throw fault('INPUT_INVALID', `not confirmed: ${error instanceof Error ? error.message : ''}`);
    throw error;
  });
  const outcome = isObject(answer) ? answer : {};
  const status = textOf(outcome['status'], 'the status of a write');
  const names = namesOf(outcome);
  if (status === 'refused') throw refusal(outcome, names);
  const said = (phrase: string): Say => [{ phrase, values: { ...names, ...foundValue(outcome) } }];
  if (status === 'mismatch')
    throw fault('OUTCOME_UNKNOWN', `it was sent, and the point shows something else: ${detailOf(outcome)}`, {
      say: said(outcome['found'] === null ? 'mismatch_unseen' : 'mismatch'),
    });
  if (status === 'unknown')
    throw fault('OUTCOME_UNKNOWN', `it was sent and cannot be seen: ${detailOf(outcome)}`, {
      hint: 'look at the machine; it is not sent again',
      say: [{ phrase: 'unknown', values: names }],
    });
  const written = isScalar(outcome['written']) ? outcome['written'] : value;
  const before = outcome['before'];
  return {
    result: {
      machine: textOf(outcome['machine'], 'machine'),
      point: textOf(outcome['point'], 'point'),
      status,
      written,
      write_id: textOf(outcome['id'], 'the id of the write'),
      // Without a value before there is nothing to go back to.
      ...(isScalar(before) && status === 'verified' ? { value: before } : {}),
    },
    say: [
      {
        phrase: status === 'simulated' ? 'simulated' : 'written',
        values: {
          ...names,
          value: {
            kind: 'value',
            machine: textOf(outcome['machine'], 'machine'),
            point: textOf(outcome['point'], 'point'),
            value: written,
          },
        },
      },
    ],
  };
};

function namesOf(outcome: JsonObject): Record<string, SayValue> {
  const machine = textOf(outcome['machine'], 'machine');
  return { machine: machineName(machine), quantity: pointName(machine, textOf(outcome['point'], 'point')) };
}

function foundValue(outcome: JsonObject): Record<string, SayValue> {
  const { found } = outcome;
  if (!isScalar(found)) return {};
  return {
    value: {
      kind: 'value',
      machine: textOf(outcome['machine'], 'machine'),
      point: textOf(outcome['point'], 'point'),
      value: found,
    },
  };
}

function refusal(outcome: JsonObject, names: Record<string, SayValue>): Error {
  const reason = textOf(outcome['reason'], 'the reason of a refusal');
  const code: HandlerFault['code'] = OF_THE_ORDER.includes(reason) ? 'INPUT_INVALID' : 'TOOL_UNAVAILABLE';
  return fault(code, `nothing was written (${reason}): ${detailOf(outcome)}`, {
    say: [{ phrase: SPOKEN_REFUSALS[reason] ?? 'not_written', values: names }],
  });
}

function detailOf(outcome: JsonObject): string {
  return optionalText(outcome['detail']) ?? '';
}
