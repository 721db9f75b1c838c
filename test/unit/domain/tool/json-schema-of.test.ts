import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkArguments } from '../../../../src/domain/tool/check-arguments.ts';
import { declarationOf } from '../../../../src/domain/tool/json-schema-of.ts';
import { contractOf, described } from '../../../support/tool-contract.ts';

const contract = contractOf('read-value', {
  use_when: { en: 'to read a value now', zh: '现在读取一个值' },
  preconditions: ['the PLC answers'],
  schema: {
    parameters: {
      properties: described({
        machine: { type: 'string', max_length: 8 },
        kind: { type: 'string', enum: ['max', 'min'], default: 'max' },
        limit: { type: 'number', unit: 'degC', minimum: 0, maximum: 120 },
        count: { type: 'integer', minimum: 1 },
        points: { type: 'array', items: { type: 'string' }, max_items: 2 },
        loud: { type: 'boolean' },
      }),
      required: ['machine'],
      nullable: ['loud'],
    },
    response: { properties: described({ value: { type: 'number', unit: 'degC' } }), required: ['value'] },
  },
});

describe('the declaration of a tool', () => {
  it('says when to use it, on what conditions, with what and what comes back', () => {
    const { name, description, inputSchema, outputSchema } = declarationOf(contract, 'en');
    expect({ name, description }).toEqual({
      name: 'read-value',
      description: 'to read a value now Preconditions: the PLC answers.',
    });
    expect(inputSchema).toMatchObject({
      type: 'object',
      required: ['machine'],
      additionalProperties: false,
      properties: {
        machine: { type: 'string', maxLength: 8, description: 'the machine' },
        kind: { enum: ['max', 'min'], default: 'max' },
        limit: {
          description: 'the limit (degC)',
          anyOf: [
            { type: 'number', minimum: 0, maximum: 120 },
            { type: 'object', required: ['value', 'unit'] },
          ],
        },
        loud: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      },
    });
    expect(outputSchema).toMatchObject({ properties: { value: { type: 'number' } }, required: ['value'] });
  });

  it('speaks the language that is asked for', () => {
    expect(declarationOf(contract, 'zh').description).toMatch(/^现在读取一个值/u);
  });

  it('takes exactly what the runner takes, for an independent reader of JSON Schema', () => {
    const schema = z.fromJSONSchema(
      z.record(z.string(), z.any()).parse(declarationOf(contract, 'en').inputSchema),
    );
    const value = fc.oneof(
      fc.constantFrom('kiln', 'max', 'too long a name', '', 0, 1, 60, 121, 1.5, -1, true, null),
      fc.constantFrom(
        ['a'],
        ['a', 'b', 'c'],
        [1],
        {},
        { value: 5, unit: 's' },
        { value: 5, unit: 'K', more: 1 },
      ),
    );
    const args = fc.record(
      { machine: value, kind: value, limit: value, count: value, points: value, loud: value, other: value },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          args,
          args.map((given) => ({ ...given, machine: 'kiln' })),
        ),
        (given) => {
          expect(schema.safeParse(given).success).toBe(checkArguments(contract, given).ok);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
