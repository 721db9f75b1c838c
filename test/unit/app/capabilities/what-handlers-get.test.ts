import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { callerDescribe } from '../../../../src/app/capabilities/caller-describe.ts';
import { historyOver } from '../../../../src/app/capabilities/history-over.ts';
import { nodeStatus } from '../../../../src/app/capabilities/node-status.ts';
import { peopleFind } from '../../../../src/app/capabilities/people-find.ts';
import { plantDescribe } from '../../../../src/app/capabilities/plant-describe.ts';
import { plcLogRecords } from '../../../../src/app/capabilities/plclog-records.ts';
import { pointsRead } from '../../../../src/app/capabilities/points-read.ts';
import { proceduresFind } from '../../../../src/app/capabilities/procedures-find.ts';
import type { LogQuery, PlcLogEntry } from '../../../../src/app/ports/plc-log-store.ts';
import type { ProcedureShelf } from '../../../../src/app/ports/procedure-repository.ts';
import { shipped } from '../../../../src/config/shipped.ts';
import type { JsonObject, JsonValue } from '../../../../src/domain/json.ts';
import type { DiagnosisReport } from '../../../../src/domain/memory/diagnosis-report.ts';
import { PastCases } from '../../../../src/domain/memory/past-cases.ts';
import { PeopleDirectory } from '../../../../src/domain/people/directory.ts';
import { parsePeople } from '../../../../src/domain/people/people-file.ts';
import { createPhrasebook, phraseFileSchema } from '../../../../src/domain/phrases/phrasebook.ts';
import { ProcedureLibrary } from '../../../../src/domain/procedures/procedure-library.ts';
import { systemClocks } from '../../../../src/runtime/clocks.ts';
import { EdgeError } from '../../../../src/runtime/edge-error.ts';
import type { Capability } from '../../../../src/tooling/capability.ts';
import { createCapabilityHost } from '../../../../src/tooling/capability-host.ts';
import { demoPlant } from '../../../support/plant-file.ts';
import { callOf } from '../../../support/tool-pack.ts';

const plant = demoPlant();
const phraseFile = (language: string) =>
  phraseFileSchema.parse(parse(readFileSync(shipped(`config/phrases/${language}.yaml`), 'utf8')));
const phrases = createPhrasebook({ en: phraseFile('en'), zh: phraseFile('zh') });
const people = new PeopleDirectory(
  parsePeople(readFileSync(shipped('config/people.csv'), 'utf8'), 'people.csv'),
);

/** As the sandbox uses it: arguments are checked first. */
const use = <A>(capability: Capability<A>, args: JsonObject): Promise<JsonValue> =>
  createCapabilityHost([capability])(capability.name, args, {
    call: callOf('any'),
    signal: new AbortController().signal,
  });

