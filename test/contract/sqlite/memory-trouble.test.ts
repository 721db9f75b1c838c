import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SqliteMemoryStore } from '../../../src/adapters/sqlite/sqlite-memory-store.ts';
import { capture, MemorySite, presence } from '../../support/memory-site.ts';

const WRITER = fileURLToPath(new URL('../../support/memory-writer.ts', import.meta.url));
let site: MemorySite;
let store: SqliteMemoryStore;

beforeEach(async () => {
  site = new MemorySite();
  store = await site.open();
});
afterEach(() => site.remove());

const presences = async (numbers: readonly number[]) =>
  Promise.all(numbers.map(async (n) => [n, await presence(store, n)] as const));
const wholly = (numbers: readonly number[]) => numbers.map((n) => [n, 'whole'] as const);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a disk that is full', () => {
  it('at each page that a write grows by loses nothing that was committed, and leaves nothing of what failed', async () => {
    // SQLite reports its own limit of pages exactly as it reports a full disk.
    const limit = (pages: number) =>
      site.database.writeOne(
        (writer) => writer.all(z.unknown(), `PRAGMA max_page_count = ${pages}`),
        'audit',
      );
    const pagesNow = async () =>
      (await site.database.all(z.object({ page_count: z.int() }), 'PRAGMA page_count'))[0]?.page_count ?? 0;
    const written: number[] = [];
    let failures = 0;
    for (let n = 0; n < 8; n += 1) {
      const change = capture(n, `w${n} `.repeat(900).trimEnd());
      const begun = await pagesNow();
      for (let room = 0; ; room += 1) {
        await limit(begun + room);
        const outcome = await store.commit(change).catch((error: unknown) => error);
        if (outcome === 'written') break;
        failures += 1;
        expect(outcome).toMatchObject({
          code: 'MEMORY_DB_FAILED',
          hint: expect.stringContaining('free space'),
        });
        expect(store.health()).toMatchObject({
          status: 'down',
          detail: expect.stringContaining('SQLITE_FULL'),
        });
        expect(await presence(store, n)).toBe('absent');
      }
      written.push(n);
      expect(await presences(written)).toEqual(wholly(written));
    }
    expect(failures).toBeGreaterThan(8);
    expect(store.health().status).toBe('ok');
    await limit(1_000_000);
    store = await site.open();
    expect(await presences(written)).toEqual(wholly(written));
    expect(await store.check()).toBe(true);
  });

  const mountPoint = mkdtempSync(join(tmpdir(), 'hermes-small-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mountPoint]).status === 0;
  if (mounted) spawnSync('umount', [mountPoint]);
  rmSync(mountPoint, { recursive: true });

  // A file system of its own takes root to mount.
  it.skipIf(!mounted)(
    'of a real file system of 1 MB loses nothing, and takes what comes once there is room',
    async () => {
      const disk = mkdtempSync(join(tmpdir(), 'hermes-small-'));
      spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
      const small = new MemorySite(join(disk, 'memory'));
      try {
        writeFileSync(join(disk, 'ballast'), Buffer.alloc(200_000));
        store = await small.open();
        const written: number[] = [];
        const failed: number[] = [];
        for (let n = 0; failed.length < 3; n += 1) {
          const outcome = await store
            .commit(capture(n, `w${n} `.repeat(500).trimEnd()))
            .catch((error: unknown) => error);
          if (outcome === 'written') written.push(n);
          else {
            expect(outcome).toMatchObject({ code: 'MEMORY_DB_FAILED' });
            failed.push(n);
          }
        }
        expect(await presences(written)).toEqual(wholly(written));
        expect(await presences(failed)).toEqual(failed.map((n) => [n, 'absent']));
        rmSync(join(disk, 'ballast'));
        const [again = 0] = failed;
        expect(await store.commit(capture(again))).toBe('written');
        store = await small.open();
        expect(await presences([...written, again])).toEqual(wholly([...written, again]));
      } finally {
        await store.stop();
        spawnSync('umount', ['-l', disk]);
        rmSync(disk, { recursive: true, force: true });
      }
    },
  );
});

