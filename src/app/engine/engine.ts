import { type GroundEvent, killedBy } from '../../domain/gate/confirmation.ts';
import { DEATH_LINES } from '../../domain/gate/gate-lines.ts';
import { isRefusing } from '../../domain/gate/refusing.ts';
import { isEmergency, isInterrupt, safestMeaning } from '../../domain/gate/stop-words.ts';
import { decideHearing } from '../../domain/intent/hearing-policy.ts';
import type { MatchOutcome, Meaning } from '../../domain/intent/meaning.ts';
import type { Language } from '../../domain/language/language.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
import { isOver } from '../../domain/session/action.ts';
import { resolveReference } from '../../domain/session/action-reference.ts';
import type { SessionStateName } from '../../domain/session/session-state.ts';
import { turnIdFor } from '../../domain/session/turn-id.ts';
import type { Caller, Origin } from '../../domain/tool/tool-call.ts';
import type { Transcript } from '../ports/recogniser.ts';
import type { Told } from '../told.ts';
import type { TurnReport } from '../turn-report.ts';
import type { ConsentTaker } from './consent-taker.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { EngineParts } from './engine-parts.ts';
import { evidenceOf } from './evidence-of.ts';
import type { LiveSession } from './live-session.ts';
import { questionTold, type Telling } from './question-telling.ts';
import type { SessionHouse } from './session-house.ts';
import { speakerOf } from './speaker-of.ts';
import { aboutSteps, inOneBreath } from './step-words.ts';
import type { TurnHandler } from './turn-handler.ts';
import { TurnScope } from './turn-scope.ts';

export interface Utterance {
  /** Where it came from; each station has a session of its own. */
  readonly station: string;
  readonly text: string;
  readonly language: Language;
  readonly origin: Extract<Origin, 'voice' | 'ask' | 'panel'>;
  /** The client's own id of the turn: sent again, it is answered again and nothing happens twice. */
  readonly turnId?: string | undefined;
  /** The sound's own evidence; absent for a typed command. */
  readonly transcript?: Transcript;
}

interface Parts extends EngineParts {
  readonly house: SessionHouse;
  readonly turns: TurnHandler;
  readonly consents: ConsentTaker;
  readonly log: ConversationLog;
}

/** A second "say again" within this time would be answering the hall, not a person. */
const SAY_AGAIN_EVERY_MS = 10_000;
/** So many turns may be under way and waiting at one station; a person gives one. */
const MAX_TURNS = 32;

/** What a station has beside its session. */
interface Lane {
  tail: Promise<unknown>;
  /** Counts the interrupts; a turn that waits while one arrives is not begun. */
  interrupts: number;
  /** Turns that are under way or wait. */
  turns: number;
  askedAgainAtMs: number;
}

/**
 * Commands of people, spoken and typed. In: an utterance. Out: a report with what to answer, after the session's machine, the
 * gate, the ledger and the tools have had their say; undefined when it is best to keep silent. Called by the voice loop, the
 * control socket, the panel and the command line.
 */
export class Engine {
  readonly #parts: Parts;
  readonly #lanes = new Map<string, Lane>();
  /** What each answer told, until nobody holds it any more. */
  readonly #tellings = new WeakMap<TurnReport, Telling>();
  readonly #answering = new Map<string, Promise<TurnReport | undefined>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A typed command, which always gets a report; whoever hands it on says with `answerTold` whether it arrived. */
  async answer(utterance: Omit<Utterance, 'transcript'>): Promise<TurnReport> {
    const report = await this.handle(utterance);
    if (report === undefined) throw new Error('a typed command was ignored');
    return report;
  }

