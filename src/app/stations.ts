import { randomBytes } from 'node:crypto';
import { isInterrupt, safestMeaning } from '../domain/gate/stop-words.ts';
import { decideHearing } from '../domain/intent/hearing-policy.ts';
import type { MatchOutcome, Meaning } from '../domain/intent/meaning.ts';
import type { Language } from '../domain/language/language.ts';
import type { Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import { sayNodeStatus, sayReading, sayStatus } from './answer.ts';
import type { Audit, AuditKind } from './ports/audit.ts';
import type { Transcript } from './ports/recogniser.ts';
import { readPoints } from './read-value.ts';
import { Session } from './session.ts';
import { type Route, routeOf, type TurnParts, type TurnResult } from './turn.ts';
import type { TurnReport } from './turn-report.ts';

/** Finds the meanings of a text. */
export interface Understanding {
  match(text: string): MatchOutcome;
}

export interface StationsParts extends TurnParts {
  readonly understanding: Readonly<Record<Language, Understanding>>;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly scheduler: Scheduler;
  /** Silences what is being spoken and what waits to be: all of it, or only answers. */
  readonly silence: (which: 'all' | 'answers') => void;
}

export interface Utterance {
  /** Where it came from; each station has a session of its own. */
  readonly station: string;
  readonly text: string;
  readonly language: Language;
  /** The sound's own evidence; absent for a typed command. */
  readonly transcript?: Transcript;
}

/** At most this many stations keep a session; the one unused for longest gives way. */
const MAX_STATIONS = 64;
/** A second "say again" within this time would be answering the hall, not a person. */
const SAY_AGAIN_EVERY_MS = 10_000;

const NOTHING_YET: Answerable = { kind: 'answer', key: 'nothing_to_repeat', ends: 'completed' };

/** Everything but the wish to have it repeated. */
type Answerable = Exclude<Route, { readonly kind: 'repeat' }>;

/** What a turn comes to: words, and the readings behind them. */
type Said = Pick<TurnResult, 'answer'> & Partial<Pick<TurnResult, 'readings'>>;

const SILENCE: Said = { answer: undefined };

interface Station {
  readonly session: Session;
  tail: Promise<unknown>;
  /** What was answered last, to be repeated: a value is then read anew, an open question asked again. */
  last: Answerable | undefined;
  /** Counts the interrupts; a turn that waits while one arrives is not begun. */
  interrupts: number;
  /** Turns that are under way or wait. */
  turns: number;
  askedAgainAtMs: number;
}

/** So many turns may be under way and waiting at one station; a person gives one. */
const MAX_TURNS = 32;

/**
 * Spoken and typed commands. In: an utterance. Out: a report with what to answer, after the session machine, the
 * matcher and the PLC have had their say; undefined when it is best to keep silent. Called by the voice loop, the
 * control socket and the command line.
 */
export class Stations {
  readonly #parts: StationsParts;
  readonly #stations = new Map<string, Station>();

  constructor(parts: StationsParts) {
    this.#parts = parts;
  }

  /** A typed command, which always gets a report. */
  async answer(utterance: Omit<Utterance, 'transcript'>): Promise<TurnReport> {
    const report = await this.handle(utterance);
    if (report === undefined) throw new Error('a typed command was ignored');
    return report;
  }

  /**
   * Turns of one station run one after another. An interrupt ("stop") ends the one under way and all that wait, so that
   * it is answered at once. Never rejects.
   */
  handle(utterance: Utterance): Promise<TurnReport | undefined> {
    const startedAtMs = this.#parts.clocks.monotonicMs();
    const station = this.#station(utterance.station);
    const { text, language } = utterance;
    const match = safestMeaning(this.#parts.understanding[language].match(text), text, language);
    const decision = utterance.transcript === undefined ? 'act' : this.#decide(utterance.transcript, match);
    if (decision === 'ignore') return Promise.resolve(undefined);
    if (decision !== 'act') return Promise.resolve(this.#askAgain(station, utterance, decision, startedAtMs));

    const interrupts = isInterrupt(match);
    if (interrupts) {
      station.interrupts += 1;
      // Only "stop" and an emergency silence alarms as well.
      this.#parts.silence(match.kind === 'match' && match.meaning.intent === 'cancel' ? 'answers' : 'all');
      if (station.session.state.name === 'EXECUTING') station.session.apply('cancel');
    }
    if (station.turns >= MAX_TURNS && !interrupts) {
      const answer = this.#parts.phrases.say(utterance.language, 'busy');
      return Promise.resolve(
        this.#report(newTurnId(), utterance, undefined, 'FAILED', { answer }, startedAtMs),
      );
    }
    const arrivedAt = station.interrupts;
    station.turns += 1;
    const turn = station.tail.then(() =>
      interrupts || arrivedAt === station.interrupts
        ? this.#turn(station, utterance, match, startedAtMs)
        : this.#neverBegun(utterance, match, startedAtMs),
    );
    station.tail = turn
      .catch(() => undefined)
      .then(() => {
        station.turns -= 1;
      });
    return turn;
  }

  /** Tells a station's session that somebody began to speak. */
  speechStarted(name: string): void {
    const { session } = this.#station(name);
    if (session.state.name === 'IDLE' || session.state.name === 'LISTENING') session.apply('speech_started');
  }

  close(): void {
    for (const { session } of this.#stations.values()) session.close();
    this.#stations.clear();
  }

  #decide(transcript: Transcript, match: MatchOutcome): ReturnType<typeof decideHearing> {
    return decideHearing({
      words: transcript.words,
      audioLost: transcript.audioLost,
      cut: transcript.cut,
      snrDb: transcript.snrDb,
      fits: match.kind !== 'none',
    });
  }

  #askAgain(
    station: Station,
    utterance: Utterance,
    decision: 'ask_again' | 'ask_again_lost',
    startedAtMs: number,
  ): TurnReport | undefined {
    const nowMs = this.#parts.clocks.monotonicMs();
    if (nowMs - station.askedAgainAtMs < SAY_AGAIN_EVERY_MS) return undefined;
    station.askedAgainAtMs = nowMs;
    const key = decision === 'ask_again' ? 'say_again' : 'audio_lost';
    const answer = this.#parts.phrases.say(utterance.language, key);
    return this.#report(newTurnId(), utterance, undefined, 'FAILED', { answer }, startedAtMs);
  }

  /** The report of a turn that was cancelled while it waited for the one before. */
  #neverBegun(utterance: Utterance, match: MatchOutcome, startedAtMs: number): TurnReport {
    const meaning = match.kind === 'match' ? match.meaning : undefined;
    return this.#report(newTurnId(), utterance, meaning, 'CANCELLED', SILENCE, startedAtMs);
  }

  async #turn(
    station: Station,
    utterance: Utterance,
    match: MatchOutcome,
    startedAtMs: number,
  ): Promise<TurnReport> {
    const { session } = station;
    const { phrases } = this.#parts;
    const { language } = utterance;
    const turnId = newTurnId();
    const signal = session.begin(turnId);
    const understood = routeOf(match, session, this.#parts, language);
    const route: Answerable | undefined =
      understood?.kind === 'repeat' ? (station.last ?? NOTHING_YET) : understood;
    const meaning = match.kind === 'match' ? match.meaning : undefined;
    const end = (outcome: TurnReport['outcome'], result: Said): TurnReport =>
      this.#report(
        turnId,
        utterance,
        route === undefined ? undefined : meaning,
        outcome,
        result,
        startedAtMs,
      );
    if (route === undefined) {
      session.apply('not_understood');
      return end('FAILED', { answer: phrases.say(language, 'say_again') });
    }
    session.apply('understood');
    if (route !== NOTHING_YET) station.last = route;
    this.#audit('turn.started', {
      turn_id: turnId,
      station: session.station,
      heard: utterance.text,
      intent: meaning?.intent ?? 'tie',
    });

    if (route.kind === 'ask') {
      session.apply('question_asked');
      session.question = route.question;
      return end('OPEN', { answer: route.text(language) });
    }
    if (route.kind === 'answer' && route.ends === 'refused') {
      session.apply('refused');
      return end('FAILED', { answer: phrases.say(language, route.key, route.values) });
    }
    session.apply('planned');
    const result = await this.#carryOut(route, language, signal);
    if (signal.aborted) {
      // The cancel or the time limit has moved the session on already; a late result is not spoken.
      if (session.state.name === 'ERROR_HANDLING') session.apply('gave_up');
      return end('CANCELLED', SILENCE);
    }
    if (result.ok) session.apply('completed');
    else {
      session.apply('failed');
      session.apply('gave_up');
    }
    return end(result.ok ? 'COMPLETED' : 'FAILED', result);
  }

  async #carryOut(
    route: Exclude<Answerable, { readonly kind: 'ask' }>,
    language: Language,
    signal: AbortSignal,
  ): Promise<TurnResult> {
    switch (route.kind) {
      case 'read':
        return this.#read(route, language, signal);
      case 'status':
        return { answer: sayNodeStatus(this.#parts.status(), this.#parts, language), readings: [], ok: true };
      case 'interrupt':
        return { answer: this.#parts.phrases.say(language, route.key), readings: [], ok: true };
      case 'answer':
        return { answer: this.#parts.phrases.say(language, route.key, route.values), readings: [], ok: true };
    }
  }

  async #read(
    route: Extract<Route, { kind: 'read' }>,
    language: Language,
    signal: AbortSignal,
  ): Promise<TurnResult> {
    const refs = route.points.map((point) => ({ machine: route.machine, point }));
    const aborted = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    );
    const results = await Promise.race([readPoints(refs, this.#parts), aborted]);
    if (results === undefined) return { answer: undefined, readings: [], ok: false };
    const readings = results.map(({ reading }) => reading);
    const [first] = readings;
    const answer =
      readings.length === 1 && first !== undefined
        ? sayReading(first, this.#parts, language)
        : sayStatus(route.machine, readings, this.#parts, language);
    return {
      answer,
      readings: results.map(({ report }) => report),
      ok: readings.some((reading) => reading.quality === 'good'),
    };
  }

  #report(
    turnId: string,
    utterance: Utterance,
    meaning: Meaning | undefined,
    outcome: TurnReport['outcome'],
    result: Said,
    startedAtMs: number,
  ): TurnReport {
    const slots = Object.fromEntries(
      Object.entries(meaning?.slots ?? {}).map(([slot, { value }]) => [slot, value]),
    );
    const report: TurnReport = {
      turn_id: turnId,
      station: utterance.station,
      heard: utterance.text,
      intent: meaning?.intent,
      slots,
      outcome,
      answer: result.answer,
      readings: result.readings ?? [],
      duration_ms: Math.round((this.#parts.clocks.monotonicMs() - startedAtMs) * 10) / 10,
    };
    this.#audit('turn.ended', {
      turn_id: turnId,
      station: utterance.station,
      outcome,
      readings: report.readings,
    });
    return report;
  }

  #audit(kind: AuditKind, detail: Readonly<Record<string, unknown>>): void {
    this.#parts.audit.append(kind, detail).catch((error: unknown) => {
      this.#parts.logger.error({ error: messageOf(error) }, 'the audit could not be written');
    });
  }

  #station(name: string): Station {
    const known = this.#stations.get(name);
    if (known !== undefined) {
      this.#stations.delete(name);
      this.#stations.set(name, known);
      return known;
    }
    for (const [oldest, { session }] of this.#stations) {
      if (this.#stations.size < MAX_STATIONS) break;
      session.close();
      this.#stations.delete(oldest);
    }
    const station: Station = {
      session: new Session(name, this.#parts),
      tail: Promise.resolve(),
      last: undefined,
      interrupts: 0,
      turns: 0,
      askedAgainAtMs: Number.NEGATIVE_INFINITY,
    };
    this.#stations.set(name, station);
    return station;
  }
}

/** 48 random bits: a collision is expected only near 16 million turns. */
function newTurnId(): string {
  return `tr_${randomBytes(6).toString('hex')}`;
}