describe('a file that is damaged', () => {
  const COUNT = 300;
  beforeEach(async () => {
    for (const n of upTo(COUNT))
      await store.commit(capture(n, 'many words that take room '.repeat(4).trimEnd()));
    await store.stop();
  });

  const aside = () =>
    readdirSync(site.directory).filter((name) => /^memory\.db\.damaged-[^/]*Z$/u.test(name));
  const overwrite = (from: number, to: number) => {
    const bytes = readFileSync(site.file);
    bytes.fill(0xa5, Math.floor(from), Math.floor(to));
    writeFileSync(site.file, bytes);
  };
  const size = () => readFileSync(site.file).length;

  /** Each takes no more than some of the file: `least` episodes can still be read of it. */
  const damages: Readonly<Record<string, { do: () => void; least: number }>> = {
    'whose header is overwritten': { do: () => overwrite(0, 100), least: 0 },
    'with overwritten pages in the middle': { do: () => overwrite(size() * 0.5, size() * 0.52), least: 200 },
    'that ends too soon': { do: () => truncateSync(site.file, Math.floor(size() * 0.7)), least: 50 },
    'that is empty': { do: () => truncateSync(site.file, 0), least: 0 },
    'that is a directory': {
      do: () => {
        rmSync(site.file);
        mkdirSync(site.file);
      },
      least: 0,
    },
    'that is no database': { do: () => writeFileSync(site.file, 'not a database'.repeat(500)), least: 0 },
  };

  it.each(Object.entries(damages))(
    '%s is set aside, and what can be read of it is saved',
    async (_, damage) => {
      damage.do();
      store = await site.open();
      await store.check();
      expect(aside()).toHaveLength(1);
      expect(store.health()).toMatchObject({
        status: 'degraded',
        detail: expect.stringMatching(
          /^memory\.db was damaged and is set aside as .*; a new one was begun with \d+ episodes and \d+ facts saved from it/u,
        ),
      });
      const { episodes, factsNow } = await store.figures();
      expect(episodes).toBeGreaterThanOrEqual(damage.least);
      expect(store.health().figures).toMatchObject({ saved_episodes: episodes, saved_facts: factsNow });
      const saved = await store.episodesAfter(undefined, COUNT);
      expect(saved).toEqual(
        saved.map(
          ({ id }) =>
            capture(Number(id.slice(8)), 'many words that take room '.repeat(4).trimEnd()).episodes?.[0]
              ?.episode,
        ),
      );
      expect(await store.commit(capture(COUNT))).toBe('written');
      expect(await presence(store, COUNT)).toBe('whole');
      expect(await store.check()).toBe(true);
    },
  );
});

describe('a program that is killed while it remembers', () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  it('has written whatever it said it had, and nothing by half', async () => {
    await store.stop();
    let first = 0;
    for (let kill = 0; kill < 4; kill += 1) {
      const running = spawn(process.execPath, ['--import', 'tsx', WRITER, site.file, String(first)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = running;
      const exited = once(running, 'exit');
      let sure = first - 1;
      const lines = createInterface({ input: running.stdout });
      const begun = once(lines, 'line');
      lines.on('line', (line) => {
        sure = Number(line);
      });
      await begun;
      // Not a wait for something to happen: the moment of the kill is what is random here.
      await sleep(Math.random() * 150);
      running.kill('SIGKILL');
      await exited;
      store = await site.open();
      const newest = (await store.figures()).episodes - 1;
      // The last one may have arrived although nobody was told.
      expect([sure, sure + 1]).toContain(newest);
      const each = await Promise.all(upTo(newest + 1).map((n) => store.episode(`episode-${n}`)));
      expect(each.filter((episode) => episode === undefined)).toEqual([]);
      const last = upTo(newest + 1).slice(-10);
      expect(await presences(last)).toEqual(wholly(last));
      expect(await presence(store, newest + 1)).toBe('absent');
      expect(await store.check()).toBe(true);
      await store.stop();
      first = newest + 1;
    }
  }, 120_000);
});
