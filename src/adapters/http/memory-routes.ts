import { z } from 'zod';
import type { MemoryReports } from '../../app/memory/memory-reports.ts';

/** What `hermes-edge memory` asks for. */
export type MemoryHandlers = Pick<
  MemoryReports,
  | 'stats'
  | 'search'
  | 'show'
  | 'about'
  | 'facts'
  | 'pending'
  | 'settle'
  | 'add'
  | 'forget'
  | 'person'
  | 'erase'
  | 'log'
  | 'days'
  | 'day'
>;

/** Reads the body of the request. Rejects with EdgeError INPUT_INVALID. */
export type ReadBody = <S extends z.ZodType>(schema: S) => Promise<z.output<S>>;

const MAX_TEXT = 2000;
const words = z.string().trim().min(1, 'say what').max(MAX_TEXT, `longer than ${MAX_TEXT} characters`);
const id = z.string().trim().min(1, 'say which').max(100, 'no memory has so long an id');
const name = z.string().trim().min(1, 'say who').max(200, 'nobody has so long a name');
const by = name.optional();
/** What a Date can hold. */
const moment = z.int().min(-8.64e15).max(8.64e15);

const searchSchema = z.strictObject({ words, limit: z.int().min(1).max(20).default(5) });
const showSchema = z.strictObject({ id });
const aboutSchema = z.strictObject({ thing: words });
const factsSchema = z.strictObject({
  subject: words.max(200, 'nothing has so long a name').optional(),
  past: z.boolean().default(false),
  valid_at_ms: moment.optional(),
  known_at_ms: moment.optional(),
});
const settleSchema = z.strictObject({ id, says: z.enum(['verified', 'rejected']), by });
const addSchema = z.strictObject({ id, text: words, by });
const forgetSchema = z.strictObject({ id, by });
const personSchema = z.strictObject({ person: name });
const eraseSchema = z.strictObject({
  id: name,
  also: z.array(name).max(20, 'more than 20 other names').default([]),
});
const logSchema = z.strictObject({ limit: z.int().min(1).max(10_000).default(50) });
const daySchema = z.strictObject({
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/u, 'a day such as 2026-03-01'),
});

type Route = (memory: MemoryHandlers, read: ReadBody) => Promise<unknown>;

/** By method and path; all of them belong to the control socket alone. */
export const MEMORY_ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['GET /memory', (memory) => memory.stats()],
  ['GET /memory/pending', async (memory) => ({ facts: await memory.pending() })],
  ['GET /memory/archive', async (memory) => ({ days: await memory.days() })],
  ['POST /memory/archive', async (memory, read) => memory.day((await read(daySchema)).day)],
  [
    'POST /memory/search',
    async (memory, read) => {
      const asked = await read(searchSchema);
      return memory.search(asked.words, asked.limit);
    },
  ],
  ['POST /memory/show', async (memory, read) => memory.show((await read(showSchema)).id)],
  ['POST /memory/about', async (memory, read) => memory.about((await read(aboutSchema)).thing)],
  [
    'POST /memory/facts',
    async (memory, read) => {
      const { subject, past, valid_at_ms: validAtMs, known_at_ms: knownAtMs } = await read(factsSchema);
      return memory.facts({ subject, past, validAtMs, knownAtMs });
    },
  ],
  [
    'POST /memory/settle',
    async (memory, read) => {
      const asked = await read(settleSchema);
      return memory.settle(asked.id, asked.says, asked.by);
    },
  ],
  [
    'POST /memory/add',
    async (memory, read) => {
      const asked = await read(addSchema);
      return memory.add(asked.id, asked.text, asked.by);
    },
  ],
  [
    'POST /memory/forget',
    async (memory, read) => {
      const asked = await read(forgetSchema);
      return memory.forget(asked.id, asked.by);
    },
  ],
  ['POST /memory/person', async (memory, read) => memory.person((await read(personSchema)).person)],
  [
    'POST /memory/erase',
    async (memory, read) => {
      const asked = await read(eraseSchema);
      return memory.erase(asked.id, asked.also);
    },
  ],
  [
    'POST /memory/log',
    async (memory, read) => ({ entries: await memory.log((await read(logSchema)).limit) }),
  ],
]);
