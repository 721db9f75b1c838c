import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import type { z } from 'zod';
import { findDaemon } from '../composition/plant-watch.ts';
import { timeZoneOf } from '../composition/site.ts';
import type { PeriodSetting } from '../domain/history/period.ts';
import { shiftCalendarOf } from '../domain/history/shift-calendar.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { getControl, postControl } from './control-client.ts';
import {
  aboutLines,
  addedLines,
  dayLines,
  erasedLines,
  factLines,
  logLines,
  searchLines,
  shownLines,
} from './memory-lines.ts';
import {
  aboutSchema,
  addedSchema,
  daySchema,
  daysSchema,
  erasedSchema,
  factSchema,
  factsSchema,
  forgottenSchema,
  logSchema,
  pendingSchema,
  personSchema,
  searchSchema,
  shownSchema,
  statsSchema,
} from './memory-replies.ts';
import { statsLines } from './memory-stats-lines.ts';
import { parseMoment } from './moment.ts';
import { noDaemon } from './no-daemon.ts';
import { print } from './print.ts';
import { terminalLine } from './terminal-text.ts';

interface MemoryOptions {
  readonly config?: string;
  readonly json: boolean;
}
type ByOptions = MemoryOptions & { readonly by?: string };

/** Clearing the bytes of a large file takes long on a card. */
const ERASE_WITHIN_MS = 1_800_000;
const STILL_AFTER_MS = 5000;

/** `hermes-edge memory stats`: every level, what is in it and how long that stays. */
export async function memoryStats(options: MemoryOptions): Promise<void> {
  const box = await boxOf(options);
  const reply = await box.get('/memory');
  show(options, reply, statsSchema, (stats) => statsLines(stats, box.timeZone));
}

/** `hermes-edge memory search WORDS…`: what the same words find when they are spoken. */
export async function searchMemory(
  words: string,
  options: MemoryOptions & { readonly limit: number },
): Promise<void> {
  const box = await boxOf(options);
  const reply = await box.post('/memory/search', { words, limit: options.limit });
  show(options, reply, searchSchema, (found) => searchLines(found, box.timeZone));
}

/** `hermes-edge memory show ID`: where something came from, what was told in it, and what was done to it. */
export async function showMemory(id: string, options: MemoryOptions): Promise<void> {
  const box = await boxOf(options);
  const reply = await box.post('/memory/show', { id });
  show(options, reply, shownSchema, (shown) => shownLines(shown, box.timeZone));
}

/** `hermes-edge memory about THING…`. */
export async function memoryAbout(thing: string, options: MemoryOptions): Promise<void> {
  const box = await boxOf(options);
  const reply = await box.post('/memory/about', { thing });
  show(options, reply, aboutSchema, (about) => aboutLines(about, box.timeZone));
}

/** `hermes-edge memory facts [SUBJECT]`: what is believed; with `--at` what held then, with `--known-at` what was believed then. */
export async function listFacts(
  subject: string | undefined,
  options: MemoryOptions & { readonly past: boolean; readonly at?: string; readonly knownAt?: string },
): Promise<void> {
  const box = await boxOf(options);
  const { at, knownAt, past } = options;
  const reply = await box.post('/memory/facts', {
    ...(subject === undefined ? {} : { subject }),
    past,
    ...(at === undefined ? {} : { valid_at_ms: parseMoment(at, '--at', box.period) }),
    ...(knownAt === undefined ? {} : { known_at_ms: parseMoment(knownAt, '--known-at', box.period) }),
  });
  show(options, reply, factsSchema, ({ facts, left_out: leftOut }) => [
    ...(facts.length === 0 ? ['No facts.'] : factLines(facts, box.timeZone)),
    ...(leftOut === 0 ? [] : [`and ${leftOut} more: name a subject`]),
  ]);
}

/** `hermes-edge memory pending`: what waits for a second signature, or is disputed. */
export async function listPending(options: MemoryOptions): Promise<void> {
  const box = await boxOf(options);
  const reply = await box.get('/memory/pending');
  show(options, reply, pendingSchema, ({ facts }) =>
    facts.length === 0 ? ['No fact waits to be reviewed.'] : factLines(facts, box.timeZone),
  );
}

/** `hermes-edge memory approve ID` and `reject ID`. */
export async function settleFact(
  id: string,
  says: 'verified' | 'rejected',
  options: ByOptions,
): Promise<void> {
  const reply = await (await boxOf(options)).post('/memory/settle', { id, says, ...byOf(options) });
  show(options, reply, factSchema, ({ subject, predicate, value }) => [
    terminalLine(`${subject} ${predicate} = ${value} is ${says} now.`),
  ]);
}