describe('what a handler gets', () => {
  it('of people is names and ids, never an address or a badge', async () => {
    const capability = peopleFind({ people });
    const one = await use(capability, { name: '张工' });
    expect(one).toEqual({
      found: 'one',
      exact: true,
      person: { id: 'zhang-wei@maintenance', names: { en: 'Zhang Wei', zh: '张伟' }, has_email: true },
    });
    const many = await use(capability, { name: 'Zhang' });
    expect(many).toMatchObject({
      found: 'many',
      people: [{ id: 'zhang-wei@maintenance' }, { id: 'zhang-min@production' }],
    });
    expect(JSON.stringify([one, many])).not.toMatch(/example\.com|1007|1012/u);
    expect(await use(capability, { name: 'Qwertyuiop' })).toEqual({ found: 'none', nearest: null });
  });

  it('of the plant is ids and names, and of one machine its points', async () => {
    const capability = plantDescribe({ plant, timeZone: 'Asia/Shanghai' });
    const all = await use(capability, {});
    expect(all).toMatchObject({ time_zone: 'Asia/Shanghai', machines: expect.any(Array) });
    expect(JSON.stringify(all)).not.toMatch(/"host"|"address"|"register"/u);
    expect(await use(capability, { machine: '十二号机床' })).toMatchObject({
      machines: [
        {
          id: 'machine-12',
          points: expect.arrayContaining([expect.objectContaining({ id: 'temperature', in_status: true })]),
        },
      ],
    });
  });

  it('of points is a live reading each, a stale value only under "last"', async () => {
    const clocks = { ...systemClocks(), monotonicMs: () => 241_000 };
    const asked: unknown[] = [];
    const stamp = { bootId: 'b', seq: 1 };
    const capability = pointsRead({
      plant,
      clocks,
      reader: {
        read: async (refs) => {
          asked.push(...refs);
          return refs.map((ref) => ({
            ref,
            ...stamp,
            atMs: 241_000,
            quality: 'stale' as const,
            reason: 'timeout' as const,
            detail: 'no answer',
            last: { ref, ...stamp, atMs: 1_000, quality: 'good' as const, value: 73 },
          }));
        },
      },
    });
    const answer = await use(capability, { points: [{ machine: 'Machine Twelve', point: '温度' }] });
    expect(asked).toEqual([{ machine: 'machine-12', point: 'temperature' }]);
    expect(answer).toMatchObject({ readings: [{ quality: 'stale', last: { value: 73, unit: 'degrees' } }] });
    expect(answer).not.toHaveProperty('readings.0.value');
    await expect(
      use(capability, { points: [{ machine: 'machine-13', point: 'temperature' }] }),
    ).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('Did you mean "machine-12"?'),
    });
    const tooMany = Array.from({ length: 65 }, () => ({ machine: 'machine-12', point: 'temperature' }));
    await expect(use(capability, { points: tooMany })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('of history is a fault of the argument for words that name no period, and a plain word where none is kept', async () => {
    const answers = {
      over: async () => {
        throw new EdgeError('PERIOD_UNKNOWN', '"yesterdey" is no period. Did you mean "yesterday"?', {
          hint: 'say "yesterday"',
        });
      },
      samplesOver: async () => ({ samples: [], next: undefined }),
    };
    await expect(
      use(historyOver({ answers }), { machine: 'machine-12', period: 'yesterdey' }),
    ).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: 'period: "yesterdey" is no period. Did you mean "yesterday"?',
      hint: 'say "yesterday"',
    });
    await expect(
      use(historyOver({ answers: undefined }), { machine: 'machine-12', period: 'yesterday' }),
    ).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' });
  });

  it('of a PLC log is what each code means in both languages, and gaps as gaps', async () => {
    const queries: LogQuery[] = [];
    const machine = [...plant.machines.values()].find(({ logs }) => logs.size > 0);
    const log = [...(machine?.logs.values() ?? [])][0];
    const [code] = log?.codes.keys() ?? [];
    if (machine === undefined || log === undefined || code === undefined)
      throw new Error('the demo has a log');
    const base = { id: 1, ref: log.ref, arrivedAtMs: 0, bootId: 'b', seq: 1, atMs: Date.UTC(2026, 2, 5) };
    const entries: PlcLogEntry[] = [
      { ...base, kind: 'overrun', lost: 3, exact: true },
      {
        ...base,
        kind: 'record',
        epoch: 0,
        position: 1,
        slot: 1,
        raw: '',
        atSource: 'plc',
        plcTime: null,
        plcAtMs: null,
        clockOffsetMs: null,
        correctedAtMs: null,
        sequence: null,
        code,
        values: {},
        badFields: [],
      },
    ];
    const store = {
      latest: async (query: LogQuery) => {
        queries.push(query);
        return entries;
      },
    };
    const periodOf = () => ({ fromMs: 1000, toMs: 2000 });
    const answer = await use(plcLogRecords({ plant, store, periodOf }), {
      machine: machine.id,
      period: 'today',
    });
    expect(queries).toMatchObject([{ machine: machine.id, fromMs: 1000, toMs: 1999, limit: 20 }]);
    const text = log.codes.get(code)?.text;
    expect(answer).toMatchObject({
      records: [
        { kind: 'overrun', lost: 3, exact: true },
        { kind: 'record', code, en: text?.en, zh: text?.zh, at: '2026-03-05T00:00:00.000Z' },
      ],
    });
  });

  it('of the node is its parts by the names that people call them', async () => {
    const capability = nodeStatus({
      phrases,
      status: () => ({
        status: 'degraded',
        ready: true,
        version: '1',
        uptime_s: 5,
        parts: [{ name: 'mqtt', status: 'down', detail: 'no answer' }],
      }),
    });
    expect(await use(capability, {})).toMatchObject({
      parts: [{ name: 'mqtt', names: { en: 'the M Q T T broker' }, status: 'down' }],
    });
  });

  it('of whoever asks is what the session knows, whatever the arguments claim', async () => {
    expect(await use(callerDescribe(), {})).toMatchObject({ role: 'operator', person: null });
    await expect(use(callerDescribe(), { role: 'supervisor' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('of procedures is all their steps in each language that there is', async () => {
    const library = new ProcedureLibrary([
      { id: 'a', texts: { en: { title: 'Grease it', steps: ['Open.', 'Grease.'], keywords: [] } } },
    ]);
    const procedures = [{ id: 'a', en: { title: 'Grease it', steps: ['Open.', 'Grease.'] }, zh: null }];
    const repository = { read: async () => undefined };
    expect(await use(proceduresFind({ library, repository }), { words: 'grease', reports: 2 })).toEqual({
      procedures,
      version: null,
      reports: [],
    });
  });

  it('of procedures is read at one version where there is one, with diagnoses only where they are wanted', async () => {
    const report: DiagnosisReport = {
      id: 'ab12',
      machine: 'pump-7',
      code: 'E-203',
      day: '2026-11-30',
      at: '2026-11-30T08:15:00Z',
      confirmedBy: 'p-1',
      texts: { en: { cause: 'No grease.', done: ['Greased it.'] } },
    };
    const shelf: ProcedureShelf = {
      version: { commit: 'c'.repeat(40), atMs: Date.parse('2026-11-30T09:00:00Z') },
      procedures: new ProcedureLibrary([
        { id: 'b', texts: { zh: { title: '加润滑脂', steps: ['打开。'], keywords: ['grease'] } } },
      ]),
      cases: new PastCases([report]),
    };
    const capability = proceduresFind({
      library: new ProcedureLibrary([]),
      repository: { read: async () => shelf },
    });
    const version = { commit: 'c'.repeat(40), at: '2026-11-30T09:00:00.000Z' };
    const procedures = [{ id: 'b', en: null, zh: { title: '加润滑脂', steps: ['打开。'] } }];
    expect(await use(capability, { words: 'grease' })).toEqual({ procedures, version, reports: [] });
    expect(await use(capability, { words: 'grease', reports: 1 })).toEqual({
      procedures,
      version,
      reports: [
        {
          id: 'ab12',
          machine: 'pump-7',
          code: 'E-203',
          day: '2026-11-30',
          en: { cause: 'No grease.', done: ['Greased it.'] },
          zh: null,
        },
      ],
    });
  });
});
