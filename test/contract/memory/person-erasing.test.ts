import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Capture } from '../../../src/domain/memory/capture.ts';
import { type ErasingSite, openErasingSite } from '../../support/erasing-site.ts';
import { eventually } from '../../support/eventually.ts';
import { fact, indexed } from '../../support/memory-site.ts';
import { messageRecord, sessionRecord } from '../../support/session-records.ts';
import { scratchDirectory } from '../../support/state-site.ts';

const PEOPLE = `id,name_en,name_zh,title_en,title_zh,role,email,badge
zhang-wei@maintenance,Zhang Wei,张伟,engineer,工程师,maintainer,zhang.wei@example.com,W-71007
li-na@quality,Li Na,李娜,engineer,工程师,operator,li.na@example.com,W-71033
`;
const WEI = 'zhang-wei@maintenance';
const PHONE = '13800138000';
const FORMS = [WEI, 'Zhang Wei', '张伟', '张工', 'zhang.wei@example.com', 'W-71007', PHONE];
const NOW = Date.UTC(2026, 10, 30, 12);

let directory: ReturnType<typeof scratchDirectory>;
let site: ErasingSite;
/** The mark that stands for the telephone number in what was remembered. */
let mark: string;

beforeEach(async () => {
  directory = scratchDirectory();
  writeFileSync(join(directory.path, 'people.csv'), PEOPLE);
  site = await openErasingSite(directory.path);
});
afterEach(async () => {
  await site.stop();
  directory.remove();
});

function captured(id: string, text: string, userId: string): Capture {
  return {
    id,
    atMs: Date.now(),
    kind: 'note',
    source: 'operator',
    origin: { kind: 'turn', id: `turn-${id}`, sessionId: 's-1' },
    scope: 'site',
    userId,
    language: /\p{Script=Han}/u.test(text) ? 'zh' : 'en',
    text,
    about: [],
    isWish: true,
  };
}

/** Into everything that remembers, in both languages: as who said it, and as who is named in it. */
async function planted(): Promise<void> {
  const { memory, storage, inbox, procedures } = site;
  const named = FORMS.map((form, at) =>
    indexed(at, { text: `seal leaked, said ${form}`, userId: 'li-na@quality' }, `near ${form}`),
  );
  const neighbour = indexed(90, { text: 'the belt was tightened' }, 'zhang wei 张伟');
  const spoken = indexed(91, { text: '七号泵清洗后偏热', language: 'zh', userId: WEI });
  await memory.store.commit({
    episodes: [...named, neighbour, spoken, indexed(92, { text: 'Li Na 李娜 changed the seal' })],
    facts: [
      fact(1, {
        subject: `person:${WEI}`,
        predicate: 'shift',
        value: 'night',
        text: 'Zhang Wei works nights',
      }),
      fact(2, { predicate: 'responsible', value: WEI, text: '张工 is responsible' }),
      fact(3, { subject: `person:${WEI}`, predicate: 'alias.大胡子', value: true, text: '我们叫他大胡子' }),
      fact(4, {
        predicate: 'limit.temperature',
        value: 80,
        text: 'pump 7: at most 80',
        userId: WEI,
        episodeId: 'episode-91',
      }),
      fact(5, { predicate: 'location', userId: 'li-na@quality' }),
    ],
    log: [{ action: 'capture', target: 'episode-91', source: WEI, atMs: NOW, bytesBefore: 1, bytesAfter: 1 }],
  });
  await memory.cache.reload();
  memory.anchors.addAliases([{ name: '大胡子', id: `person:${WEI}`, kind: 'person', confirmedAtMs: NOW }]);
  const told = await memory.desk.remember({
    id: 'wish-1',
    text: `remember that Li Na has to call 138-0013-8000 when pump three leaks`,
    language: 'en',
    caller: {
      origin: 'voice',
      station: 'line-1',
      sessionId: 's-9',
      turnId: 't',
      role: 'operator',
      person: undefined,
    },
  });
  mark = /\[phone:[0-9a-f]{16}\]/u.exec(told.episode?.text ?? '')?.[0] ?? 'no mark';
  await inbox.add(captured('c-1', '张伟说三号泵的密封漏了', 'line-1'));
  await inbox.add(captured('c-2', 'the seal of pump three leaks', WEI));
  await inbox.add(captured('c-3', 'Li Na tightened the belt', 'li-na@quality'));
  await memory.archive.append('2026-11-01', [
    { id: 'a-1', text: JSON.stringify({ text: 'Zhang Wei opened the door', userId: 'line-1' }) },
    { id: 'a-2', text: JSON.stringify({ text: 'the door was opened', userId: WEI }) },
    { id: 'a-3', text: JSON.stringify({ text: 'Li Na closed it', userId: 'li-na@quality' }) },
  ]);
  await eventually('git is there', () => !/being checked/u.test(site.procedures.health().detail));
  await procedures.commitReport({
    id: 'r-1',
    machine: 'pump-3',
    day: '2026-11-30',
    at: '2026-11-30T12:00:00Z',
    confirmedBy: WEI,
    texts: { en: { cause: `${FORMS.join(', ')} found a worn seal`, done: ['张工换了密封'] } },
  });
  await storage.sessions.commit({
    session: sessionRecord('s-1', { userId: WEI, summary: FORMS.join(' ') }),
    actions: [],
    messages: [messageRecord(1, FORMS.join(' '))],
    outbox: [{ id: 'mail-1', channel: 'mail', body: { to: 'zhang.wei@example.com', body: '张工' } }],
    memory: [
      {
        ...captured('c-4', 'badge W-71007 opened the cabinet', 'line-1'),
        origin: { kind: 'turn', id: 't-1' },
      },
    ],
    audit: [{ kind: 'action.planned', detail: { by: WEI, said: FORMS.join(' ') } }],
    turn: { turnId: 't-1', report: { answer: FORMS.join(' ') } },
  });
}

