import { userInfo } from 'node:os';
import { z } from 'zod';
import { findDaemon } from '../composition/plant-watch.ts';
import { timeZoneOf } from '../composition/site.ts';
import { aligned } from './aligned.ts';
import { getControl, postControl } from './control-client.ts';
import { noDaemon } from './no-daemon.ts';
import { print } from './print.ts';
import { shownTime } from './shown-time.ts';
import { terminalLine } from './terminal-text.ts';

interface LockOptions {
  readonly config?: string;
  readonly json: boolean;
}

const lockSchema = z.object({
  machine: z.string(),
  names: z.object({ en: z.string(), zh: z.string() }),
  by: z.object({ id: z.string(), name: z.string() }),
  at: z.iso.datetime(),
  reason: z.string().optional(),
});
const listSchema = z.object({ locks: z.array(lockSchema) });

/** `hermes-edge locks`: the machines that nothing is written to. */
export async function listLocks(options: LockOptions): Promise<void> {
  const { reply, timeZone } = await asked(options, (socket) => getControl(socket, '/locks'));
  const { locks } = listSchema.parse(reply);
  print(options.json, { locks }, () =>
    locks.length === 0
      ? 'No machine is locked.'
      : aligned([
          ['machine', 'name', 'locked by', 'since', 'reason'],
          ...locks.map(({ machine, names, by, at, reason }) => [
            machine,
            `${names.en}, ${names.zh}`,
            by.name,
            shownTime(at, timeZone),
            reason ?? '',
          ]),
        ]).join('\n'),
  );
}

/** `hermes-edge lock MACHINE`: nothing is written to it until it is unlocked. */
export async function lockMachine(
  machine: string,
  options: LockOptions & { readonly by?: string; readonly reason?: string },
): Promise<void> {
  const { by = userInfo().username, reason } = options;
  const body = { machine, by, ...(reason === undefined ? {} : { reason }) };
  const { reply } = await asked(options, (socket) => postControl(socket, '/locks', body));
  const lock = lockSchema.parse(reply);
  print(options.json, lock, () =>
    terminalLine(
      `${lock.machine} is locked by ${lock.by.name}. Nothing is written to it until it is unlocked.`,
    ),
  );
}

/** `hermes-edge unlock MACHINE`, by whoever locked it or by a supervisor. */
export async function unlockMachine(
  machine: string,
  options: LockOptions & { readonly by?: string },
): Promise<void> {
  const { by = userInfo().username } = options;
  const { reply } = await asked(options, (socket) => postControl(socket, '/locks/end', { machine, by }));
  const lock = lockSchema.parse(reply);
  print(options.json, lock, () =>
    terminalLine(`${lock.machine} is unlocked; ${lock.by.name} had locked it.`),
  );
}

async function asked(
  options: LockOptions,
  ask: (socket: string) => Promise<unknown>,
): Promise<{ readonly reply: unknown; readonly timeZone: string }> {
  const found = await findDaemon(options.config);
  const reply = found === undefined ? undefined : await ask(found.socket);
  if (found === undefined || reply === undefined) throw noDaemon(found);
  return { reply, timeZone: timeZoneOf(found.site.config) };
}
