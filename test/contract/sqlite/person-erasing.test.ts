import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openKeyedHash } from '../../../src/adapters/files/keyed-hash.ts';
import { SqliteErasureLedger } from '../../../src/adapters/sqlite/sqlite-erasure-ledger.ts';
import { SqliteTicketStore } from '../../../src/adapters/sqlite/sqlite-ticket-store.ts';
import { SessionHouse } from '../../../src/app/engine/session-house.ts';
import { SessionReports } from '../../../src/app/engine/session-reports.ts';
import type { PersonalStore } from '../../../src/app/ports/personal-store.ts';
import { composeGuard, type Guard } from '../../../src/composition/gate.ts';
import { composeEraser, namedPeople } from '../../../src/composition/privacy.ts';
import { loadSite, type Site } from '../../../src/composition/site.ts';
import { openStorage, type Storage } from '../../../src/composition/storage.ts';
import { configSchema } from '../../../src/config/config-schema.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { HandTime } from '../../support/hand-time.ts';
import { demoPlant } from '../../support/plant-file.ts';
import { reportsIn, savedReport } from '../../support/reports.ts';
import { actionRecord, messageRecord, sessionRecord } from '../../support/session-records.ts';
import { scratchDirectory } from '../../support/state-site.ts';

const PEOPLE = `id,name_en,name_zh,title_en,title_zh,role,email,badge
zhang-wei@maintenance,Zhang Wei,张伟,engineer,工程师,maintainer,zhang.wei@example.com,W-71007
li-na@quality,Li Na,李娜,engineer,工程师,operator,li.na@example.com,W-71033
`;
const WEI = 'zhang-wei@maintenance';
const NA = 'li-na@quality';
const PHONE = '13800138000';
const FORMS = [WEI, 'Zhang Wei', '张伟', '张工', 'zhang.wei@example.com', 'W-71007', PHONE];
const SAID = `${FORMS.join('，')}，138-0013-8000`;
const OTHERS = '李娜 Li Na li.na@example.com at 71007 rpm';
const clocks = systemClocks();
const logger = silentLogger();

let directory: ReturnType<typeof scratchDirectory>;
let site: Site;
let storage: Storage;
let guard: Guard;

beforeEach(async () => {
  directory = scratchDirectory();
  writeFileSync(join(directory.path, 'people.csv'), PEOPLE);
  await open();
});
afterEach(async () => {
  await storage.database.close();
  directory.remove();
});

async function open(): Promise<void> {
  const people = join(directory.path, 'people.csv');
  const stateDirectory = join(directory.path, 'state');
  const config = configSchema.parse({
    state_dir: stateDirectory,
    people,
    stations: { microphone: 'operator' },
  });
  site = loadSite(config, demoPlant());
  storage = await openStorage(config, { clocks, logger }, namedPeople(site));
  guard = await composeGuard(
    config,
    {
      plant: site.plant,
      storage,
      findPerson: async (by) => {
        const found = 'id' in by ? site.people.person(by.id) : site.people.withBadge(by.badge);
        return found === undefined ? undefined : { id: found.id, name: found.names.en, role: found.role };
      },
    },
    { clocks },
  );
}

function eraserWith(stores: readonly PersonalStore[] = []) {
  return composeEraser({ site, storage, guard, stores }, { clocks, logger }).eraser;
}

function tickets(): SqliteTicketStore {
  return new SqliteTicketStore(storage.database, logger, storage.erased);
}

const caller = {
  origin: 'voice',
  station: 'line-1',
  turnId: 'tr_1',
  role: 'maintainer',
  person: { id: WEI, name: 'Zhang Wei' },
} as const;

function machine(): string {
  const [first] = site.plant.machines.keys();
  if (first === undefined) throw new Error('the plant has no machine');
  return first;
}

