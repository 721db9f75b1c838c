import { describe, expect, it } from 'vitest';
import { contractFaults, relationFaults } from '../../../../src/domain/tool/check-contract.ts';
import { contractOf, described, withParameters } from '../../../support/tool-contract.ts';

const lines = (faults: ReturnType<typeof contractFaults>): string[] =>
  faults.map(({ path, message }) => `${path.join('.')}: ${message}`);

const security = (changes: object) => ({
  security: { access_level: 'INTERNAL', risk: 'none', data_scope: [], ...changes },
});

describe('one contract', () => {
  it('without contradictions has no faults', () => {
    expect(contractFaults(contractOf('read-value'))).toEqual([]);
  });

  it('requires only what it declares, and the nearest is named', () => {
    const contract = withParameters(
      { machine: { type: 'string' } },
      { required: ['machin'], nullable: ['other'] },
    );
    expect(lines(contractFaults(contract))).toEqual([
      'schema.parameters.required.0: "machin" is no declared property. Did you mean "machine"?',
      'schema.parameters.nullable.0: "other" is no declared property.',
    ]);
  });

  it.each([
    [{ type: 'string', enum: ['a', 5] }, 'enum.1: a text, not 5'],
    [{ type: 'integer', enum: [1, 2.5] }, 'enum.1: a whole number, not 2.5'],
    [{ type: 'number', minimum: 0, maximum: 10, default: 11 }, 'default: a number from 0 to 10, not 11'],
    [{ type: 'string', enum: ['a', 'b'], default: 'c' }, 'default: one of a, b, not "c"'],
    [{ type: 'number', minimum: 5, maximum: 1 }, 'minimum: 5 is above the maximum 1'],
    [{ type: 'string', unit: 's' }, 'unit: goes with number and integer only, not with string'],
    [{ type: 'number', unit: 'degc' }, 'unit: "degc" is no unit known here. Did you mean "degC"?'],
    [{ type: 'number', items: { type: 'string' } }, 'items: goes with array only, not with number'],
  ])('%j does not fit together', (property, message) => {
    expect(lines(contractFaults(withParameters({ tested: property })))).toEqual([
      `schema.parameters.properties.tested.${message}`,
    ]);
  });

  it('keeps back only arguments that it has', () => {
    const contract = contractOf('send', { observability: { redact: ['body'] } });
    expect(lines(contractFaults(contract))).toEqual(['observability.redact.0: "body" is no parameter.']);
  });

  it.each(['user_id', 'role', 'consent'])(
    'never takes %s as an argument: who asks is the session’s to say',
    (name) => {
      expect(lines(contractFaults(withParameters({ [name]: { type: 'string' } })))).toEqual([
        `schema.parameters.properties.${name}: who asks is never an argument: a handler gets it from the capability caller.describe`,
      ]);
    },
  );

  it('repeats only what may be repeated', () => {
    const sla = { max_execution_time_ms: 100, retry_policy: { attempts: 1 }, idempotent: false };
    expect(lines(contractFaults(contractOf('mail', { sla })))).toEqual([
      'sla.retry_policy.attempts: only an idempotent tool is repeated: 0',
    ]);
    const write = contractOf('write', {
      sla: { ...sla, idempotent: true },
      ...security({ risk: 'physical' }),
    });
    expect(lines(contractFaults(write))).toEqual([
      'sla.retry_policy.attempts: a tool of risk physical is never repeated: 0',
    ]);
  });

  it('fits with its kill into a step of ten seconds, unless it is detached', () => {
    const sla = { max_execution_time_ms: 9000, retry_policy: { attempts: 0 }, idempotent: true };
    expect(lines(contractFaults(contractOf('slow', { sla })))).toEqual([
      'sla.max_execution_time_ms: 9000 and the 1000 until the kill do not fit into a step of 10000: at most 8999, or detached: true',
    ]);
    expect(contractFaults(contractOf('slow', { sla: { ...sla, detached: true } }))).toEqual([]);
    expect(contractFaults(contractOf('slow', { sla: { ...sla, max_execution_time_ms: 8999 } }))).toEqual([]);
  });

  it('does not act on a machine behind the back of whoever asked', () => {
    const sla = {
      max_execution_time_ms: 100,
      retry_policy: { attempts: 0 },
      idempotent: false,
      detached: true,
    };
    expect(lines(contractFaults(contractOf('write', { sla, ...security({ risk: 'dangerous' }) })))).toEqual([
      'sla.detached: a tool of risk dangerous is waited for: false',
    ]);
  });

  it('that writes points is a physical one, and not for everybody', () => {
    const write = contractOf('write', {
      capabilities: ['points.write'],
      ...security({ access_level: 'PUBLIC', risk: 'reversible', data_scope: ['plant'] }),
    });
    expect(lines(contractFaults(write))).toEqual([
      'security.risk: a tool that writes points is physical or dangerous, not reversible',
      'security.access_level: a tool that writes points is INTERNAL or CRITICAL',
    ]);
  });

  it('declares the data that its capabilities reach', () => {
    const contract = contractOf('spy', { capabilities: ['people.find', 'points.read'] });
    expect(lines(contractFaults(contract))).toEqual([
      'security.data_scope: people.find reaches "people": add it',
      'security.data_scope: points.read reaches "plant": add it',
    ]);
  });

  it('says the same values in both languages', () => {
    const contract = contractOf('talk', {
      phrases: { told: { en: '{machine} is at {value}', zh: '{machine}正常' } },
    });
    expect(lines(contractFaults(contract))).toEqual([
      'phrases.told.zh: does not say {value}, which the other language does',
    ]);
  });
});

