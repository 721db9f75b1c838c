import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../../../src/domain/tool/check-arguments.ts';
import { withParameters } from '../../../support/tool-contract.ts';

const contract = withParameters(
  {
    machine: { type: 'string', format: 'machine' },
    kind: { type: 'string', enum: ['max', 'min', 'mean'], default: 'max' },
    limit: { type: 'number', unit: 'degC', minimum: 0, maximum: 120 },
    seconds: { type: 'integer', unit: 's' },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    loud: { type: 'boolean' },
    machines: { type: 'array', items: { type: 'string' }, max_items: 2 },
    note: { type: 'string', max_length: 20 },
    to: { type: 'string', format: 'email' },
    since: { type: 'string', format: 'date-time' },
    rest: { type: 'object' },
  },
  { required: ['machine'], nullable: ['note'] },
);

function errorOf(args: unknown) {
  const checked = checkArguments(contract, args);
  if (checked.ok) throw new Error('was taken');
  return checked.error;
}

describe('arguments of a tool call', () => {
  it('come out complete, with the defaults of the contract', () => {
    expect(checkArguments(contract, { machine: 'kiln' })).toEqual({
      ok: true,
      args: { machine: 'kiln', kind: 'max' },
    });
  });

  it('miss nothing that is required: the list stands in `parameters` and is held', () => {
    expect(errorOf({})).toEqual({
      tool: 'tested-tool',
      code: 'INPUT_INVALID',
      field: 'machine',
      message: 'machine is missing: the machine',
    });
  });

  it.each([
    [{ machine: 5 }, 'machine', 'machine: a text, not 5', 'put it in quotes: "5"'],
    [{ kind: 'maxx' }, 'kind', 'kind: one of max, min, mean, not "maxx"', 'Did you mean "max"?'],
    [{ limit: '70' }, 'limit', 'limit: a number of degC, not "70"', 'leave the quotes out: 70'],
    [{ limit: 121 }, 'limit', 'limit: a number of degC from 0 to 120, not 121', undefined],
    [{ limit: Number.NaN }, undefined, 'arguments: a number that is not finite', undefined],
    [{ count: 1.5 }, 'count', 'count: a whole number, not 1.5', undefined],
    [{ count: 11 }, 'count', 'count: a whole number from 1 to 10, not 11', undefined],
    [{ loud: 'true' }, 'loud', 'loud: true or false, not "true"', 'leave the quotes out: true'],
    [{ machines: ['a', 5] }, 'machines', 'machines: item 2: a text, not 5', 'put it in quotes: "5"'],
    [{ machines: ['a', 'b', 'c'] }, 'machines', 'machines: at most 2 items, not 3', undefined],
    [{ note: 'x'.repeat(21) }, 'note', 'note: at most 20 characters, not 21', undefined],
    [{ note: 'a\u0000b' }, 'note', 'note: a text without control characters', undefined],
    [{ loud: null }, 'loud', 'loud must not be null', undefined],
    [{ to: 'zhang' }, 'to', 'to: an e-mail address such as zhang@example.com', undefined],
    [{ to: 'a@b\r\nBcc: c@d' }, 'to', 'to: an e-mail address such as zhang@example.com', undefined],
    [{ since: 'yesterday' }, 'since', 'since: a date or a time such as 2026-03-01T12:00:00Z', undefined],
    [{ rest: [] }, 'rest', 'rest: an object, not a list', undefined],
  ])('that are wrong are refused so that a planner can do better: %j', (args, field, message, hint) => {
    expect(errorOf({ machine: 'kiln', ...args })).toEqual({
      tool: 'tested-tool',
      code: 'INPUT_INVALID',
      message,
      ...(field === undefined ? {} : { field }),
      ...(hint === undefined ? {} : { hint }),
    });
  });

  it('that the contract does not know are refused with the nearest that it does', () => {
    expect(errorOf({ machin: 'kiln' })).toMatchObject({ field: 'machin', hint: 'did you mean "machine"?' });
  });

  it('take null only where the contract says so', () => {
    expect(checkArguments(contract, { machine: 'kiln', note: null })).toMatchObject({
      ok: true,
      args: { note: null },
    });
  });

  it('count characters and not code units', () => {
    expect(checkArguments(contract, { machine: 'kiln', note: '🏭'.repeat(20) }).ok).toBe(true);
    expect(checkArguments(contract, { machine: 'kiln', note: '🏭'.repeat(21) }).ok).toBe(false);
  });

  it('that are no object, too many or too large are refused', () => {
    expect(errorOf('kiln').message).toBe('arguments are an object, not "kiln"');
    expect(errorOf(null).code).toBe('INPUT_INVALID');
    expect(errorOf([]).code).toBe('INPUT_INVALID');
    expect(errorOf({ machine: 'x'.repeat(70_000) }).message).toBe('arguments are larger than 65536 bytes');
  });
});

