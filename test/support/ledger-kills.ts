import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { openState } from './state-site.ts';

const CHILD = fileURLToPath(new URL('./ledger-child.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What was seen after all kills, and everything that should not have been. */
export interface KillReport {
  readonly kills: number;
  readonly sessions: number;
  readonly effects: number;
  /** Actions that were begun and not ended when the last kill came. */
  readonly cutInHalf: number;
  readonly faults: readonly string[];
}

/** Runs the program of `ledger-child.ts` in a directory, kills it at moments nobody chose, and looks at what is there after each. */
export async function killAgainAndAgain(directory: string, kills: number): Promise<KillReport> {
  const said = new Map<string, number>();
  let report: KillReport | undefined;
  const faults: string[] = [];
  let cutInHalf = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const output = await runUntilKilled(directory);
    for (const [, id = '', version] of output.matchAll(/committed (\S+) (\d+)\n/gu))
      said.set(id, Number(version));
    report = await look(directory, said);
    cutInHalf += report.cutInHalf;
    faults.push(...report.faults.map((fault) => `after kill ${kill}: ${fault}`));
  }
  return { kills, sessions: report?.sessions ?? 0, effects: report?.effects ?? 0, cutInHalf, faults };
}

async function runUntilKilled(directory: string): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: ROOT,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const gone = once(child, 'close');
  await eventually('it commits', () => output.includes('committed'), 60_000);
  // Not a wait for something to happen: the moment of the kill is what is random here.
  await sleep(Math.random() * 60);
  child.kill('SIGKILL');
  await gone;
  return output;
}

/** Compares the ledger with the world and with what the program had said before it was killed. */
async function look(directory: string, said: ReadonlyMap<string, number>): Promise<KillReport> {
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  const file = join(directory, 'effects');
  const world = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const effects = new Set(world);
  expect(effects.size === world.length, `${world.length - effects.size} effects came twice`);

  const { database, audit, sessions, outbox } = await openState(directory);
  try {
    const stored = await sessions.live(100_000);
    const sent = new Set((await outbox.waiting('memory', 1_000_000)).map(({ id }) => id));
    const begun = idsOf(await audit.entries('action.begun', 1_000_000));
    const ended = idsOf(await audit.entries('action.ended', 1_000_000));
    const versions = new Map(stored.map(({ session }) => [session.id, session.version]));
    for (const [id, version] of said)
      expect((versions.get(id) ?? 0) >= version, `${id} was said to be at version ${version} and is lost`);

    let cutInHalf = 0;
    let inLedger = 0;
    for (const { session, actions, messages, unreadable } of stored) {
      const done = actions.filter(({ status }) => status === 'done');
      const running = actions.filter(({ status }) => status === 'running');
      cutInHalf += running.length;
      const where = `session ${session.id} at version ${session.version}`;
      expect(unreadable === 0 && actions.length === 3, `${where} has ${actions.length} readable actions`);
      expect(
        session.meta['done'] === done.length,
        `${where} says ${session.meta['done']} done, the ledger ${done.length}`,
      );
      expect(
        messages.length === done.length,
        `${where} has ${messages.length} messages for ${done.length} actions`,
      );
      expect(
        ((await sessions.answeredTurn(`tr-${session.id}`)) !== undefined) === (done.length === 3),
        `${where} and its turn disagree`,
      );
      for (const { id, status, idempotencyKey } of actions) {
        const isEffective = effects.has(idempotencyKey);
        inLedger += Number(isEffective);
        expect(isEffective || status !== 'done', `${id} is done and has no effect`);
        expect(!isEffective || status !== 'pending', `${id} has an effect and was never begun`);
        expect(sent.has(id) === (status === 'done'), `${id} is ${status} and the outbox disagrees`);
        expect(
          begun.has(id) === (status !== 'pending'),
          `${id} is ${status} and the audit of its begin disagrees`,
        );
        expect(
          ended.has(id) === (status === 'done'),
          `${id} is ${status} and the audit of its end disagrees`,
        );
      }
    }
    expect(inLedger === effects.size, `${effects.size - inLedger} effects stand in no ledger`);
    const broken = await audit.firstBreak();
    expect(broken === undefined, `the audit breaks at ${broken}`);
    return { kills: 1, sessions: stored.length, effects: effects.size, cutInHalf, faults };
  } finally {
    await database.close();
  }
}

function idsOf(entries: readonly { readonly detail: unknown }[]): ReadonlySet<unknown> {
  return new Set(entries.map(({ detail }) => Reflect.get(Object(detail), 'id')));
}
