import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArchiveDirectory } from '../../../src/adapters/files/archive-directory.ts';
import type { ArchiveLine } from '../../../src/app/ports/memory-archive.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { HandClock } from '../../support/hand-clock.ts';

const DAY = '2026-01-02';

let directory: string;
let archive: ArchiveDirectory;

/** As after a restart. */
const open = (maxBytes = 1e9): ArchiveDirectory =>
  new ArchiveDirectory(
    { directory: join(directory, 'archive'), maxBytes },
    { clocks: new HandClock(), logger: silentLogger() },
  );
const line = (id: string, text = `text of ${id}`): ArchiveLine => ({ id, text });
const file = (day = DAY): string => join(directory, 'archive', `${day}.jsonl.gz`);
const ids = async (day = DAY): Promise<readonly string[]> =>
  (await archive.read(day)).lines.map(({ id }) => id);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'archive-'));
  archive = open();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the archive of memory', () => {
  it('is a file a day of JSON lines, which gunzip reads', async () => {
    await archive.append(DAY, [line('a'), line('b', '轴承')]);
    await archive.append(DAY, [line('c')]);
    await archive.append('2026-01-01', [line('d')]);
    expect(await archive.days()).toEqual(['2026-01-01', DAY]);
    expect(await archive.bytes()).toBe(readFileSync(file()).length + readFileSync(file('2026-01-01')).length);
    const text = execFileSync('gunzip', ['-c', file()], { encoding: 'utf8' });
    expect(text).toBe(
      '{"id":"a","text":"text of a"}\n{"id":"b","text":"轴承"}\n{"id":"c","text":"text of c"}\n',
    );
  });

  it('takes what is there already under its id for a repeat, also after a restart and within one call', async () => {
    await archive.append(DAY, [line('a'), line('a')]);
    const bytes = readFileSync(file());
    archive = open();
    await archive.append(DAY, [line('a', 'told otherwise')]);
    expect(readFileSync(file())).toEqual(bytes);
    expect(await ids()).toEqual(['a']);
  });

  it('loses none of many appends at once', async () => {
    const each = Array.from({ length: 20 }, (_, at) => `l${at}`);
    await Promise.all(each.map((id) => archive.append(DAY, [line(id)])));
    expect(await ids()).toEqual(each);
  });

  it('goes on behind its last whole line wherever a crash has torn the file', async () => {
    await archive.append(DAY, [line('a')]);
    const whole = readFileSync(file()).length;
    await archive.append(DAY, [line('b')]);
    const all = readFileSync(file());
    for (let bytes = whole; bytes < all.length; bytes += 1) {
      writeFileSync(file(), all);
      truncateSync(file(), bytes);
      expect(await archive.read(DAY)).toMatchObject({ damagedBytes: bytes - whole });
      expect(await ids()).toEqual(['a']);
    }
    await archive.append(DAY, [line('b')]);
    expect(readFileSync(file())).toEqual(all);
  });

  it('cuts off the zeros that a power cut leaves', async () => {
    await archive.append(DAY, [line('a')]);
    appendFileSync(file(), Buffer.alloc(4096));
    await archive.append(DAY, [line('b')]);
    expect(await archive.read(DAY)).toEqual({ lines: [line('a'), line('b')], damagedBytes: 0 });
  });

  it('is read past damage in its middle, and tells how much that is', async () => {
    await archive.append(DAY, [line('a')]);
    const from = readFileSync(file()).length;
    await archive.append(DAY, [line('b')]);
    const to = readFileSync(file()).length;
    await archive.append(DAY, [line('c')]);
    const bytes = readFileSync(file());
    bytes.fill(0x55, from + 22, to - 4);
    writeFileSync(file(), bytes);
    expect(await archive.read(DAY)).toEqual({ lines: [line('a'), line('c')], damagedBytes: to - from });
  });

  it('lets the oldest days go above its size, never the one that is written', async () => {
    const wordy = Array.from({ length: 300 }, (_, at) => line(`x${at}`, `${Math.sin(at)}`));
    for (const day of ['2026-01-01', '2026-01-02', '2026-01-03']) await archive.append(day, wordy);
    archive = open(readFileSync(file()).length * 2);
    await archive.append('2026-01-04', [line('a')]);
    expect(await archive.days()).toEqual(['2026-01-03', '2026-01-04']);
    archive = open(1);
    await archive.append('2026-01-05', [line('a')]);
    expect(await archive.days()).toEqual(['2026-01-05']);
  });

  it('loses the days that are older than it is told', async () => {
    for (const day of ['2025-12-31', '2026-01-01', '2026-01-02']) await archive.append(day, [line('a')]);
    expect(await archive.prune(1)).toBe(1);
    expect(await archive.days()).toEqual(['2026-01-01', '2026-01-02']);
  });

  it('holds no byte of what a rewrite takes out, nor of what cannot be read', async () => {
    await archive.append(DAY, [line('a', 'Zhang Wei was here'), line('b')]);
    await archive.append('2026-01-01', [line('c', 'Zhang Wei')]);
    await archive.append('2026-01-03', [line('d')]);
    appendFileSync(file('2026-01-03'), 'Zhang Wei');
    const outcome = await archive.rewrite((each) => {
      if (each.id === 'c') return undefined;
      return each.id === 'a' ? { ...each, text: 'person-1 was here' } : each;
    });
    expect(outcome).toEqual({ changed: 2, damagedBytes: 9 });
    expect(await archive.days()).toEqual([DAY, '2026-01-03']);
    expect((await archive.read(DAY)).lines).toEqual([line('a', 'person-1 was here'), line('b')]);
    for (const day of await archive.days()) {
      expect(readFileSync(file(day)).includes('Zhang')).toBe(false);
      expect(execFileSync('gunzip', ['-c', file(day)], { encoding: 'utf8' })).not.toContain('Zhang');
    }
  });

  it('leaves the old file where a rewrite was cut off, and clears its draft', async () => {
    await archive.append(DAY, [line('a')]);
    writeFileSync(`${file()}.new`, 'half');
    archive = open();
    expect(await ids()).toEqual(['a']);
    expect(() => readFileSync(`${file()}.new`)).toThrow();
  });

  it('takes no day that is none, and not more than it can hold at once', async () => {
    await expect(archive.append('../x', [line('a')])).rejects.toMatchObject({ code: 'ARCHIVE_FAILED' });
    const many = Array.from({ length: 10_001 }, (_, at) => line(`${at}`));
    await expect(archive.append(DAY, many)).rejects.toMatchObject({ code: 'ARCHIVE_FAILED' });
    expect(await archive.days()).toEqual([]);
  });
});
