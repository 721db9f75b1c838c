import { describe, expect, it } from 'vitest';
import { checkResult } from '../../../../src/domain/tool/check-result.ts';
import { contractOf, described } from '../../../support/tool-contract.ts';

const contract = contractOf('measure', {
  schema: {
    parameters: { properties: {} },
    response: {
      properties: described({
        value: { type: 'number', unit: 'degC', maximum: 500 },
        note: { type: 'string' },
      }),
      required: ['value'],
      nullable: ['note'],
    },
  },
  sandbox: { max_output_bytes: 200 },
});

describe('what a handler answers', () => {
  it('is taken when it fits the response', () => {
    expect(checkResult(contract, { value: 5, note: null })).toEqual({
      ok: true,
      result: { value: 5, note: null },
    });
  });

  it.each([
    [{ value: '5' }, 'result.value: a number of degC, not "5"'],
    [{ value: 501 }, 'result.value: a number of degC at most 500, not 501'],
    [{ note: 'x' }, 'result.value is missing'],
    [{ value: 5, secret: 1 }, 'result.secret is not declared in schema.response'],
    [{ value: null }, 'result.value: a number of degC, not null'],
    [[1], 'the result is an object, not a list'],
    ['5', 'the result is an object, not "5"'],
    [{ value: 5, note: 'x'.repeat(300) }, 'the result is larger than 200 bytes (sandbox.max_output_bytes)'],
  ])('is refused otherwise: %j', (result, message) => {
    expect(checkResult(contract, result)).toEqual({ ok: false, message });
  });

  it('carries no keys that could change what all objects have in common', () => {
    expect(checkResult(contract, JSON.parse('{"value": 1, "__proto__": {"x": 1}}'))).toMatchObject({
      ok: false,
    });
  });
});