/** All that is below the state directory, with what is packed unpacked. */
function everything(): string {
  const state = join(directory.path, 'state');
  const below = (path: string): readonly string[] =>
    readdirSync(path).flatMap((name) => {
      const file = join(path, name);
      return statSync(file).isDirectory() ? below(file) : [file];
    });
  const files = below(state).map((file) => {
    const bytes = readFileSync(file);
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  });
  const objects = execFileSync(
    'git',
    ['--git-dir', join(state, 'procedures.git'), 'cat-file', '--batch-all-objects', '--batch'],
    { encoding: 'utf8' },
  );
  return [...files, objects].join('\n').toLowerCase();
}

const leftOver = (): readonly string[] => {
  const kept = everything();
  return [...FORMS, '138-0013-8000', '大胡子', mark].filter((form) => kept.includes(form.toLowerCase()));
};

describe('a person who is erased from memory', () => {
  it('is in no byte of any file, and everybody else is remembered', async () => {
    await planted();
    expect(leftOver()).toHaveLength(FORMS.length + 2);
    const pseudonym = site.storage.pseudonyms.of(WEI) ?? '';
    const report = await site.eraserWith().erase(WEI, [PHONE, '大胡子']);
    expect(leftOver()).toEqual([]);
    expect(report.counts).toMatchObject({
      // Seven that name the person, one they said, one with their number; four facts and one that stays; three that waited.
      memory: 17,
      'names and facts in memory': 1,
      'working memory': 1,
      archive: 2,
      procedures: 0,
    });
    expect(report.byHand.join('\n')).toMatch(/^1 facts that the person told about machines stay/mu);
    expect(report.byHand.join('\n')).not.toMatch(/procedures|report r-1/u);
    const { memory, storage, inbox } = site;
    expect((await memory.store.episodesAfter(undefined, 99)).map(({ id }) => id)).toEqual([
      'episode-90',
      'episode-92',
    ]);
    expect((await memory.store.factsNow()).map(({ id, userId }) => [id, userId])).toEqual([
      ['fact-4', pseudonym],
      ['fact-5', 'li-na@quality'],
    ]);
    expect(memory.cache.about(['machine:pump-7']).map(({ userId }) => userId)).toContain(pseudonym);
    expect(memory.anchors.find('大胡子', 'zh')).toEqual([]);
    expect((await inbox.waiting(9)).map(({ capture }) => capture.id)).toEqual(['c-3']);
    expect((await memory.archive.read('2026-11-01')).lines.map(({ id }) => id)).toEqual(['a-3']);
    expect(await memory.store.tombstones(9)).toEqual([
      { id: expect.any(String), atMs: expect.any(Number), reason: 'erase', episodes: 9, facts: 4 },
    ]);
    const reports = (await site.procedures.read())?.cases.reports;
    expect(reports).toMatchObject([{ id: 'r-1', confirmedBy: pseudonym }]);
    expect(await storage.audit.firstBreak()).toBeUndefined();

    const again = await site.eraserWith().erase(WEI, [PHONE, '大胡子']);
    expect(again.counts).toMatchObject({ memory: 0, archive: 0, 'names and facts in memory': 0 });
    expect(await memory.store.figures()).toMatchObject({ episodes: 2 });
    expect(leftOver()).toEqual([]);
  });

  it('is gone after the program was killed in the middle and started again', {
    timeout: 60_000,
  }, async () => {
    await planted();
    await site.stop();
    const program = await buildChild();
    try {
      const child = spawn(process.execPath, [program, directory.path, WEI, PHONE, '大胡子'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [said] = await once(child.stdout, 'data');
      expect(String(said)).toBe('midway\n');
      child.kill('SIGKILL');
      await once(child, 'exit');
    } finally {
      rmSync(dirname(program), { recursive: true });
    }
    site = await openErasingSite(directory.path);
    expect(leftOver()).not.toEqual([]);
    expect(await site.eraserWith().resume()).toBe(1);
    expect(leftOver()).toEqual([]);
    expect(await site.storage.audit.firstBreak()).toBeUndefined();
    expect(await site.storage.audit.entries('memory.erase.ended', 9)).toHaveLength(1);
    expect((await site.memory.store.episodesAfter(undefined, 99)).map(({ id }) => id)).toEqual([
      'episode-90',
      'episode-92',
    ]);
  });
});

async function buildChild(): Promise<string> {
  const outfile = fileURLToPath(new URL(`../../../dist/erasing-${process.pid}/child.mjs`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(new URL('../../support/erasing-child.ts', import.meta.url))],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
  });
  return outfile;
}
