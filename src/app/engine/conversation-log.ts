import type { JsonObject } from '../../domain/json.ts';
import { jsonObjectSchema } from '../../domain/json.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Capture } from '../../domain/memory/capture.ts';
import type { EndedTurn } from '../../domain/memory/capture-of-turn.ts';
import type { Action } from '../../domain/session/action.ts';
import { diagnosisText } from '../../domain/session/diagnosis-text.ts';
import { withProtection } from '../../domain/session/protected-turns.ts';
import {
  decodeSummary,
  encodeSummary,
  summarise,
  summaryIsDue,
} from '../../domain/session/rolling-summary.ts';
import { routingText } from '../../domain/session/routing-decision.ts';
import type { MessageSource, SessionMessage } from '../../domain/session/session-record.ts';
import { snapshotOf, stateHash } from '../../domain/session/state-hash.ts';
import { type MessageKind, sourceOf, trimWindows } from '../../domain/session/sub-contexts.ts';
import { estimateTokens } from '../../domain/session/token-estimate.ts';
import { newTurnId } from '../../domain/session/turn-id.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { SessionChange, SessionStore } from '../ports/session-store.ts';
import { type TurnReport, turnReportSchema } from '../turn-report.ts';
import type { LiveSession } from './live-session.ts';
import type { TurnScope } from './turn-scope.ts';

interface Parts {
  readonly store: SessionStore;
  readonly clocks: Pick<Clocks, 'wall'>;
  readonly logger: Logger;
  /** What is called by name at the site: a summary keeps it. */
  readonly names: readonly string[];
  /** Of what is kept of a diagnosis. */
  readonly language: Language;
  /** What is worth remembering of a turn, if anything; written together with its end. */
  readonly capture?: (turn: EndedTurn) => Capture | undefined;
  /** Something to be remembered is on disk. */
  readonly onCaptured?: () => void;
}

const DIAGNOSIS_TOOL = 'diagnose';
/** Of an alarm and of a diagnosis, what a window takes of it; the whole is in the alarms and in the ledger. */
const MOST_CHARACTERS = 1500;
/** What a summary is made of: the talk. What lies behind it is kept where it comes from. */
const TALK: readonly MessageSource[] = ['main', 'voice', 'tool'];

/** What is kept of each turn: both sides of the conversation, the report, and its end in the audit. */
export class ConversationLog {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The report of a turn that was answered before; undefined when none can be found. */
  async answered(key: string): Promise<TurnReport | undefined> {
    try {
      const kept = await this.#parts.store.answeredTurn(key);
      const report = turnReportSchema.safeParse(kept);
      return report.success ? report.data : undefined;
    } catch (error) {
      this.#parts.logger.error(
        { turn: key, error: String(error) },
        'it cannot be told whether a turn was answered before',
      );
      return undefined;
    }
  }

  /** The answer does not wait for it: what had an effect is on disk already. */
  turn(session: LiveSession, scope: TurnScope, report: TurnReport): void {
    const line = (role: SessionMessage['role'], kind: MessageKind, content: string): void =>
      session.say({
        turnId: scope.id,
        role,
        source: sourceOf(kind),
        content,
        tokens: estimateTokens(content),
        isProtected: false,
      });
    line('person', 'heard', scope.text);
    if (scope.decision !== undefined) line('tool', 'routing_decision', routingText(scope.decision));
    if (report.answer !== undefined) line('assistant', 'final_output', report.answer);
    this.#trim(session, scope.text);
    session.note('turn.ended', {
      turn_id: scope.id,
      station: session.station,
      outcome: report.outcome,
      readings: report.readings,
      state_hash: stateHash(snapshotOf(session.record, session.actions)),
      ...(report.degraded_by === undefined ? {} : { degraded_by: report.degraded_by }),
    });
    const capture = this.#parts.capture?.({
      id: scope.id,
      sessionId: session.id,
      caller: scope.caller,
      language: scope.language,
      answer: report.answer,
      actions: scope.actions.flatMap((id) => session.action(id) ?? []),
      atMs: this.#parts.clocks.wall().getTime(),
    });
    this.keep(session, {
      turn: { turnId: `${session.station} ${scope.id}`, report: asJson(report) },
      ...(capture === undefined ? {} : { memory: [asJson(capture)] }),
    });
  }

  /** An alarm that was said at the station of this session. */
  alarm(session: LiveSession, text: string): void {
    this.#aside(session, newTurnId(), 'alarm', text);
    this.#trim(session, text);
    this.keep(session);
  }

  /** The evidence of a diagnosis that has ended well; of other actions nothing. Written with the end of their turn. */
  evidence(session: LiveSession, { tool, turnId, result }: Pick<Action, 'tool' | 'turnId' | 'result'>): void {
    if (tool === DIAGNOSIS_TOOL && result !== undefined)
      this.#aside(session, turnId, 'diagnosis', diagnosisText(result, this.#parts.language));
  }

  #aside(session: LiveSession, turnId: string, kind: 'alarm' | 'diagnosis', text: string): void {
    const characters = [...text];
    const content =
      characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS).join('')}…` : text;
    session.say({
      turnId,
      role: kind === 'alarm' ? 'assistant' : 'tool',
      source: sourceOf(kind),
      content,
      tokens: estimateTokens(content),
      isProtected: false,
    });
  }

  /** What is over the limit of a window leaves memory, in a summary; on disk all of it stays. */
  #trim(session: LiveSession, query: string): void {
    const { record, state, actions } = session;
    const messages = withProtection(session.messages, state, actions, record.task);
    const windows = trimWindows(messages, query);
    const kept = Object.values(windows)
      .flatMap((window) => window.kept)
      .sort((a, b) => a.seq - b.seq);
    const summary = decodeSummary(record.summary);
    const talk = messages.filter(isTalk);
    const isDue =
      summaryIsDue(talk, summary) ||
      TALK.some((source) => windows[source].dropped.some(({ seq }) => seq > summary.upToSeq));
    session.trim(kept, isDue ? encodeSummary(summarise(summary, talk, this.#parts.names)) : record.summary);
  }

  keep(session: LiveSession, more: Pick<SessionChange, 'turn' | 'memory'> = {}): void {
    session
      .commit(more)
      .then(() => {
        if (more.memory !== undefined) this.#parts.onCaptured?.();
      })
      .catch((error: unknown) => {
        this.#parts.logger.error(
          { session: session.id, error: String(error) },
          'a session could not be kept',
        );
      });
  }
}

/** What was only decided is not said to have been done: a summary is made without it. */
function isTalk({ source, role }: SessionMessage): boolean {
  return TALK.includes(source) && !(source === 'main' && role === 'tool');
}

function asJson(kept: TurnReport | Capture): JsonObject {
  return jsonObjectSchema.parse(JSON.parse(JSON.stringify(kept)));
}