describe('what is asked before a tool acts', () => {
  it('has to be there where the risk is not none; a write is read back by the daemon', () => {
    const mail = contractOf('mail', { question: undefined, ...security({ risk: 'reversible' }) });
    expect(lines(contractFaults(mail))).toEqual([
      'question: is missing: what is asked before a tool of risk reversible acts',
    ]);
    const write = contractOf('write', {
      question: undefined,
      capabilities: ['points.write'],
      ...security({ risk: 'physical', data_scope: ['plant'] }),
    });
    expect(contractFaults(write)).toEqual([]);
  });

  it('names only arguments that there are', () => {
    const mail = contractOf('mail', { question: { en: 'Send it to {to}?', zh: '发送？' } });
    expect(lines(contractFaults(mail))).toEqual(['question.en: {to} is no parameter.']);
  });
});

describe('a contract among others', () => {
  const others = (...contracts: ReturnType<typeof contractOf>[]) =>
    new Map(contracts.map((contract) => [contract.name, contract]));

  it('never falls back to a tool of higher access', () => {
    const main = contractOf('read-live', { fallback_tool: 'read-cache' });
    const cache = contractOf('read-cache', security({ access_level: 'CRITICAL' }));
    expect(lines(relationFaults(main, others(main, cache)))).toEqual([
      'fallback_tool: "read-cache" is CRITICAL, above PUBLIC of this tool',
    ]);
    const fitting = contractOf('read-live', {
      fallback_tool: 'read-cache',
      ...security({ access_level: 'CRITICAL' }),
    });
    expect(relationFaults(fitting, others(fitting, cache))).toEqual([]);
  });

  it('never falls back to a tool that nobody was asked about, nor from one that acts on a machine', () => {
    const main = contractOf('tell', { fallback_tool: 'mail', ...security({ risk: 'reversible' }) });
    const mail = contractOf('mail', security({ risk: 'reversible' }));
    expect(lines(relationFaults(main, others(main, mail)))).toEqual([
      'fallback_tool: "mail" is of risk reversible: nobody was asked about it, so only risk none stands in (this tool: reversible)',
    ]);
    const write = contractOf('write', { fallback_tool: 'tell', ...security({ risk: 'physical' }) });
    expect(lines(contractFaults(write))).toEqual([
      'fallback_tool: nothing stands in for a tool of risk physical',
    ]);
  });

  it('falls back to a tool that exists and can be asked with the same arguments', () => {
    const main = contractOf('read-live', { fallback_tool: 'read-cach' });
    const cache = contractOf('read-cache', {
      schema: {
        parameters: { properties: described({ machine: { type: 'string' } }), required: ['machine'] },
        response: { properties: {} },
      },
    });
    expect(lines(relationFaults(main, others(main, cache)))).toEqual([
      'fallback_tool: there is no tool "read-cach". Did you mean "read-cache"?',
    ]);
    const named = contractOf('read-live', { fallback_tool: 'read-cache' });
    expect(lines(relationFaults(named, others(named, cache)))).toEqual([
      'fallback_tool: "read-cache" requires machine, which this tool does not take',
    ]);
  });

  it('is undone by a tool that can work from its result', () => {
    const save = contractOf('export', { compensation: 'remove' });
    const remove = contractOf('remove', {
      schema: {
        parameters: { properties: described({ file: { type: 'string' } }), required: ['file'] },
        response: { properties: {} },
      },
    });
    expect(lines(relationFaults(save, others(save, remove)))).toEqual([
      'compensation: "remove" requires file, which the response of this tool does not have',
    ]);
  });
});
