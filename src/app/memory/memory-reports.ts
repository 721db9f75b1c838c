import { languageOf } from '../../domain/language/language.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import { factsAt, isCurrent, knownAt } from '../../domain/memory/fact-history.ts';
import type { Mention } from '../../domain/memory/mention.ts';
import type { PeopleDirectory } from '../../domain/people/directory.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import { type Caller, ROLES, type Role } from '../../domain/tool/tool-call.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import { personNamed } from '../named-caller.ts';
import type { MemoryArchive } from '../ports/memory-archive.ts';
import type { MemoryStore } from '../ports/memory-store.ts';
import type { ErasureReport, PersonEraser } from '../privacy/person-eraser.ts';
import type { MemoryDesk } from './memory-desk.ts';
import type { LevelsOfMemory, MemoryLevels } from './memory-levels.ts';
import {
  type EpisodeReport,
  episodeReport,
  type FactReport,
  factReport,
  type LogReport,
  logReport,
} from './memory-report.ts';

interface Parts {
  readonly desk: Pick<MemoryDesk, 'remember' | 'recall' | 'about' | 'forget' | 'pending' | 'settle'>;
  readonly levels: Pick<LevelsOfMemory, 'look'>;
  readonly store: Pick<MemoryStore, 'episode' | 'factsNow' | 'factsOf' | 'log'>;
  readonly archive: Pick<MemoryArchive, 'days' | 'read'>;
  readonly eraser: Pick<PersonEraser, 'erase'>;
  readonly plant: Pick<PlantModel, 'machineList'>;
  readonly people: PeopleDirectory;
  /** Of whoever is at the command line of this box without saying who: `stations.ask`. */
  readonly role: Role;
  readonly clocks: Pick<Clocks, 'wall'>;
}

export interface SearchReport {
  /** Why nothing may be answered, or undefined. */
  readonly abstains: string | undefined;
  /** The time ended before everything was looked through. */
  readonly is_cut: boolean;
  readonly items: readonly {
    readonly score: number;
    readonly coverage: number;
    readonly age_s: number;
    readonly episode: EpisodeReport;
  }[];
}

export interface EpisodeShown {
  readonly episode: EpisodeReport | undefined;
  readonly facts: readonly FactReport[];
  readonly log: readonly LogReport[];
}

export interface FactsAsked {
  /** A key such as `machine:pump-7`, or a name; without one, all that is known now. */
  readonly subject?: string | undefined;
  /** What is not known any more, too. */
  readonly past?: boolean | undefined;
  /** What held then, in milliseconds since 1970. */
  readonly validAtMs?: number | undefined;
  /** As the box knew then, in milliseconds since 1970. */
  readonly knownAtMs?: number | undefined;
}

export interface ListedFacts {
  readonly facts: readonly FactReport[];
  /** More than are given. */
  readonly left_out: number;
}

export interface ArchivedDay {
  readonly day: string;
  readonly memories: readonly { readonly id: string; readonly memory: unknown }[];
  readonly left_out: number;
  readonly damaged_bytes: number;
}

/** In audit and memory, for what was asked for at the command line. */
const STATION = 'ask';
const SESSION = 'memory-command';
const MOST_FACTS = 1000;
const MOST_ARCHIVED = 2000;
/** So far back the log is looked through for one memory. */
const LOOKED_AT_LOG = 10_000;
const MOST_ROWS = 1000;
const SUBJECT = /^(?:site|(?:machine|line|person|point|part|code):.+)$/su;
const WHO = 'say who with --by and an id or a name of the people file';

/** Memory for the command line of the box. Everything rejects with the EdgeErrors of the stores, besides those that are named. */
export class MemoryReports {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  stats(): Promise<MemoryLevels> {
    return this.#parts.levels.look();
  }

  /** What the same words find when they are spoken. */
  async search(words: string, limit: number): Promise<SearchReport> {
    const found = await this.#parts.desk.recall(words, languageOf(words), { sessionId: SESSION }, limit);
    return {
      abstains: found.abstains,
      is_cut: found.isCut,
      items: found.items.map(({ episode, score, coverage, ageMs }) => ({
        score,
        coverage,
        age_s: Math.round(ageMs / 1000),
        episode: episodeReport(episode),
      })),
    };
  }