/** Into every table, as the daemon does it. */
async function plant(said: string): Promise<void> {
  const { sessions, outbox, alarms, workOrders, workflows, audit } = storage;
  for (const [id, text] of [
    ['s-1', said],
    ['s-2', OTHERS],
  ] as const)
    await sessions.commit({
      session: sessionRecord(id, { userId: id === 's-1' ? WEI : NA, summary: text, meta: { note: text } }),
      actions: [
        actionRecord(`${id}-a`, id, {
          args: { text, count: 71007 },
          result: { deep: [{ text }] },
          caller:
            id === 's-1'
              ? { ...caller, sessionId: id }
              : { ...caller, sessionId: id, person: { id: NA, name: 'Li Na' } },
        }),
      ],
      messages: [messageRecord(1, text)],
      outbox: [{ id: `${id}-mail`, channel: 'mail', body: { to: text, body: text } }],
      memory: [{ text }],
      audit: [{ kind: 'action.planned', detail: { args: { text }, by: id === 's-1' ? WEI : NA } }],
      turn: { turnId: `line-1 ${id}`, report: { answer: text } },
    });
  await outbox.add({ id: 'order', channel: 'work_order', body: { title: said } });
  await outbox.add({ id: 'late', channel: 'mail', body: { title: 'nobody' } });
  await outbox.failed('late', said, false);
  await alarms.record({
    source: 'pump-3',
    name: 'call',
    id: said.slice(0, 150),
    state: 'raised',
    priority: 'high',
    text: { en: said, zh: said },
    received_at: '2026-01-02T03:04:05.000Z',
  });
  await workOrders.add({
    key: 'k-1',
    machine: 'pump-3',
    title: said,
    priority: 'high',
    createdAt: '2026-01-02T03:04:05.000Z',
    createdBy: WEI,
  });
  await workflows.save({
    id: 'w-1',
    number: 1,
    savedAt: '2026-01-02T03:04:05.000Z',
    caller: { ...caller, sessionId: 's-1' },
    state: {
      name: 'check',
      version: 1,
      stage: 'action',
      input: { text: said },
      steps: { one: { status: 'success', result: { text: said } } },
    },
  });
  await tickets().save({
    ticket: {
      id: 'tk_1',
      tool: 'mail.send',
      code: 'TOOL_FAILED',
      message: said,
      input: { to: said },
      path: [],
      session_id: 's-1',
      turn_id: 'tr_1',
      safety: false,
      opened_at: '2026-01-02T03:04:05.000Z',
      boot_id: 'boot',
      seq: 1,
      occurrences: 1,
      status: 'open',
      age_ms: 0,
      ttl_s: 60,
      reminders: 0,
      note: said,
    },
    untold: 'opened',
  });
  await guard.locks.lock(
    machine(),
    { role: 'maintainer', person: { id: WEI, name: 'Zhang Wei' }, station: 'line-1' },
    said,
  );
  await guard.badges.badge({ id: 'b-1', station: 'microphone', badge: 'W-71007', state: 'in' });
  await audit.append('gate.decided', { why: said, person: { id: WEI, name: 'Zhang Wei' }, also: OTHERS });
}

/** Bytes of all files below the state directory. */
function everything(): string {
  const below = (path: string): readonly string[] =>
    readdirSync(path).flatMap((name) => {
      const file = join(path, name);
      return statSync(file).isDirectory() ? below(file) : [file];
    });
  return below(join(directory.path, 'state'))
    .filter((file) => !file.endsWith('.xlsx'))
    .map((file) => readFileSync(file).toString('utf8'))
    .join('\n')
    .toLowerCase();
}

const leftIn = (text: string) =>
  [...FORMS, '138-0013-8000'].filter((form) => text.includes(form.toLowerCase()));

const rowsOf = (table: string) =>
  storage.database.all(
    z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    `SELECT * FROM ${table}`,
  );

