import type { Language } from '../../domain/language/language.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
import type { Phrasebook } from '../../domain/phrases/phrasebook.ts';
import type { SessionEffect, SessionNote } from '../../domain/session/session-effect.ts';
import { OutOfTime } from '../ports/tool-runner.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { LiveSession } from './live-session.ts';

interface Parts {
  readonly phrases: Phrasebook;
  readonly log: ConversationLog;
  readonly language: Language;
  readonly tell: (station: string, text: string, language: Language) => void;
  /** What a hung turn has done is taken back. */
  readonly rollBack: (session: LiveSession, turnId: string) => void;
  /** Lets the noise in progress be forgotten, or what has been heard so far be the utterance. */
  readonly ears: (station: string, what: 'sleep' | 'cut') => void;
  /** A person is called to a task that has failed too often; resolves with the ticket's id, where it could be kept. Never rejects. */
  readonly escalate: (session: LiveSession, turnId: string, failures: number) => Promise<string | undefined>;
}

const NOTES: Readonly<Record<SessionNote, PhraseKey>> = {
  not_confirmed: 'not_confirmed',
  parked: 'confirmation_parked',
  parked_expired: 'not_confirmed',
  hung: 'tool_timeout',
  lifespan_over: 'task_given_up',
  interrupted: 'interrupted',
};

/** Of these the tools that run are to blame. */
const OVERDUE: readonly string[] = ['execution_timeout', 'hung'];

/** Carries out what the machine of a session wants done by itself: its time limits, and what a restart left behind. */
export class SessionEffects {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  handle(session: LiveSession, effect: SessionEffect): void {
    switch (effect.kind) {
      case 'abort':
        this.#abort(session, effect.turnId, effect.why);
        return;
      case 'park':
        if (session.confirmation !== undefined)
          session.parked.set(effect.confirmationId, session.confirmation);
        session.confirmation = undefined;
        return;
      case 'say':
        this.#tell(session, effect.note);
        return;
      case 'roll_back':
        this.#parts.rollBack(session, effect.turnId);
        return;
      case 'escalate':
        void this.#escalate(session, effect.turnId, effect.failures);
        return;
      case 'offer_to_continue':
        this.#parts.log.keep(session);
        return;
      case 'route_by_fallback':
        session.routing?.abort(new Error('the fallback route is taken'));
        return;
      case 'sleep_microphone':
        this.#parts.ears(session.station, 'sleep');
        return;
      case 'cut_utterance':
        this.#parts.ears(session.station, 'cut');
        return;
      // Why a call is aborted says already that it let a limit pass; what else runs out of time is found by whoever carries it out.
      case 'parse_by_keyword':
      case 'plan_again':
      case 'count_timeout':
      case 'arm':
      case 'disarm':
      case 'outcome':
        return;
    }
  }

  /**
   * What the turn still wanted will not be done; what runs is told to end, but for what runs on behind the turn. What takes it back
   * goes on.
   */
  #abort(session: LiveSession, turnId: string, why: string): void {
    for (const action of session.actions) {
      if (action.ofRollBack === true) continue;
      if (action.turnId !== turnId && session.takenUp.get(action.id) !== turnId) continue;
      const run = session.running.get(action.id);
      if (run !== undefined && !run.isDetached)
        run.abort.abort(OVERDUE.includes(why) ? new OutOfTime(why) : new Error(why));
      if (action.status !== 'confirming' && !(action.status === 'pending' && run === undefined)) continue;
      session.move(action.id, 'cancelled');
    }
  }

  async #escalate(session: LiveSession, turnId: string, failures: number): Promise<void> {
    const { escalate, phrases, language, tell } = this.#parts;
    const number = await escalate(session, turnId, failures);
    if (number !== undefined)
      tell(session.station, phrases.say(language, 'task_escalated', { number }), language);
  }

  #tell(session: LiveSession, note: SessionNote): void {
    const open = session.confirmation;
    const language = open?.confirmation.language ?? this.#parts.language;
    if (note === 'not_confirmed' && open !== undefined) {
      session.confirmation = undefined;
      session.note('confirmation.ended', {
        action: open.actionId,
        confirmation: open.confirmation.id,
        why: 'expired',
      });
      for (const { id } of session.unconsented) session.move(id, 'cancelled');
    }
    this.#parts.tell(session.station, this.#parts.phrases.say(language, NOTES[note]), language);
    this.#parts.log.keep(session);
  }
}
