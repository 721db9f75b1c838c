import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ArchiveDirectory } from '../adapters/files/archive-directory.ts';
import { openKeyedHash } from '../adapters/files/keyed-hash.ts';
import { SqliteCaptureInbox } from '../adapters/sqlite/sqlite-capture-inbox.ts';
import { SqliteMemoryStore } from '../adapters/sqlite/sqlite-memory-store.ts';
import { clockState } from '../adapters/systemd/clock-state.ts';
import { AnchorPool } from '../app/memory/anchor-pool.ts';
import { CaptureDating } from '../app/memory/capture-dating.ts';
import { FactCache } from '../app/memory/fact-cache.ts';
import { FactSweep } from '../app/memory/fact-sweep.ts';
import { FactVerifier } from '../app/memory/fact-verifier.ts';
import { FactWriter } from '../app/memory/fact-writer.ts';
import { Forgetter } from '../app/memory/forgetter.ts';
import { MemoryDesk } from '../app/memory/memory-desk.ts';
import { MemoryFeed } from '../app/memory/memory-feed.ts';
import { memoryPersonalStores } from '../app/memory/memory-personal-stores.ts';
import { MemoryWriter } from '../app/memory/memory-writer.ts';
import { Recaller } from '../app/memory/recaller.ts';
import { SiteDirectory } from '../app/memory/site-directory.ts';
import { SystemFactChecker } from '../app/memory/system-fact-checker.ts';
import type { FactView } from '../app/ports/fact-view.ts';
import type { PersonalStore } from '../app/ports/personal-store.ts';
import type { PlcReader } from '../app/ports/plc-reader.ts';
import type { ProcedureRepository } from '../app/ports/procedure-repository.ts';
import type { AlarmEvent } from '../domain/alarm/alarm-event.ts';
import { shiftCalendarOf } from '../domain/history/shift-calendar.ts';
import type { Language } from '../domain/language/language.ts';
import { MentionFinder } from '../domain/memory/anchors/mention-finder.ts';
import { compileNames } from '../domain/memory/anchors/name-index.ts';
import { siteNames } from '../domain/memory/anchors/site-names.ts';
import { toldAliases } from '../domain/memory/anchors/told-aliases.ts';
import type { Capture } from '../domain/memory/capture.ts';
import { captureOfAlarm } from '../domain/memory/capture-of-alarm.ts';
import { captureOfTurn, type EndedTurn } from '../domain/memory/capture-of-turn.ts';
import type { Fact } from '../domain/memory/fact.ts';
import type { FindMentions } from '../domain/memory/mention.ts';
import { IndexTerms } from '../domain/memory/recall/index-terms.ts';
import { type KeyedHash as RedactionHash, redact } from '../domain/memory/redact.ts';
import { WorkingMemory } from '../domain/memory/working-memory.ts';
import type { Service } from '../runtime/service.ts';
import { shippedGlossary, siteGlossary } from './glossary.ts';
import type { Runtime } from './runtime.ts';
import { type Site, timeZoneOf } from './site.ts';
import type { Storage } from './storage.ts';

/** What is remembered, and what keeps it going. */
export interface Memory {
  readonly desk: MemoryDesk;
  readonly facts: FactView;
  readonly store: SqliteMemoryStore;
  readonly archive: ArchiveDirectory;
  readonly working: WorkingMemory;
  readonly forgetter: Forgetter;
  readonly feed: MemoryFeed;
  readonly anchors: AnchorPool;
  readonly cache: FactCache;
  readonly factWriter: FactWriter;
  /** What is worth remembering of a turn, to be written together with its end. */
  capture(turn: EndedTurn): ReturnType<typeof captureOfTurn>;
  /** The same of an alarm. */
  captureAlarm(event: AlarmEvent): ReturnType<typeof captureOfAlarm>;
  /** Memory's share of erasing a person. */
  personal(procedures: Pick<ProcedureRepository, 'read'>): readonly PersonalStore[];
  /** Takes out of the archive what is older than the site keeps it; resolves with how many days. */
  pruneArchive(): Promise<number>;
  /** Does what READY need not wait for. */
  ready(): void;
  /** In the order of their start, behind the database. */
  readonly services: readonly Service[];
}

interface Parts {
  readonly site: Site;
  readonly storage: Storage;
  /** Where claims about machines are checked; without it only people check them. */
  readonly reader?: PlcReader;
  /** Says aloud what was not kept. */
  readonly tell?: (text: string, language: Language) => void;
}

/** No box had this program before: a clock that shows less was never set. */
const PLAUSIBLE_FROM_MS = Date.parse('2026-01-01T00:00:00Z');
const DAY_MS = 86_400_000;