  /**
   * An episode with the facts that were told in it, or a fact with the history of its key and what it was told in; and what was
   * done to it. Rejects with EdgeError MEMORY_UNKNOWN.
   */
  async show(id: string): Promise<EpisodeShown> {
    const { store } = this.#parts;
    const now = await store.factsNow();
    const fact = now.find((each) => each.id === id);
    const episode = await store.episode(fact?.episodeId ?? id);
    if (fact === undefined && episode === undefined) throw await this.#unknown(id);
    const named = episode?.entities.flatMap(({ kind, id: of }) =>
      of === undefined ? [] : [`${kind}:${of}`],
    );
    const subjects = fact === undefined ? [...new Set(named)] : [fact.subject];
    const rows = [...now];
    for (const subject of subjects) rows.push(...(await store.factsOf(subject, MOST_ROWS)));
    const facts = [...new Map(rows.map((row) => [row.id, row])).values()].filter((row) =>
      fact === undefined
        ? row.episodeId === id
        : row.scope === fact.scope && row.subject === fact.subject && row.predicate === fact.predicate,
    );
    const ids = new Set([id, ...(fact === undefined ? [] : facts.map((row) => row.id))]);
    const log = await store.log(LOOKED_AT_LOG);
    return {
      episode: episode === undefined ? undefined : episodeReport(episode),
      facts: facts.toSorted(byRecording).map(factReport),
      log: log.filter(({ target }) => ids.has(target)).map(logReport),
    };
  }

  /** What is known of the things that a text names. Rejects with EdgeError INPUT_INVALID when it names none of the site. */
  async about(text: string): Promise<{
    readonly mentions: readonly Mention[];
    readonly facts: readonly FactReport[];
    readonly episodes: readonly EpisodeReport[];
  }> {
    const { mentions, facts, episodes } = await this.#parts.desk.about(text, languageOf(text));
    if (mentions.length === 0) throw this.#unnamed(text);
    return { mentions, facts: facts.map(factReport), episodes: episodes.map(episodeReport) };
  }