  /**
   * Turns of one station run one after another. An interrupt ("stop") ends the one under way and all that wait, so that
   * it is answered at once. Never rejects.
   */
  async handle(utterance: Utterance): Promise<TurnReport | undefined> {
    const startedAtMs = this.#parts.clocks.monotonicMs();
    const takingUp = this.#parts.house.takingUp(utterance.station);
    if (takingUp !== undefined) await takingUp;
    const turnId = turnIdFor(utterance.turnId);
    if (utterance.turnId !== turnId) return this.#handle(utterance, turnId, startedAtMs);
    const key = `${utterance.station} ${turnId}`;
    const before = this.#answering.get(key);
    if (before !== undefined) return before;
    // "Stop" does not wait for the disk to say whether it was said before: twice is as good as once.
    if (isInterrupt(this.#match(utterance))) return this.#handle(utterance, turnId, startedAtMs);
    const answering = this.#parts.log
      .answered(key)
      .then((kept) => kept ?? this.#handle(utterance, turnId, startedAtMs));
    this.#answering.set(key, answering);
    // Until its report is on disk it is answered from here: the answer itself does not wait for the disk.
    const forget = (): void => void this.#answering.delete(key);
    answering.then(() => this.#parts.house.of(utterance.station).kept).then(forget, forget);
    return answering;
  }

  #handle(utterance: Utterance, turnId: string, startedAtMs: number): Promise<TurnReport | undefined> {
    const { understanding } = this.#parts;
    const lane = this.#lane(utterance.station);
    const { text, language, transcript } = utterance;
    const match = this.#match(utterance);
    const session = this.#parts.house.of(utterance.station);
    const decision =
      transcript === undefined || isEmergency(match) || this.#answers(session, match, utterance)
        ? 'act'
        : decideHearing({ ...transcript, fits: match.kind !== 'none' });
    if (decision === 'ignore') return Promise.resolve(undefined);
    const scope = new TurnScope({
      id: turnId,
      text,
      language,
      startedAtMs,
      beganAtMs: beganAt(transcript, startedAtMs),
      caller: this.#caller(utterance, session, turnId),
      evidence: evidenceOf(utterance, match, understanding[language], this.#parts.plant),
      heard: transcript?.words ?? [],
    });
    if (decision !== 'act') return Promise.resolve(this.#askAgain(lane, session, scope, decision));
    if (isInterrupt(match)) return this.#interrupt(lane, session, scope, match);
    if (match.kind === 'match' && this.#parts.turns.takesAtOnce(session, match))
      return this.#atOnce(session, scope, match.meaning);
    if (lane.turns >= MAX_TURNS) {
      scope.outcome = 'FAILED';
      this.#say(scope, 'busy');
      return Promise.resolve(this.#report(session, scope));
    }
    return this.#inTurn(lane, session, scope, match);
  }

  #match({ text, language }: Utterance): MatchOutcome {
    return safestMeaning(this.#parts.understanding[language].match(text), text, language);
  }

  /** Whether it is for the question that stands: what refuses it counts however little else of it was understood. */
  #answers({ confirmation }: LiveSession, match: MatchOutcome, { text, language }: Utterance): boolean {
    return confirmation !== undefined && (match.kind !== 'none' || isRefusing(match, text, language));
  }

  /** Does a piece of work between the turns of a station: never in the middle of one. */
  between<T>(station: string, work: () => Promise<T>): Promise<T> {
    return this.#queued(this.#lane(station), work);
  }

  /** After all that waits at the station already; whatever becomes of it, the next one follows. */
  #queued<T>(lane: Lane, work: () => T | Promise<T>): Promise<T> {
    lane.turns += 1;
    const done = lane.tail.then(work);
    const leave = (): void => {
      lane.turns -= 1;
    };
    lane.tail = done.then(leave, leave);
    return done;
  }

  #inTurn(lane: Lane, session: LiveSession, scope: TurnScope, match: MatchOutcome): Promise<TurnReport> {
    const arrivedAt = lane.interrupts;
    return this.#queued(lane, async () => {
      if (arrivedAt !== lane.interrupts) {
        scope.outcome = 'CANCELLED';
        scope.meaning = match.kind === 'match' ? match.meaning : undefined;
        return this.#report(session, scope);
      }
      return this.#turn(this.#parts.house.of(session.station), scope, match);
    });
  }

  async #turn(session: LiveSession, scope: TurnScope, match: MatchOutcome): Promise<TurnReport> {
    session.change({ userId: scope.caller.person?.id });
    this.#parts.audit
      .append('turn.started', {
        turn_id: scope.id,
        station: session.station,
        session_id: session.id,
        heard: scope.text,
        intent: match.kind === 'match' ? match.meaning.intent : match.kind,
      })
      .catch((error: unknown) =>
        this.#parts.logger.error({ error: String(error) }, 'the audit could not be written'),
      );
    const { turns, consents } = this.#parts;
    const ids = { sessionId: session.id, turnId: scope.id, station: session.station };
    await this.#parts.context.run(ids, async () => {
      if (session.confirmation === undefined || !(await consents.answer(session, scope, match)))
        await turns.begin(session, scope, match);
    });
    return this.#onRecord(session, this.#report(session, scope));
  }

  /** "Stop", "cancel", an emergency: silence, nothing pending any more, and a word about it; no machine is touched. */
  #interrupt(lane: Lane, session: LiveSession, scope: TurnScope, match: MatchOutcome): Promise<TurnReport> {
    lane.interrupts += 1;
    const intent = match.kind === 'match' ? match.meaning.intent : 'stop';
    // Only "stop" and an emergency silence alarms as well.
    this.#parts.silence(intent === 'cancel' ? 'answers' : 'all');
    const wasAsked = session.confirmation !== undefined;
    const wasUnderWay = this.#parts.turns.stop(session, intent);
    return this.#queued(lane, async () => {
      scope.meaning = match.kind === 'match' ? match.meaning : undefined;
      scope.outcome = 'COMPLETED';
      if (intent === 'cancel' && !wasUnderWay) scope.lines.push(...this.#nothingToCancel(session, scope));
      else this.#say(scope, INTERRUPT_LINES[intent] ?? 'stopped');
      if (intent === 'stop' && wasAsked) this.#say(scope, 'command_dropped');
      const report = this.#report(session, scope);
      await session.kept;
      return report;
    });
  }

  /** Nothing is said to be cancelled that is done: whoever meant it hears how it is undone. */
  #nothingToCancel(session: LiveSession, { language }: TurnScope): readonly string[] {
    const found = resolveReference(session.ledger, { demonstrative: true }, 'undo');
    const done = found.kind === 'found' && found.action.compensation !== undefined ? [found.action] : [];
    return [
      this.#parts.phrases.say(language, 'nothing_to_cancel'),
      ...aboutSteps('done_undo', done, this.#parts, language),
    ];
  }

  /** Work on the ledger while a turn is carried out: "cancel the third step". */
  async #atOnce(session: LiveSession, scope: TurnScope, meaning: Meaning): Promise<TurnReport> {
    await this.#parts.turns.atOnce(session, scope, meaning);
    return this.#onRecord(session, this.#report(session, scope));
  }

  /**
   * What waits for a person or runs on is on disk before it is told, and so is what was called off: after a crash "continue"
   * finds all that anybody heard of, and nothing that was refused.
   */
  async #onRecord(session: LiveSession, report: TurnReport): Promise<TurnReport> {
    if (report.outcome === 'CANCELLED' || !report.steps.every(isOver)) await session.kept;
    return report;
  }

  #askAgain(
    lane: Lane,
    session: LiveSession,
    scope: TurnScope,
    decision: 'ask_again' | 'ask_again_lost',
  ): TurnReport | undefined {
    const nowMs = this.#parts.clocks.monotonicMs();
    if (nowMs - lane.askedAgainAtMs < SAY_AGAIN_EVERY_MS) return undefined;
    lane.askedAgainAtMs = nowMs;
    scope.outcome = 'FAILED';
    this.#say(scope, decision === 'ask_again' ? 'say_again' : 'audio_lost');
    return this.#report(session, scope);
  }

  /** Tells a station's session that something is heard, be it the hall. */
  speechStarted(station: string): void {
    const session = this.#parts.house.beside(station);
    if (LISTENS.includes(session.state.name)) session.apply({ type: 'speech_started' });
  }

  /** Tells it that a known word is in what is heard. */
  keywordHeard(station: string): void {
    const session = this.#parts.house.of(station);
    if (LISTENS.includes(session.state.name)) session.apply({ type: 'keyword_heard' });
  }

  /** Tells it that nothing is heard any more. */
  speechEnded(station: string): void {
    const session = this.#parts.house.beside(station);
    const { name } = session.state;
    if (name === 'LISTENING' || name === 'CONFIRMING') session.apply({ type: 'speech_ended' });
  }

  /** What has become of the answer to a turn: a question in it is asked when it was heard to its end, or read. */
  answerTold(station: string, report: TurnReport, told: Told): void {
    const telling = this.#tellings.get(report);
    if (telling !== undefined) questionTold(this.#parts.house.beside(station), telling, told, this.#parts);
  }

  /** Something has happened that an open confirmation may not survive: an alarm, a lock, a changed value. */
  groundChanged(event: GroundEvent): void {
    for (const session of this.#parts.house.all()) {
      const open = session.confirmation;
      const why = open === undefined ? undefined : killedBy(open.confirmation, event);
      if (open === undefined || why === undefined) continue;
      this.#parts.consents.end(session, why);
      session.apply({ type: 'ground_changed' });
      const { language, machines } = open.confirmation;
      const [machine] = machines;
      void this.#parts.tell(
        session.station,
        this.#parts.phrases.say(language, DEATH_LINES[why], {
          machine: machine === undefined ? '' : this.#parts.plant.machineName(machine)[language],
        }),
        language,
      );
      this.#parts.log.keep(session);
    }
  }

  close(): void {
    this.#parts.house.close();
  }

  #report(session: LiveSession, scope: TurnScope): TurnReport {
    const { clocks, log } = this.#parts;
    const ofMachine = session.takeOutcome(scope.id);
    const steps = scope.actions.flatMap((id) => {
      const action = session.action(id);
      return action === undefined
        ? []
        : [{ id, step: action.step, tool: action.tool, status: action.status }];
    });
    const answer = inOneBreath(scope.lines, scope.language);
    const report: TurnReport = {
      turn_id: scope.id,
      session_id: session.id,
      station: session.station,
      heard: scope.text,
      intent: scope.meaning?.intent,
      slots: Object.fromEntries(
        Object.entries(scope.meaning?.slots ?? {}).map(([slot, { value }]) => [slot, value]),
      ),
      outcome: ofMachine ?? scope.outcome ?? 'OPEN',
      answer: answer === '' ? undefined : answer,
      readings: scope.readings,
      steps,
      ...(scope.degradedBy === undefined ? {} : { degraded_by: scope.degradedBy }),
      duration_ms: Math.round((clocks.monotonicMs() - scope.startedAtMs) * 10) / 10,
    };
    if (report.answer !== undefined && scope.meaning !== undefined && scope.meaning.intent !== 'repeat')
      session.last = {
        meaning: scope.meaning,
        text: report.answer,
        speaker: speakerOf(scope.caller),
        language: scope.language,
      };
    this.#parts.handling.ended(scope);
    this.#tellings.set(report, scope);
    log.turn(session, scope, report);
    return report;
  }

  #caller(utterance: Utterance, session: LiveSession, turnId: string): Caller {
    const { station, origin } = utterance;
    return { origin, station, sessionId: session.id, turnId, ...this.#parts.standing(station) };
  }

  #say(scope: TurnScope, key: PhraseKey): void {
    scope.lines.push(this.#parts.phrases.say(scope.language, key));
  }

  #lane(station: string): Lane {
    const known = this.#lanes.get(station);
    if (known !== undefined) return known;
    const lane = {
      tail: Promise.resolve(),
      interrupts: 0,
      turns: 0,
      askedAgainAtMs: Number.NEGATIVE_INFINITY,
    };
    this.#lanes.set(station, lane);
    return lane;
  }
}

/** States in which it matters what is heard. */
const LISTENS: readonly SessionStateName[] = ['IDLE', 'LISTENING', 'CONFIRMING'];

const INTERRUPT_LINES: Readonly<Record<string, PhraseKey>> = {
  stop: 'stopped',
  cancel: 'cancelled',
  emergency_stop: 'emergency_stop',
};

/** When the first word was begun: its recogniser counts from the start of the utterance, which ended at the endpoint. */
function beganAt(transcript: Transcript | undefined, nowMs: number): number {
  if (transcript === undefined) return nowMs;
  const [first] = transcript.words;
  const last = transcript.words.at(-1);
  if (first === undefined || last === undefined) return transcript.endpointAtMs;
  return transcript.endpointAtMs - (last.endMs - first.startMs);
}
