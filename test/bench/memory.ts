/**
 * 100,000 episodes in two languages, whose words are as unevenly common as words are, through the real store; then writes
 * one by one, as captures come, and searches such as recall makes. The peer is plain FTS5 over the same rows in a file of its
 * own: any of the terms, `ORDER BY bm25`. How much of the peer's first five the store finds is given beside the times.
 * MEMORY_EPISODES makes it smaller.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Database } from '../../src/adapters/sqlite/database.ts';
import { insertMany } from '../../src/adapters/sqlite/history-rows.ts';
import { SqliteMemoryStore } from '../../src/adapters/sqlite/sqlite-memory-store.ts';
import type { EpisodeQuery, IndexedEpisode } from '../../src/app/ports/memory-store.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import { asked, fact, indexed, MEMORY_START_MS } from '../support/memory-site.ts';
import { SeededRandom } from '../support/random.ts';
import { percentile, report } from './report.ts';

const EPISODES = Number(process.env['MEMORY_EPISODES'] ?? 100_000);
const BATCH = 200;
const WRITES = 400;
const QUERIES = 100;
const WORDS = 4000;
const MACHINES = 60;
const STEP_MS = 240_000;
const BUDGET = { recall_p95_ms: 10, write_p95_ms: 5 };

const random = new SeededRandom(77);
const SYLLABLES = [
  'ka',
  'ro',
  'ven',
  'ti',
  'mal',
  'ser',
  'po',
  'lin',
  'dra',
  'que',
  'sto',
  'ning',
  'fa',
  'ble',
] as const;
const CHARACTERS = [...'水泵阀门油压温度高低清洗换停机启动报警电流轴承漏密封班组检查维修带速产线冷却风扇'];

function unique(count: number, make: () => string): string[] {
  const words = new Set<string>();
  while (words.size < count) words.add(make());
  return [...words];
}
const english = unique(WORDS, () =>
  Array.from({ length: 1 + random.below(3) + random.below(2) }, () => random.pick(SYLLABLES)).join(''),
);
const chinese = unique(WORDS, () =>
  Array.from({ length: 2 + random.below(2) }, () => CHARACTERS[random.below(CHARACTERS.length)]).join(''),
);

/** The rank of a word as often as Zipf has it: the first ones in most texts, half of them hardly ever. */
function rank(): number {
  return Math.min(WORDS - 1, Math.floor(WORDS ** random.next()) - 1);
}

function textOf(n: number): { readonly text: string; readonly language: 'en' | 'zh' } {
  const language = random.next() < 0.5 ? 'en' : 'zh';
  const words = language === 'en' ? english : chinese;
  const length = 8 + random.below(14) + (random.next() < 0.05 ? 60 : 0);
  const said = Array.from({ length }, () => words[rank()] ?? '');
  if (random.next() < 0.2) said.push(`e-${100 + random.below(900)}`);
  if (random.next() < 0.05) said.push(`wo-${n}`);
  return { text: said.join(' '), language };
}

let before = '';
function episode(n: number): IndexedEpisode {
  const { text, language } = textOf(n);
  const machine = `pump-${Math.floor(MACHINES ** random.next())}`;
  const around = before;
  before = text.split(' ').slice(0, 6).join(' ');
  const entities = [{ kind: 'machine', text: machine, id: machine, exact: true } as const];
  const made = indexed(
    n,
    { atMs: MEMORY_START_MS + n * STEP_MS, text, language, summary: text.slice(0, 80), entities },
    around,
  );
  return { ...made, terms: `${made.terms} ${machine}` };
}

const directory = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
const file = join(directory, 'memory.db');
const parts = { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() };
let store = new SqliteMemoryStore({ file }, parts);
await store.start();
const { database: peer } = await Database.open(
  join(directory, 'peer.db'),
  ["CREATE VIRTUAL TABLE episode USING fts5(terms, around, body, tokenize = 'unicode61')"],
  new Date(),
);

async function timed<T>(took: number[], work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  took.push(performance.now() - startedMs);
  return result;
}

const batchMs: number[] = [];
let n = 0;
while (n < EPISODES) {
  const episodes = Array.from({ length: Math.min(BATCH, EPISODES - n) }, () => episode(n++));
  await timed(batchMs, () => store.commit({ episodes, log: [] }));
  await peer.write((writer) =>
    insertMany(
      writer,
      'INSERT INTO episode (rowid, terms, around, body)',
      episodes.map(({ episode: { id }, terms, around }) => [Number(id.slice(8)) + 1, terms, around, id]),
    ),
  );
  if (n % 20_000 === 0) process.stderr.write(`${n} episodes: ${Math.round(performance.now() / 1000)} s\n`);
}