  /** Rejects with EdgeError INPUT_INVALID for a subject that there is not, and for the past of everything at once. */
  async facts({ subject, past = false, validAtMs, knownAtMs }: FactsAsked): Promise<ListedFacts> {
    if (subject === undefined) {
      if (past || knownAtMs !== undefined)
        throw new EdgeError('INPUT_INVALID', 'the past is told of one thing at a time: say of which', {
          hint: 'hermes-edge memory facts lists what is known now, with its subjects',
        });
      const now = await this.#parts.store.factsNow();
      return listed(validAtMs === undefined ? now : factsAt(now, { validMs: validAtMs, knownMs: Infinity }));
    }
    const rows: Fact[] = [];
    for (const each of await this.#subjects(subject))
      rows.push(...(await this.#parts.store.factsOf(each, MOST_ROWS)));
    const knownMs = knownAtMs ?? this.#parts.clocks.wall().getTime();
    if (validAtMs !== undefined) return listed(factsAt(rows, { validMs: validAtMs, knownMs }));
    if (knownAtMs !== undefined) return listed(knownAt(rows, knownMs));
    return listed(past ? rows : rows.filter(isCurrent));
  }

  async pending(): Promise<readonly FactReport[]> {
    return (await this.#parts.desk.pending()).map(factReport);
  }

  /**
   * A person's signature, or refusal. Rejects with EdgeError MEMORY_UNKNOWN, DENIED below maintainer, INPUT_INVALID for somebody whom nobody
   * knows; so do the next ones.
   */
  async settle(id: string, says: 'verified' | 'rejected', by?: string): Promise<FactReport> {
    const caller = this.#caller(by);
    const pending = await this.#parts.desk.pending();
    if (!pending.some((fact) => fact.id === id))
      throw new EdgeError(
        'MEMORY_UNKNOWN',
        `no fact ${id} waits to be reviewed.${didYouMean(
          id,
          pending.map((fact) => fact.id),
        )}`,
        { hint: 'hermes-edge memory pending lists them' },
      );
    return factReport(await this.#parts.desk.settle(id, says, caller));
  }

  /** `id` is equal for repeats of one wish. */
  async add(
    id: string,
    text: string,
    by?: string,
  ): Promise<{
    readonly kind: string;
    readonly episode: EpisodeReport | undefined;
    readonly facts: readonly { readonly what: string; readonly fact: FactReport | undefined }[];
  }> {
    const { kind, episode, facts } = await this.#parts.desk.remember({
      id,
      text,
      language: languageOf(text),
      caller: this.#caller(by),
    });
    return {
      kind,
      episode: episode === undefined ? undefined : episodeReport(episode),
      facts: facts.map(({ what, fact }) => ({
        what,
        fact: fact === undefined ? undefined : factReport(fact),
      })),
    };
  }

  async forget(
    id: string,
    by?: string,
  ): Promise<{ readonly episodes: readonly EpisodeReport[]; readonly facts: readonly FactReport[] }> {
    const caller = this.#caller(by);
    if ((await this.#parts.store.episode(id)) === undefined) throw await this.#unknown(id);
    const { episodes, facts } = await this.#parts.desk.forget(id, caller);
    return { episodes: episodes.map(episodeReport), facts: facts.map(factReport) };
  }

  /** Whom an erasure would be of; `name` is undefined for an id that the people file does not have (any more). */
  person(written: string): { readonly id: string; readonly name: string | undefined } {
    const { people } = this.#parts;
    const found = people.find(written);
    if (found.kind === 'none') return { id: written, name: undefined };
    const { id, names } = personNamed(written, people, 'give the id of the people file');
    return { id, name: `${names.en}, ${names.zh}` };
  }

  /** Rejects as `PersonEraser.erase`. */
  erase(personId: string, also: readonly string[]): Promise<ErasureReport> {
    return this.#parts.eraser.erase(personId, also);
  }

  /** The newest first. */
  async log(limit: number): Promise<readonly LogReport[]> {
    return (await this.#parts.store.log(limit)).map(logReport);
  }

  days(): Promise<readonly string[]> {
    return this.#parts.archive.days();
  }

  /** Rejects with EdgeError INPUT_INVALID for a day of which nothing is archived. */
  async day(day: string): Promise<ArchivedDay> {
    const days = await this.days();
    if (!days.includes(day))
      throw new EdgeError('INPUT_INVALID', `nothing is archived of ${day}.${didYouMean(day, days)}`, {
        hint: 'hermes-edge memory archive lists the days',
      });
    const { lines, damagedBytes } = await this.#parts.archive.read(day);
    return {
      day,
      memories: lines.slice(0, MOST_ARCHIVED).map(({ id, text }) => ({ id, memory: JSON.parse(text) })),
      left_out: Math.max(0, lines.length - MOST_ARCHIVED),
      damaged_bytes: damagedBytes,
    };
  }

  async #subjects(written: string): Promise<readonly string[]> {
    if (SUBJECT.test(written)) return [written];
    const { mentions } = await this.#parts.desk.about(written, languageOf(written));
    if (mentions.length === 0) throw this.#unnamed(written);
    return [...new Set(mentions.flatMap(({ kind, candidates }) => candidates.map((id) => `${kind}:${id}`)))];
  }

  #unnamed(text: string): EdgeError {
    const { plant, people } = this.#parts;
    const names = [...plant.machineList(), ...people.spokenList()].flatMap(({ value, spoken }) => [
      String(value),
      ...spoken.en,
      ...spoken.zh,
    ]);
    return new EdgeError('INPUT_INVALID', `"${text}" names nothing of the site.${didYouMean(text, names)}`, {
      hint: 'a machine, a line or a person by any name; or a subject such as code:E-203',
    });
  }

  async #unknown(id: string): Promise<EdgeError> {
    const log = await this.#parts.store.log(MOST_ROWS);
    const ids = new Set(log.map(({ target }) => target));
    const what = ids.delete(id) ? `${id} any more.` : `${id}.${didYouMean(id, ids)}`;
    return new EdgeError('MEMORY_UNKNOWN', `there is no memory ${what}`, {
      hint: 'hermes-edge memory search WORDS lists them',
    });
  }

  /** Whoever is named has the greater of their own role and that of the station: the socket is the login of the box. */
  #caller(by: string | undefined): Caller {
    const { people, role } = this.#parts;
    const base = { origin: 'ask', station: STATION, sessionId: SESSION, turnId: SESSION } as const;
    if (by === undefined) return { ...base, role, person: undefined };
    if (people.people.length === 0) return { ...base, role, person: { id: by, name: by } };
    const person = personNamed(by, people, WHO);
    const greater = ROLES.indexOf(person.role) > ROLES.indexOf(role) ? person.role : role;
    return { ...base, role: greater, person: { id: person.id, name: person.names.en } };
  }
}

function byRecording(one: Fact, other: Fact): number {
  return one.recordedAtMs - other.recordedAtMs;
}

function listed(facts: readonly Fact[]): ListedFacts {
  return {
    facts: facts.slice(0, MOST_FACTS).map(factReport),
    left_out: Math.max(0, facts.length - MOST_FACTS),
  };
}