describe('a person who is erased', () => {
  it('is in no byte of the state, and everybody else is as before', async () => {
    await plant(SAID);
    const reports = join(directory.path, 'state', 'reports');
    mkdirSync(reports, { recursive: true });
    await savedReport(reportsIn(reports), 'shift', `who,what\n"${SAID}",1\n李娜,2\n`);
    execFileSync('python3', [
      '-c',
      'import sys,zipfile; zipfile.ZipFile(sys.argv[1],"w",zipfile.ZIP_DEFLATED).writestr("xl/a.xml",sys.argv[2])',
      join(reports, 'own.xlsx'),
      `<t>${SAID}</t>`,
    ]);
    const house = new SessionHouse({
      store: storage.sessions,
      audit: storage.audit,
      clocks: new HandTime(),
      scheduler: new HandTime(),
      logger,
      onEffect: () => undefined,
    });
    const theirs = house.of('line-2');
    theirs.say({
      turnId: 't',
      role: 'person',
      source: 'voice',
      content: SAID,
      tokens: 1,
      isProtected: false,
    });
    const other = house.of('line-3');
    other.say({
      turnId: 't',
      role: 'person',
      source: 'voice',
      content: OTHERS,
      tokens: 1,
      isProtected: false,
    });
    await Promise.all([theirs.commit(), other.commit()]);
    expect(leftIn(everything())).toHaveLength(FORMS.length + 1);

    const eraser = eraserWith([
      {
        name: 'conversations',
        erase: async ({ names }) => ({
          count: house.endThose(
            (memory) => names.inValue(memory) !== memory,
            (_station, work) => work(),
          ),
        }),
      },
    ]);
    const report = await eraser.erase(WEI, [PHONE]);
    await theirs.kept;
    house.close();

    expect(report.counts).toMatchObject({ conversations: 1, badges: 1, locks: 1, reports: 1 });
    expect(report.byHand.join('\n')).toMatch(/own\.xlsx names the person[\s\S]*people file still lists/u);
    // Whatever was still in memory does not come back.
    theirs.say({
      turnId: 't',
      role: 'person',
      source: 'voice',
      content: SAID,
      tokens: 1,
      isProtected: false,
    });
    await theirs.commit();
    await tickets().save({ ...(await ticket()), untold: undefined });
    await storage.audit.append('gate.decided', { why: `${WEI} 张伟` });
    const kept = everything();
    expect(leftIn(kept)).toEqual([]);
    expect(kept.includes(OTHERS.toLowerCase())).toBe(true);

    expect(await storage.audit.firstBreak()).toBeUndefined();
    const [mine] = (await storage.sessions.live(10)).filter(({ session }) => session.id === 's-2');
    expect(mine).toMatchObject({
      session: { userId: NA, summary: OTHERS },
      actions: [{ args: { text: OTHERS, count: 71007 }, caller: { person: { id: NA, name: 'Li Na' } } }],
      messages: [{ content: OTHERS }],
    });
    expect((await storage.sessions.session('s-1'))?.actions).toMatchObject([
      { args: { count: 71007 }, caller: { person: { id: '[erased]', name: '[erased]' } } },
    ]);
    expect((await storage.alarms.unannounced(10)).map(({ source, priority }) => [source, priority])).toEqual([
      ['pump-3', 'high'],
    ]);
    expect(guard.locks.view.get(machine())?.by.id).toMatch(/^person-[0-9a-f]{8}$/u);
    expect((await storage.outbox.waiting('work_order', 9)).map(({ id }) => id)).toEqual(['order']);
    expect((await storage.outbox.waiting('mail', 9)).map(({ id }) => id)).toEqual(['s-2-mail']);
    const [erase] = await storage.outbox.waiting('memory', 9);
    expect(erase?.body).toMatchObject({ kind: 'erase', person: expect.stringMatching(/^[0-9a-f]{16}$/u) });
    expect(await storage.audit.entries('memory.erase.ended', 9)).toMatchObject([
      { detail: { id: report.request, counts: report.counts } },
    ]);
  });

  it('is erased again without harm, and a stranger is refused', async () => {
    const eraser = eraserWith();
    await eraser.erase(WEI);
    await expect(eraser.erase(WEI)).resolves.toMatchObject({ counts: { 'state.db': 0, locks: 0 } });
    await expect(eraser.erase('zhang-wei@maintenence')).rejects.toThrow(
      /Did you mean "zhang-wei@maintenance"/u,
    );
  });

  it('is gone after a restart in the middle, with one entry for the end', async () => {
    await plant(SAID);
    const cut = eraserWith([
      {
        name: 'cut off',
        erase: async () => {
          throw new Error('the power went');
        },
      },
    ]);
    await expect(cut.erase(WEI, [PHONE])).rejects.toThrow('the power went');
    await storage.database.close();
    writeFileSync(join(directory.path, 'people.csv'), PEOPLE.replace(/^zhang.*\n/mu, ''));
    await open();
    expect(await eraserWith().resume()).toBe(1);
    const kept = everything();
    expect(leftIn(kept)).toEqual([]);
    expect(await storage.audit.entries('memory.erase.begun', 9)).toHaveLength(1);
    expect(await storage.audit.entries('memory.erase.ended', 9)).toHaveLength(1);
    expect(await rowsOf('person_pseudonym')).toHaveLength(1);
    expect(await eraserWith().resume()).toBe(0);
    const ledger = new SqliteErasureLedger({ database: storage.database, audit: storage.audit, clocks });
    expect(await ledger.keys()).toHaveLength(1);
  });
});