const writeMs: number[] = [];
for (let written = 0; written < WRITES; written += 1) {
  const one = episode(n++);
  const { id } = one.episode;
  await timed(writeMs, () =>
    store.commit({
      episodes: [one],
      facts: [fact(n, { subject: `machine:pump-${n % MACHINES}` })],
      log: [{ action: 'capture', target: id, source: 'operator', atMs: n, bytesBefore: 300, bytesAfter: 90 }],
    }),
  );
}
await store.stop();
const bytes = statSync(file).size;

// Cold: a new store, which has read nothing yet.
store = new SqliteMemoryStore({ file }, parts);
await store.start();

const word = (at: number) => random.pick([english[at] ?? '', chinese[at] ?? '']);
const common = () => word(random.below(20));
const usual = () => word(20 + random.below(500));
const rare = () => word(1000 + random.below(WORDS - 1000));
const machine = () => `machine:pump-${1 + random.below(MACHINES - 1)}`;
const from = () => MEMORY_START_MS + random.below(EPISODES) * STEP_MS;
const zh = (below: number) => chinese[random.below(below)] ?? '';
const KINDS: Readonly<Record<string, () => Partial<EpisodeQuery>>> = {
  common_words: () => ({ terms: [common(), common(), common(), common()] }),
  usual_words: () => ({ terms: [common(), usual(), usual(), rare()] }),
  codes: () => ({ terms: [`e-${100 + random.below(900)}`, common()] }),
  chinese: () => ({ terms: [zh(20), zh(300), zh(2000), zh(4000), zh(4000)] }),
  entity: () => ({ terms: [common(), usual()], entities: [machine()] }),
  period: () => {
    const fromMs = from();
    return { terms: [common(), usual()], fromMs, toMs: fromMs + (1 + random.below(30)) * 86_400_000 };
  },
  newest: () => ({ terms: [common(), usual()], entities: [machine()], byTime: true }),
};
const FREE = ['common_words', 'usual_words', 'codes', 'chinese'];

const recallMs: number[] = [];
const kindMs = new Map<string, number[]>();
const peerMs: number[] = [];
let same = 0;
let wanted = 0;
const rowSchema = z.object({ body: z.string(), score: z.number() });
for (const [kind, make] of Object.entries(KINDS)) {
  const took: number[] = [];
  kindMs.set(kind, took);
  for (let query = 0; query < QUERIES; query += 1) {
    const { terms = [], ...rest } = make();
    const found = await timed(took, () => store.search(asked({ terms, ...rest })));
    if (!FREE.includes(kind)) continue;
    const match = terms.map((term) => `"${term}"`).join(' OR ');
    const rows = await timed(peerMs, () =>
      peer.all(
        rowSchema,
        'SELECT body, bm25(episode, 1.0, 0.5) AS score FROM episode WHERE episode MATCH ? ORDER BY score LIMIT 20',
        [match],
      ),
    );
    const ids = new Set(found.map((each) => each.episode.id));
    same += rows.slice(0, 5).filter(({ body }) => ids.has(body)).length;
    wanted += Math.min(5, rows.length);
  }
  recallMs.push(...took);
}
const frequencyMs: number[] = [];
for (let query = 0; query < QUERIES; query += 1)
  await timed(frequencyMs, () => store.frequencies([common(), usual(), usual(), rare(), rare()]));
const eraseMs: number[] = [];
await store.commit({ episodes: [indexed(n, { userId: 'gone' })], log: [] });
await timed(eraseMs, () => store.erase({ personIds: ['gone'], forms: ['nobody at all'], pseudonym: 'p' }));
const figures = await store.figures();
await store.stop();
await peer.close();
rmSync(directory, { recursive: true });

const peerP95 = percentile(peerMs, 0.95);
const freeMs = FREE.flatMap((kind) => kindMs.get(kind) ?? []);
report(
  'memory',
  {
    episodes: figures.episodes,
    recall_p50_ms: percentile(recallMs, 0.5),
    recall_p95_ms: percentile(recallMs, 0.95),
    ...Object.fromEntries([...kindMs].map(([kind, took]) => [`${kind}_p95_ms`, percentile(took, 0.95)])),
    write_p50_ms: percentile(writeMs, 0.5),
    write_p95_ms: percentile(writeMs, 0.95),
    write_p99_ms: percentile(writeMs, 0.99),
    batch_ms_per_episode: percentile(batchMs, 0.5) / BATCH,
    bytes_per_episode: bytes / figures.episodes,
    frequencies_p95_ms: percentile(frequencyMs, 0.95),
    erase_ms: percentile(eraseMs, 0.5),
    peer_recall_p95_ms: peerP95,
    recall_over_peer: percentile(freeMs, 0.95) / peerP95,
    of_peers_first_five: same / wanted,
  },
  BUDGET,
);