describe('numbers with a unit', () => {
  it('are converted into the unit of the contract', () => {
    expect(checkArguments(contract, { machine: 'kiln', limit: { value: 212, unit: 'degF' } })).toMatchObject({
      args: { limit: 100 },
    });
    expect(checkArguments(contract, { machine: 'kiln', seconds: { value: 1.5, unit: 'min' } })).toMatchObject(
      {
        args: { seconds: 90 },
      },
    );
  });

  it('are held to the limits after the conversion', () => {
    expect(errorOf({ machine: 'kiln', limit: { value: 300, unit: 'degF' } }).message).toMatch(
      /^limit: a number of degC from 0 to 120, not 148\.8/u,
    );
    expect(errorOf({ machine: 'kiln', seconds: { value: 1, unit: 'ms' } }).message).toBe(
      'seconds: a whole number of s, not 0.001',
    );
  });

  it('in an unknown unit, or in one of something else, name the units that fit', () => {
    expect(errorOf({ machine: 'kiln', limit: { value: 5, unit: 'celcius' } })).toMatchObject({
      field: 'limit',
      message: 'limit: "celcius" is no unit known here',
      hint: 'it is in degC; known are K, degC, degF',
    });
    expect(errorOf({ machine: 'kiln', limit: { value: 5, unit: 'bar' } }).message).toBe(
      'limit: "bar" measures something else',
    );
  });

  it('are refused where the contract has no unit', () => {
    expect(errorOf({ machine: 'kiln', count: { value: 5, unit: '%' } })).toMatchObject({
      hint: 'give the number alone',
    });
  });
});

describe('names of things', () => {
  const machines = ['press-1', 'press-2', 'kiln'];

  it('that exist nowhere are refused with the nearest that does', () => {
    const checked = checkArguments(contract, { machine: 'klin' }, (format) =>
      format === 'machine' ? machines : undefined,
    );
    expect(checked).toMatchObject({
      ok: false,
      error: {
        field: 'machine',
        message: 'machine: there is no machine "klin"',
        hint: 'did you mean "kiln"?',
      },
    });
  });

  it('that exist are taken, and so are those that nobody can look up', () => {
    expect(checkArguments(contract, { machine: 'kiln' }, () => machines).ok).toBe(true);
    expect(checkArguments(contract, { machine: 'anything' }).ok).toBe(true);
  });
});

describe('hostile arguments', () => {
  it.each(['{"__proto__": {"admin": true}}', '{"machine": "kiln", "rest": {"a": {"__proto__": {"x": 1}}}}'])(
    'never reach what all objects have in common: %s',
    (text) => {
      expect(errorOf(JSON.parse(text)).message).toMatch(/"__proto__" is not allowed/u);
      expect(Reflect.get({}, 'admin')).toBeUndefined();
    },
  );

  it('with the names of constructors are refused at any depth', () => {
    expect(errorOf({ machine: 'kiln', rest: { constructor: {} } }).message).toMatch(/"constructor"/u);
    expect(errorOf({ machine: 'kiln', rest: { a: [{ prototype: 1 }] } }).message).toMatch(/"prototype"/u);
  });

  it('nested without end are refused', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 10_000; depth += 1) nested = { a: nested };
    expect(errorOf({ machine: 'kiln', rest: nested }).message).toMatch(/nested deeper than 8 levels/u);
  });

  it('of any shape lead to an answer and never to an exception', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), (args) => {
        const checked = checkArguments(contract, args);
        if (!checked.ok) expect(checked.error.code).toBe('INPUT_INVALID');
      }),
    );
  });
});
