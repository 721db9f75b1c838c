import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filesRead, filesRemove, filesSave, periodArgument } from '../../../src/app/capabilities/reports.ts';
import type { Period } from '../../../src/domain/history/period.ts';
import { type JsonObject, type JsonValue, jsonObjectSchema } from '../../../src/domain/json.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import type { HandlerContext } from '../../../src/tooling/handler-api.ts';
import { runPython } from '../../support/python.ts';
import { reportsIn, savedReport } from '../../support/reports.ts';
import { callOf } from '../../support/tool-pack.ts';
import { shippedPack } from '../../support/tool-packs.ts';

const sheetSchema = z.object({
  title: z.string(),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  types: z.array(z.array(z.string())),
});
const sheetOf = (file: string) => sheetSchema.parse(runPython('read_sheet.py', [file]));

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hermes-reports-'));
});
afterEach(() => rm(directory, { recursive: true }));

const periodOf = (_words: string): Period => ({
  fromMs: Date.parse('2026-03-04T00:00:00+08:00'),
  toMs: Date.parse('2026-03-05T00:00:00+08:00'),
});

/** The capabilities of files over a real directory, as one call of a handler reaches them. */
function context(
  reports: ReturnType<typeof reportsIn>,
  given: {
    readonly key?: string;
    readonly abort?: AbortController;
    readonly before?: (name: string, args: JsonObject) => void;
    readonly history?: () => JsonValue;
  } = {},
): HandlerContext {
  const { signal } = given.abort ?? new AbortController();
  const call = { ...callOf('export-report'), idempotencyKey: given.key ?? 'key-1' };
  const save = filesSave({ reports, logger: silentLogger() });
  return {
    signal,
    idempotencyKey: call.idempotencyKey,
    async use(name, args) {
      given.before?.(name, args);
      if (name === 'files.save') return save.run(save.args.parse(args), { call, signal });
      if (name === 'history.over' && given.history !== undefined) return given.history();
      throw new Error(`${name} is not there`);
    },
  };
}

const reading = (value: string | number, more: JsonObject = {}): JsonObject => ({
  machine: 'machine-12',
  point: 'temperature',
  quality: 'good',
  value,
  unit: 'degrees',
  at: '2026-03-05T08:00:00.000Z',
  boot_id: 'b',
  seq: 1,
  ...more,
});
const FORMULAS = ['=HYPERLINK("http://evil.example")', '+1+1', '-2+3', '@SUM(A1)', '\t=1', ' =1+1'];

async function exported(format: 'xlsx' | 'csv', readings: readonly JsonObject[]): Promise<string> {
  const { handle } = await shippedPack('export-report');
  const reports = reportsIn(directory);
  const { result } = await handle({ results: { readings }, format }, context(reports));
  return join(directory, z.string().parse(result['file']));
}

