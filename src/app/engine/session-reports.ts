import { type JsonObject, jsonObjectSchema } from '../../domain/json.ts';
import type { Action, ActionStatus } from '../../domain/session/action.ts';
import type { SessionMessage, SessionRecord } from '../../domain/session/session-record.ts';
import type { ToolError } from '../../domain/tool/tool-call.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { SessionEvent, SessionStore } from '../ports/session-store.ts';

/** A session on one line. */
export interface SessionSummary {
  readonly id: string;
  readonly station: string;
  readonly state: string;
  readonly task: number;
  readonly created_at: string;
  readonly last_active_at: string;
  readonly archived_at: string | undefined;
  /** It has asked something and waits. */
  readonly is_waiting: boolean;
}

export interface LedgerLine {
  readonly step: number;
  readonly id: string;
  readonly turn_id: string;
  readonly tool: string;
  readonly status: ActionStatus;
  readonly args: JsonObject;
  readonly depends_on: readonly string[];
  readonly result: JsonObject | undefined;
  readonly error: ToolError | undefined;
  readonly undoes: string | undefined;
}

/** What was said, or what happened. */
export type TimelineLine =
  | {
      readonly at: string;
      readonly by: SessionMessage['role'];
      readonly turn_id: string;
      readonly text: string;
    }
  | { readonly at: string; readonly event: string; readonly detail: JsonObject };

/** All that is kept of a session. */
export interface SessionReport extends SessionSummary {
  readonly user_id: string | undefined;
  readonly version: number;
  readonly summary: string;
  readonly ledger: readonly LedgerLine[];
  readonly timeline: readonly TimelineLine[];
  /** Entries that are kept and cannot be read. */
  readonly unreadable: number;
}

const MOST_LISTED = 1000;
const MOST_EVENTS = 500;

/** What people see of sessions: which there are, and what happened in one. */
export class SessionReports {
  readonly #store: SessionStore;
  readonly #shown: (text: string) => string;

  /** `shown` makes a text of the audit readable: names instead of pseudonyms. */
  constructor(store: SessionStore, shown: (text: string) => string = (text) => text) {
    this.#store = store;
    this.#shown = shown;
  }

  /** The one used last first. */
  async list(limit: number): Promise<readonly SessionSummary[]> {
    return (await this.#store.list(limit)).map(summaryOf);
  }

  /**
   * The session of an id, or of the beginning of one. Throws EdgeError INPUT_INVALID when there is none or more than one
   * begins so.
   */
  async show(given: string): Promise<SessionReport> {
    const stored =
      (await this.#store.session(given)) ?? (await this.#store.session(await this.#idFrom(given)));
    if (stored === undefined) throw new EdgeError('INPUT_INVALID', `session ${given} cannot be read`);
    const { session, actions, messages, unreadable } = stored;
    const events = (await this.#store.timeline(session.id, MOST_EVENTS)).map((event) => ({
      ...event,
      detail: jsonObjectSchema.parse(JSON.parse(this.#shown(JSON.stringify(event.detail)))),
    }));
    return {
      ...summaryOf(session),
      user_id: session.userId,
      version: session.version,
      summary: session.summary,
      ledger: actions.map(ledgerLine),
      timeline: timelineOf(messages, events),
      unreadable,
    };
  }

  async #idFrom(beginning: string): Promise<string> {
    const ids = (await this.#store.list(MOST_LISTED)).map(({ id }) => id);
    const fitting = ids.filter((id) => beginning !== '' && id.startsWith(beginning));
    const [id] = fitting;
    if (id !== undefined && fitting.length === 1) return id;
    throw new EdgeError(
      'INPUT_INVALID',
      fitting.length > 1
        ? `${fitting.length} sessions begin with "${beginning}": give more of the id`
        : `no session "${beginning}".${didYouMean(beginning, ids)}`,
      { hint: 'hermes-edge sessions list shows all' },
    );
  }
}

function summaryOf(session: SessionRecord): SessionSummary {
  return {
    id: session.id,
    station: session.station,
    state: session.state.name,
    task: session.task,
    created_at: session.createdAt,
    last_active_at: session.lastActiveAt,
    archived_at: session.archivedAt,
    is_waiting: session.open !== undefined && session.archivedAt === undefined,
  };
}

function ledgerLine(action: Action): LedgerLine {
  return {
    step: action.step,
    id: action.id,
    turn_id: action.turnId,
    tool: action.tool,
    status: action.status,
    args: action.args,
    depends_on: action.dependsOn,
    result: action.result,
    error: action.error,
    undoes: action.undoes,
  };
}

/** By the clock; what has the same time stays in its own order, words before what came of them. */
function timelineOf(
  messages: readonly SessionMessage[],
  events: readonly SessionEvent[],
): readonly TimelineLine[] {
  return [
    ...messages.map(({ at, role, turnId, content }) => ({ at, by: role, turn_id: turnId, text: content })),
    ...events.map(({ at, kind, detail }) => ({ at, event: kind, detail })),
  ].toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}
