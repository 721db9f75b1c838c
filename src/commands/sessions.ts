import { z } from 'zod';
import { findDaemon } from '../composition/plant-watch.ts';
import { timeZoneOf } from '../composition/site.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { aligned } from './aligned.ts';
import { getControl } from './control-client.ts';
import { noDaemon } from './no-daemon.ts';
import { print } from './print.ts';
import { shownTime } from './shown-time.ts';
import { terminalLine } from './terminal-text.ts';

interface SessionsOptions {
  readonly config?: string;
  readonly json: boolean;
}

const summarySchema = z.object({
  id: z.string(),
  station: z.string(),
  state: z.string(),
  task: z.int(),
  created_at: z.iso.datetime(),
  last_active_at: z.iso.datetime(),
  archived_at: z.iso.datetime().optional(),
  is_waiting: z.boolean(),
});
const listSchema = z.object({ sessions: z.array(summarySchema) });
const sessionSchema = z.object({
  session: summarySchema.extend({
    user_id: z.string().optional(),
    version: z.int(),
    summary: z.string(),
    ledger: z.array(
      z.object({
        step: z.int(),
        tool: z.string(),
        status: z.string(),
        args: z.record(z.string(), z.unknown()),
        result: z.record(z.string(), z.unknown()).optional(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
    timeline: z.array(
      z.union([
        z.object({ at: z.iso.datetime(), by: z.string(), text: z.string() }),
        z.object({ at: z.iso.datetime(), event: z.string(), detail: z.record(z.string(), z.unknown()) }),
      ]),
    ),
    unreadable: z.int(),
  }),
});
type Summary = z.infer<typeof summarySchema>;
type Session = z.infer<typeof sessionSchema>['session'];

/** So much of an id tells sessions apart. */
const SHOWN_ID = 8;

/** `hermes-edge sessions list`: the sessions that the running daemon keeps. */
export async function listSessions(options: SessionsOptions): Promise<void> {
  const { reply, timeZone } = await fromDaemon(options, {});
  const { sessions } = listSchema.parse(reply);
  print(options.json, reply, () =>
    sessions.length === 0 ? 'No sessions.' : listLines(sessions, timeZone).join('\n'),
  );
}

/** `hermes-edge sessions show ID`: what one session is about, did and said. */
export async function showSession(id: string, options: SessionsOptions): Promise<void> {
  if (!/^[\da-f-]{1,36}$/u.test(id))
    throw new EdgeError('USAGE', `"${id}" is no id of a session, nor the beginning of one`, {
      hint: 'hermes-edge sessions list shows all',
    });
  const { reply, timeZone } = await fromDaemon(options, { 'hermes-session': id });
  const { session } = sessionSchema.parse(reply);
  print(options.json, reply, () => sessionLines(session, timeZone).join('\n'));
}

async function fromDaemon(
  options: SessionsOptions,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly reply: unknown; readonly timeZone: string }> {
  const found = await findDaemon(options.config);
  const reply = found === undefined ? undefined : await getControl(found.socket, '/sessions', headers);
  if (found === undefined || reply === undefined) throw noDaemon(found);
  return { reply, timeZone: timeZoneOf(found.site.config) };
}

function listLines(sessions: readonly Summary[], timeZone: string): string[] {
  return aligned([
    ['id', 'station', 'state', 'last used'],
    ...sessions.map((session) => [
      session.id.slice(0, SHOWN_ID),
      session.station,
      stateText(session),
      shownTime(session.last_active_at, timeZone),
    ]),
  ]);
}

function stateText({ state, archived_at: archivedAt, is_waiting: isWaiting }: Summary): string {
  if (archivedAt !== undefined) return 'archived';
  return isWaiting ? `${state}, waits for an answer` : state;
}

function sessionLines(session: Session, timeZone: string): string[] {
  const { ledger, timeline, unreadable } = session;
  return [
    `Session ${session.id} of ${terminalLine(session.station)}: ${stateText(session)}, task ${session.task}, version ${session.version}`,
    `Opened ${shownTime(session.created_at, timeZone)}, last used ${shownTime(session.last_active_at, timeZone)} (${timeZone})`,
    ...(session.user_id === undefined ? [] : [`Person: ${terminalLine(session.user_id)}`]),
    ...(session.summary === '' ? [] : [`Before: ${terminalLine(session.summary)}`]),
    ...(unreadable === 0 ? [] : [`${unreadable} entries of it cannot be read: see the log`]),
    '',
    ledger.length === 0 ? 'Nothing was done.' : 'Ledger',
    ...aligned(
      ledger.map(({ step, tool, status, args, result, error }) => [
        `  ${step}`,
        tool,
        status,
        JSON.stringify(args),
        error === undefined
          ? result === undefined
            ? ''
            : `-> ${JSON.stringify(result)}`
          : `${error.code}: ${error.message}`,
      ]),
    ),
    '',
    timeline.length === 0 ? 'Nothing was said.' : 'Timeline',
    ...aligned(
      timeline.map((line) => [
        `  ${shownTime(line.at, timeZone)}`,
        'text' in line ? line.by : line.event,
        'text' in line ? line.text : JSON.stringify(line.detail),
      ]),
    ),
  ];
}