describe('an exported report', () => {
  it('is a sheet that another program reads, numbers as numbers', async () => {
    const file = await exported('xlsx', [reading(68.4), reading('运行', { point: 'mode', unit: 'x' })]);
    const { title, rows, types } = sheetOf(file);
    expect(title).toBe('values');
    expect(rows[0]?.slice(0, 4)).toEqual(['machine 设备', 'point 测点', 'value 数值', 'unit 单位']);
    expect(rows[1]?.slice(0, 4)).toEqual(['machine-12', 'temperature', 68.4, 'degrees']);
    expect(rows[2]?.slice(0, 3)).toEqual(['machine-12', 'mode', '运行']);
    expect(types[1]?.[2]).toBe('n');
  });

  it('holds a text of a PLC that looks like a formula as a text, in a sheet', async () => {
    const { rows, types } = sheetOf(
      await exported(
        'xlsx',
        FORMULAS.map((text) => reading(text)),
      ),
    );
    expect(rows.slice(1).map((row) => String(row[2]).trim())).toEqual(FORMULAS.map((text) => text.trim()));
    expect(types.flat()).not.toContain('f');
  });

  it('holds it behind an apostrophe in a text file, so that no spreadsheet runs it', async () => {
    const file = await exported(
      'csv',
      FORMULAS.map((text) => reading(text)),
    );
    const cells = z
      .array(z.array(z.string()))
      .parse(runPython('read_csv.py', [file]))
      .slice(1)
      .map((row) => row[2]);
    expect(cells).toEqual(FORMULAS.map((text) => `'${text}`));
  });

  it('keeps quotes, commas and line ends of a text in a text file, and negative numbers as numbers', async () => {
    const texts = ['say "stop", now', 'two\nlines'];
    const file = await exported('csv', [...texts.map((text) => reading(text)), reading(-4.5)]);
    const cells = z
      .array(z.array(z.string()))
      .parse(runPython('read_csv.py', [file]))
      .slice(1)
      .map((row) => row[2]);
    expect(cells).toEqual([...texts, '-4.5']);
  });

  it('says of a value that is stale only that it is', async () => {
    const stale = {
      machine: 'machine-12',
      point: 'temperature',
      quality: 'stale',
      reason: 'timeout',
      at: '2026-03-05T08:00:00.000Z',
      last: { value: 73, at: '2026-03-05T07:00:00.000Z' },
    };
    const { rows } = sheetOf(await exported('xlsx', [stale, reading(68)]));
    expect(rows[1]).not.toContain(73);
    expect(rows[1]).toContain('stale');
  });

  it('leaves nothing behind when it is cancelled at any step', async () => {
    const { handle } = await shippedPack('export-report');
    const readings = Array.from({ length: 3000 }, (_, at) => reading(at));
    for (let step = 1; step <= 4; step += 1) {
      const abort = new AbortController();
      let uses = 0;
      const before = () => {
        uses += 1;
        if (uses === step) abort.abort(new Error('cancelled'));
      };
      const reports = reportsIn(directory);
      await expect(
        handle({ results: { readings }, format: 'csv' }, context(reports, { abort, before })),
      ).rejects.toThrow('cancelled');
      await expect.poll(() => readdirSync(directory)).toEqual([]);
    }
  });

  it('takes the recorded values page by page, and no more than fit into a report', async () => {
    const { handle } = await shippedPack('export-report');
    let pages = 0;
    const history = (): JsonValue => {
      pages += 1;
      const at = new Date(Date.parse('2026-03-04T00:00:00Z') + pages).toISOString();
      return {
        reports: [{ machine: 'machine-12', point: 'temperature', unit: 'degrees' }],
        samples: Array.from({ length: 1000 }, () => ({ value: 68, at })),
        next: pages,
      };
    };
    const { result } = await handle(
      { machine: 'machine-12', point: 'temperature', period: 'last month', format: 'xlsx' },
      context(reportsIn(directory, { maxBytes: 50_000_000 }), { history }),
    );
    expect(result).toMatchObject({ rows: 20_000, kind: 'samples' });
    expect(pages).toBe(20);
    expect(sheetOf(join(directory, String(result['file']))).rows).toHaveLength(20_001);
  });
});