/** Throws EdgeErrors for files that the configuration names. */
export function composeMemory({ site, storage, reader, tell }: Parts, runtime: Runtime): Memory {
  const { config, plant, people } = site;
  const { clocks, scheduler, logger } = runtime;
  const timeZone = timeZoneOf(config);
  const hash = openKeyedHash({
    stateDirectory: config.state_dir,
    credentialsDirectory: process.env['CREDENTIALS_DIRECTORY'],
  });
  const hashOf: RedactionHash = (kind, normalised) => hash.of(kind, normalised);
  const startedAtMs = clocks.monotonicMs();
  const isPlausible = (): boolean =>
    clockState() === 'synced' || clocks.wall().getTime() >= PLAUSIBLE_FROM_MS;
  // A site without a time service must forget too; a clock that was right for a day is not about to jump by years.
  const mayForget = (): boolean =>
    clockState() === 'synced' || (isPlausible() && clocks.monotonicMs() - startedAtMs >= DAY_MS);
  const store = new SqliteMemoryStore({ file: join(config.state_dir, 'memory.db') }, runtime);
  const cache = new FactCache({ store, clocks, scheduler, logger, isClockSet: isPlausible });
  const ownGlossary = siteGlossary(config);
  const terms = new IndexTerms(() => {
    const { concepts, near } = shippedGlossary();
    return {
      concepts: [...concepts, ...ownGlossary.concepts],
      near: [...near, ...ownGlossary.near],
    };
  });
  const names = siteNames(plant, people);
  const directory = new SiteDirectory(() => new MentionFinder(compileNames(names)));
  const anchors = new AnchorPool({ names, directory, clocks, scheduler, logger });
  const find: FindMentions = (text, language) =>
    anchors
      .find(text, language)
      // A word that only sounds like somebody is not said of them.
      .filter(({ kind, exact, candidates }) => kind !== 'person' || exact || candidates.length > 1)
      .map((mention) => ({ ...mention, candidates: mention.candidates.map(idOf) }));
  const learnAliases = (facts: readonly Fact[]): void =>
    anchors.addAliases(toldAliases(facts, clocks.wall().getTime()));
  const factWriter = new FactWriter({
    store,
    cache: {
      // Every fact that is written passes here: told, approved, or verified by its system.
      take: (facts) => {
        cache.take(facts);
        learnAliases(facts);
      },
      drop: (ids) => cache.drop(ids),
      ofKey: (key) => cache.ofKey(key),
    },
    clocks,
    newId: () => `f.${randomUUID()}`,
  });
  const writer = new MemoryWriter({
    store,
    facts: factWriter,
    find,
    terms,
    hash: hashOf,
    clocks,
    timeZone,
    isClockSet: isPlausible,
  });
  const recaller = new Recaller({
    store,
    factsAbout: (subjects) => cache.about(subjects),
    find,
    terms,
    clocks,
    setting: { timeZone, shifts: shiftCalendarOf(config.shifts) },
  });
  const working = new WorkingMemory();
  const { max_size_mb: maxSizeMb } = config.memory.archive;
  const archive = new ArchiveDirectory(
    { directory: join(config.state_dir, 'archive'), maxBytes: maxSizeMb * 1e6 },
    runtime,
  );
  const forgetter = new Forgetter({
    store,
    facts: new FactSweep({ store, writer: factWriter, archive, recheck: () => undefined }),
    archive,
    clocks,
    scheduler,
    logger,
    isClockSet: mayForget,
  });
  const inbox = new SqliteCaptureInbox({ database: storage.database, clocks, logger });
  const dating = new CaptureDating({ clocks, isClockSet: isPlausible });
  const feed = new MemoryFeed({
    audit: storage.audit,
    inbox,
    remember: async (capture) => {
      const { kind } = await writer.write(dating.dated(capture));
      return kind === 'refreshed' ? 'repeated' : kind;
    },
    scheduler,
    logger,
  });
  const verifier =
    reader === undefined
      ? undefined
      : new FactVerifier({
          store,
          writer: factWriter,
          checker: new SystemFactChecker({ plant, reader, orders: storage.workOrders, clocks }),
          audit: storage.audit,
          telling: {
            rejected: ({ text, language }) =>
              tell?.(site.phrases.say(language, 'fact_rejected', { text }), language),
          },
          clocks,
          scheduler,
          logger,
        });
  const desk = new MemoryDesk({
    store,
    writer,
    facts: factWriter,
    cache,
    recaller,
    working,
    find,
    hash: hashOf,
    audit: storage.audit,
    clocks,
    inbox,
    dating,
  });
  // What must not be kept is not even kept until it is remembered.
  const kept = (capture: Capture): Capture =>
    dating.stamped({ ...capture, text: redact(capture.text, hashOf).text });
  return {
    desk,
    facts: cache,
    store,
    archive,
    working,
    forgetter,
    feed,
    anchors,
    cache,
    factWriter,
    personal: (procedures) =>
      memoryPersonalStores({ store, inbox, archive, working, cache, anchors, feed, procedures, hash }),
    pruneArchive: () => archive.prune(config.memory.archive.keep_days),
    capture: (turn) => {
      const capture = captureOfTurn(turn);
      return capture && kept(capture);
    },
    captureAlarm: (event) =>
      kept(
        captureOfAlarm(event, config.language, {
          keyOf: (text) => createHash('sha256').update(text).digest('hex').slice(0, 32),
          machines: [...plant.machines.keys()],
        }),
      ),
    ready: () => {
      terms.prepare();
      store
        .factsNow()
        .then(learnAliases)
        .catch((error: unknown) => logger.warn({ error: String(error) }, 'nicknames could not be read'));
    },
    services: [store, cache, feed, forgetter, ...(verifier === undefined ? [] : [verifier])],
  };
}

function idOf(anchor: string): string {
  return anchor.slice(anchor.indexOf(':') + 1);
}