async function ticket() {
  const stored = await tickets().get('tk_1');
  if (stored === undefined) throw new Error('the ticket is gone');
  return { ticket: { ...stored, message: SAID }, untold: undefined };
}

describe('the audit', () => {
  it('names nobody of the directory, and people read the names all the same', async () => {
    await plant(SAID);
    const details = (await rowsOf('audit')).map((row) => String(row['detail']).toLowerCase()).join('\n');
    expect(leftIn(details)).toEqual([]);
    for (const form of ['李娜', 'li na', NA]) expect(details).not.toContain(form);
    expect(await storage.audit.firstBreak()).toBeUndefined();
    const reports = new SessionReports(storage.sessions, (text) => storage.pseudonyms.show(text));
    const { timeline } = await reports.show('s-1');
    expect(timeline).toContainEqual(
      expect.objectContaining({
        event: 'action.planned',
        detail: expect.objectContaining({ by: 'Zhang Wei' }),
      }),
    );
  });

  it('keeps the pseudonyms over a restart, and gives new people theirs', async () => {
    const before = storage.pseudonyms.of(WEI);
    await storage.database.close();
    writeFileSync(join(directory.path, 'people.csv'), `${PEOPLE}wang,Wang Lei,王磊,,,operator,,\n`);
    await open();
    expect(storage.pseudonyms.of(WEI)).toBe(before);
    expect(storage.pseudonyms.of('wang')).toMatch(/^person-[0-9a-f]{8}$/u);
  });
});

describe('the keyed hash', () => {
  it('is that of its box: made once, for its owner alone, and a key that is none is refused', () => {
    const place = { stateDirectory: directory.path };
    const hash = openKeyedHash(place);
    const file = join(directory.path, 'memory.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(openKeyedHash(place).of('phone', PHONE)).toBe(hash.of('phone', PHONE));
    expect(hash.of('phone', PHONE)).toMatch(/^[0-9a-f]{16}$/u);
    expect(hash.of('person', PHONE)).not.toBe(hash.of('phone', PHONE));
    const other = scratchDirectory();
    expect(openKeyedHash({ stateDirectory: other.path }).of('phone', PHONE)).not.toBe(
      hash.of('phone', PHONE),
    );
    expect(
      openKeyedHash({ stateDirectory: other.path, credentialsDirectory: directory.path }).of('phone', PHONE),
    ).toBe(hash.of('phone', PHONE));
    other.remove();
    writeFileSync(file, 'short');
    expect(() => openKeyedHash(place)).toThrow(/64 hexadecimal digits/u);
  });
});