describe('the directory of reports', () => {
  it('keeps one file for one intent, however often it is written', async () => {
    const reports = reportsIn(directory);
    const first = await savedReport(reports, 'temperature', 'a', { key: 'k' });
    const again = await savedReport(reports, 'temperature', 'b', { key: 'k' });
    expect(again).toEqual(first);
    expect(readdirSync(directory)).toEqual([first.file]);
  });

  it('lets nobody but its own user read a report', async () => {
    const { file } = await savedReport(reportsIn(directory), 'temperature', 'a');
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  });

  it('removes the oldest when there is no more room, and those that are too old', async () => {
    let now = new Date('2026-03-01T08:00:00Z');
    const reports = reportsIn(directory, { maxBytes: 25, keepDays: 30, now: () => now });
    const files = [];
    for (const day of [1, 2, 3]) {
      now = new Date(`2026-03-0${day}T08:00:00Z`);
      files.push((await savedReport(reports, `day ${day}`, 'x'.repeat(10))).file);
    }
    expect(readdirSync(directory).toSorted()).toEqual(files.slice(1));
    now = new Date('2026-06-01T08:00:00Z');
    const last = await savedReport(reports, 'day 4', 'x');
    expect(readdirSync(directory)).toEqual([last.file]);
  });

  it('refuses a report that is larger than all of them may be, and leaves nothing of it', async () => {
    const reports = reportsIn(directory, { maxBytes: 10 });
    const draft = await reports.begin({ kind: 'history', title: 't', format: 'csv', key: 'k' });
    await expect(draft.append(Buffer.alloc(11))).rejects.toMatchObject({ code: 'REPORT_TOO_LARGE' });
    await draft.discard();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('forgets what a crash left half written', async () => {
    writeFileSync(join(directory, '0123456789ab-7.draft'), 'half');
    await savedReport(reportsIn(directory), 'temperature', 'a');
    expect(readdirSync(directory).filter((name) => name.endsWith('.draft'))).toEqual([]);
  });

  it('leaves alone what is no report of its own', async () => {
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    await mkdir(join(directory, 'sub'));
    const reports = reportsIn(directory, { maxBytes: 1 });
    await savedReport(reports, 'a', 'x');
    await savedReport(reports, 'b', 'y');
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['notes.txt', 'sub']));
    expect(await reports.remove('notes.txt')).toBe(false);
    expect(await reports.pathOf('../etc/passwd')).toBeUndefined();
  });

  it('says so when it cannot be written', async () => {
    writeFileSync(join(directory, 'file'), '');
    const reports = reportsIn(join(directory, 'file', 'reports'));
    await expect(savedReport(reports, 'a', 'x')).rejects.toMatchObject({ code: 'REPORTS_FAILED' });
  });
});

describe('finding a report', () => {
  it('goes by its day and kind, the newest first', async () => {
    let now = new Date();
    const reports = reportsIn(directory, { now: () => now });
    const at = async (time: string, title: string, kind: string) => {
      now = new Date(time);
      return (await savedReport(reports, title, 'x', { kind })).file;
    };
    await at('2026-03-03T23:00:00+08:00', 'the day before', 'history');
    const early = await at('2026-03-04T00:00:00+08:00', 'early', 'history');
    const late = await at('2026-03-04T23:59:00+08:00', 'late', 'history');
    await at('2026-03-04T12:00:00+08:00', 'noon', 'compare');
    await at('2026-03-05T00:00:00+08:00', 'the day after', 'history');
    const capability = filesRead({ reports, periodOf });
    const answer = await capability.run(
      capability.args.parse({ find: { period: 'last wednesday', kind: 'history' } }),
      { call: callOf('find-report'), signal: new AbortController().signal },
    );
    const { files } = jsonObjectSchema.parse(answer);
    expect(
      z
        .array(z.looseObject({ file: z.string() }))
        .parse(files)
        .map(({ file }) => file),
    ).toEqual([late, early]);
  });

  it('offers the nearest of a name that there is not', async () => {
    const reports = reportsIn(directory);
    const { file } = await savedReport(reports, 'temperature', 'x');
    const capability = filesRead({ reports, periodOf });
    await expect(
      capability.run(capability.args.parse({ file: file.replace('temperature', 'temprature') }), {
        call: callOf('find-report'),
        signal: new AbortController().signal,
      }),
    ).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining(`Did you mean "${file}"?`),
    });
  });

  it('takes words that name no period for a fault of the argument', () => {
    const parse = periodArgument(() => {
      throw new EdgeError('PERIOD_UNKNOWN', '"yesterdey" is no period.', { hint: 'say "yesterday"' });
    });
    expect(() => parse('yesterdey')).toThrow(
      expect.objectContaining({ code: 'INPUT_INVALID', hint: 'say "yesterday"' }),
    );
  });

  it('is followed by removing it, once', async () => {
    const reports = reportsIn(directory);
    const { file } = await savedReport(reports, 'temperature', 'x');
    const capability = filesRemove({ reports });
    const remove = () =>
      capability.run({ file }, { call: callOf('remove-report'), signal: new AbortController().signal });
    expect(await remove()).toEqual({ removed: true });
    expect(await remove()).toEqual({ removed: false });
  });
});