/** `hermes-edge memory add TEXT…`. */
export async function addMemory(text: string, options: ByOptions): Promise<void> {
  const body = { id: `cli.${randomUUID()}`, text, ...byOf(options) };
  const reply = await (await boxOf(options)).post('/memory/add', body);
  show(options, reply, addedSchema, addedLines);
}

/** `hermes-edge memory forget ID`. */
export async function forgetMemory(id: string, options: ByOptions): Promise<void> {
  const reply = await (await boxOf(options)).post('/memory/forget', { id, ...byOf(options) });
  show(options, reply, forgottenSchema, ({ episodes, facts }) => [
    `Forgotten, with ${facts.length} facts that were told in it:`,
    ...episodes.map(({ text }) => terminalLine(`  ${text}`)),
  ]);
}

/** `hermes-edge memory erase PERSON`: everywhere, for good. Asks first on a terminal; elsewhere `--yes` has to say so. */
export async function erasePerson(
  written: string,
  options: MemoryOptions & { readonly also: readonly string[]; readonly yes: boolean },
): Promise<void> {
  const box = await boxOf(options);
  const { id, name } = personSchema.parse(await box.post('/memory/person', { person: written }));
  const who = terminalLine(
    name === undefined ? `"${id}", whom the people file does not list` : `${name} (${id})`,
  );
  if (!options.yes) await confirm(who, id);
  const begunMs = Date.now();
  process.stderr.write(`Erasing ${who} …\n`);
  const still = setInterval(() => {
    process.stderr.write(`still erasing, ${Math.round((Date.now() - begunMs) / 1000)} s\n`);
  }, STILL_AFTER_MS);
  try {
    const reply = await box.post('/memory/erase', { id, also: options.also }, ERASE_WITHIN_MS);
    show(options, reply, erasedSchema, erasedLines);
  } finally {
    clearInterval(still);
  }
}

/** `hermes-edge memory log`: what memory did to itself, the newest first. */
export async function memoryLog(options: MemoryOptions & { readonly limit: number }): Promise<void> {
  const box = await boxOf(options);
  const reply = await box.post('/memory/log', { limit: options.limit });
  show(options, reply, logSchema, ({ entries }) =>
    entries.length === 0 ? ['Nothing was remembered yet.'] : logLines(entries, box.timeZone),
  );
}

/** `hermes-edge memory archive [DAY]`: what memory has let go of, for an audit. */
export async function memoryArchive(day: string | undefined, options: MemoryOptions): Promise<void> {
  const box = await boxOf(options);
  if (day !== undefined)
    return show(options, await box.post('/memory/archive', { day }), daySchema, dayLines);
  show(options, await box.get('/memory/archive'), daysSchema, ({ days }) =>
    days.length === 0 ? ['Nothing is archived.'] : days,
  );
}

interface Box {
  readonly timeZone: string;
  readonly period: PeriodSetting;
  get(path: string): Promise<unknown>;
  post(path: string, body: unknown, withinMs?: number): Promise<unknown>;
}

async function boxOf({ config: file }: MemoryOptions): Promise<Box> {
  const found = await findDaemon(file);
  if (found === undefined) throw noDaemon(found);
  const { config } = found.site;
  const timeZone = timeZoneOf(config);
  const answered = (reply: unknown): unknown => {
    if (reply === undefined) throw noDaemon(found);
    return reply;
  };
  return {
    timeZone,
    period: { nowMs: Date.now(), timeZone, shifts: shiftCalendarOf(config.shifts) },
    get: async (path) => answered(await getControl(found.socket, path)),
    post: async (path, body, withinMs) => answered(await postControl(found.socket, path, body, withinMs)),
  };
}

function byOf({ by }: ByOptions): { readonly by?: string } {
  return by === undefined ? {} : { by };
}

function show<S extends z.ZodType>(
  { json }: MemoryOptions,
  reply: unknown,
  schema: S,
  lines: (reply: z.output<S>) => readonly string[],
): void {
  const parsed = schema.parse(reply);
  print(json, reply, () => lines(parsed).join('\n'));
}

async function confirm(who: string, id: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new EdgeError('USAGE', `${who} would be erased for good: say so with --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const said = await terminal.question(
      `${who} will be erased everywhere. It cannot be undone.\nType ${terminalLine(id)} to go on: `,
    );
    if (said.trim() !== id) throw new EdgeError('NOT_CONFIRMED', 'nothing was erased');
  } finally {
    terminal.close();
  }
}
