import { randomUUID } from 'node:crypto';
import { PLAIN_EVIDENCE } from '../../domain/gate/evidence.ts';
import type { RefusalReason } from '../../domain/gate/gate.ts';
import { type JsonObject, jsonObjectSchema } from '../../domain/json.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Action } from '../../domain/session/action.ts';
import { baseMsOf, newLifespan } from '../../domain/session/lifespan.ts';
import { turnIdFor } from '../../domain/session/turn-id.ts';
import type { Caller, Origin, ToolOutcome } from '../../domain/tool/tool-call.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import { unreadableText } from '../../domain/tool/unreadable-text.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { CommandReply, ToolReply } from '../ports/inbound.ts';
import { hasEffect } from './action-executor.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { Engine } from './engine.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Gatekeeper } from './gatekeeper.ts';
import type { LiveSession } from './live-session.ts';
import type { PlanRunner } from './plan-runner.ts';
import { questionTold } from './question-telling.ts';
import { type Answered, RepeatedCommands } from './repeated-commands.ts';
import type { SessionHouse } from './session-house.ts';
import { inOneBreath } from './step-words.ts';
import { TurnScope } from './turn-scope.ts';

interface Parts extends EngineParts {
  readonly house: SessionHouse;
  readonly gatekeeper: Gatekeeper;
  readonly runner: PlanRunner;
  /** Does a piece of work between the turns of a station. */
  readonly between: Engine['between'];
  readonly log: ConversationLog;
  /** Where somebody can hear a proposal and confirm it; undefined where there is nobody. */
  readonly proposeAt: string | undefined;
  readonly language: Language;
}

export interface Command {
  readonly tool: string;
  readonly args: unknown;
  readonly origin: Extract<Origin, 'mqtt' | 'mcp' | 'alarm' | 'rule' | 'workflow'>;
  /** The origin's own, or one of many of that origin: `mqtt`, `mqtt.panel-7`. */
  readonly station: string;
  /** Of the session that the sender believes to be in: one that is not this station's opens nothing. */
  readonly sessionId?: string | undefined;
  /** The sender's own id of the command: sent again, it is answered again and nothing happens twice. */
  readonly turnId?: string | undefined;
}

/** So many stations of one origin may have a conversation at once: they must not crowd out those where people stand. */
const MOST_NAMED_STATIONS = 64;

/**
 * Tools called by name from outside. In: a tool and its arguments. Out: a reply. What only looks is done at once; what has an
 * effect becomes a proposal that a person at a station has to confirm.
 */
export class CommandIntake {
  readonly #parts: Parts;
  readonly #repeated: RepeatedCommands;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#repeated = new RepeatedCommands(parts);
  }

  /** Never rejects: what goes wrong is in the reply. Every call is audited. */
  async call(command: Command): Promise<CommandReply> {
    const reply = await this.#answer(command).catch(failure);
    try {
      await this.#parts.audit.append('tool.called', {
        tool: command.tool,
        origin: command.origin,
        station: command.station,
        session_id: reply.sessionId,
        ...(command.turnId === undefined ? {} : { turn_id: command.turnId }),
        arguments: bounded(command.args),
        ok: reply.ok,
        ...(reply.ok ? {} : { code: reply.error.code }),
      });
      return reply;
    } catch (error) {
      return failure(error);
    }
  }

  /** A call that cannot be read leaves its length and its digest in the audit, and none of its words. */
  unreadable(
    { tool, origin }: Pick<Command, 'tool' | 'origin'>,
    reason: string,
    payload: string | Uint8Array,
  ): void {
    const { audit, logger } = this.#parts;
    audit
      .append('tool_parse_error', {
        source: origin,
        tool: tool.slice(0, MAX_TOOL_NAME),
        reason,
        ...unreadableText(payload),
      })
      .catch((error: unknown) => logger.error({ error: String(error) }, 'the audit could not be written'));
  }

  async #answer(command: Command): Promise<CommandReply> {
    const closed = this.#closedTo(command);
    if (closed !== undefined) return { ...closed, sessionId: undefined };
    const { id: sessionId } = this.#parts.house.of(command.station);
    const args = jsonObjectSchema.safeParse(command.args ?? {});
    const contract = this.#parts.tools.contract(command.tool);
    if (contract === undefined) return { ...this.#unknownTool(command.tool), sessionId };
    if (!args.success) {
      this.unreadable(command, 'NOT_AN_OBJECT', JSON.stringify(command.args) ?? '');
      return { ...refusal('INPUT_INVALID', 'the arguments are one JSON object'), sessionId };
    }
    const turnId = turnIdFor(command.turnId);
    const answer = (): Promise<Answered> =>
      this.#known(contract, args.data, { ...command, sessionId, turnId });
    const reply =
      command.turnId === turnId
        ? this.#repeated.once(
            { station: command.station, turnId, tool: contract.name, args: args.data },
            answer,
          )
        : answer().then((answered) => answered.reply);
    return { ...(await reply.catch(failure)), sessionId };
  }

  /** Why no conversation is open to the sender; undefined when one is. */
  #closedTo({ origin, station, sessionId }: Command): ToolReply | undefined {
    const { house } = this.#parts;
    if (sessionId !== undefined && house.byId(sessionId, station) === undefined)
      return refusal(
        'SESSION_UNKNOWN',
        `${station} has no session of this id now: without an id it goes on in the one that it has, or in a new one`,
      );
    const ofOrigin = house.all().filter((session) => session.station.startsWith(`${origin}.`));
    const isFull = station.startsWith(`${origin}.`) && ofOrigin.length >= MOST_NAMED_STATIONS;
    return isFull && ofOrigin.every((session) => session.station !== station)
      ? refusal(
          'BUSY',
          `${MOST_NAMED_STATIONS} stations of ${origin} have a conversation: use one of them, or give no station`,
        )
      : undefined;
  }

  async #known(
    contract: ToolContract,
    args: JsonObject,
    command: Command & Pick<Caller, 'sessionId' | 'turnId'>,
  ): Promise<Answered> {
    const { tools, gatekeeper } = this.#parts;
    const { sessionId, turnId } = command;
    const caller: Caller = {
      origin: command.origin,
      station: command.station,
      sessionId,
      turnId,
      ...this.#parts.standing(command.station),
    };
    const call = {
      callId: randomUUID(),
      tool: contract.name,
      args,
      caller,
      path: [],
      idempotencyKey: turnId,
      consent: undefined,
    };
    const checked = tools.check(call);
    if (!checked.ok) return notBegun(checked.error.code, checked.error.message);
    const decision = gatekeeper.decide({
      actionId: call.callId,
      contract,
      args: checked.args,
      caller,
      evidence: PLAIN_EVIDENCE,
    });
    if (decision.kind === 'refuse') {
      await this.#parts.audit.append('gate.refused', { tool: contract.name, turn_id: turnId, ...decision });
      // Who may do what is not told to whoever asks: it is in the audit.
      return UNTOLD.includes(decision.reason)
        ? notBegun('DENIED', 'not allowed')
        : notBegun(decision.reason === 'not_set_up' ? 'TOOL_UNAVAILABLE' : 'DENIED', decision.detail);
    }
    if (decision.kind === 'act' && !hasEffect(contract)) {
      const reply = replyOf(await tools.call(call));
      return { reply, holds: reply.ok };
    }
    return this.#propose(contract, checked.args, caller);
  }

  /** Puts it before a person, in the session of their station. */
  async #propose(contract: ToolContract, args: JsonObject, caller: Caller): Promise<Answered> {
    const { proposeAt, between } = this.#parts;
    if (proposeAt === undefined)
      return notBegun(
        'NOT_CONFIRMED',
        `${contract.name} has to be confirmed by a person, and there is no station where one could hear the question and answer it`,
      );
    // Whoever is busy now is not waited for; between two turns it may have become busy all the same.
    const session = this.#parts.house.of(proposeAt);
    return this.#isFree(session)
      ? between(proposeAt, () => this.#proposeAt(proposeAt, contract, args, caller))
      : busyAt(session);
  }

  #isFree({ state, question }: LiveSession): boolean {
    return state.name === 'IDLE' || (state.name === 'LISTENING' && question === undefined);
  }

  async #proposeAt(
    proposeAt: string,
    contract: ToolContract,
    args: JsonObject,
    caller: Caller,
  ): Promise<Answered> {
    const { house, runner, log, language, clocks } = this.#parts;
    const session = house.of(proposeAt);
    if (!this.#isFree(session)) return busyAt(session);
    const nowMs = clocks.monotonicMs();
    const scope = new TurnScope({
      id: caller.turnId,
      text: `${caller.origin} ${contract.name}`,
      language,
      caller,
      evidence: { ...PLAIN_EVIDENCE, source: 'rule' },
      startedAtMs: nowMs,
      beganAtMs: nowMs,
    });
    session.apply({ type: 'requested', turnId: scope.id, lifespan: newLifespan(baseMsOf(caller.origin)) });
    await runner.carryOut(session, scope, {
      source: 'rule',
      continues: false,
      steps: [{ tool: contract.name, args, needs: [], fromSteps: {}, fromLedger: {} }],
    });
    const asked = session.confirmation?.confirmation.id;
    log.keep(session);
    // Asked once it is on disk: after a crash "continue" finds what somebody heard of.
    await session.kept;
    // "Stop" has not waited for the disk.
    if (session.confirmation?.confirmation.id === asked) this.#tell(session, scope);
    session.takeOutcome(scope.id);
    const [id] = scope.actions;
    const action = id === undefined ? undefined : session.action(id);
    if (action === undefined) return notBegun('DENIED', 'it was refused');
    return { reply: proposedReply(action, proposeAt), holds: true };
  }

  /** The proposal is asked about when its own line has been heard to its end, and not before. */
  #tell(session: LiveSession, scope: TurnScope): void {
    const { tell, language } = this.#parts;
    const line = inOneBreath(scope.lines, language);
    if (line === '') return;
    void tell(session.station, line, language).then((told) =>
      questionTold(session, scope, told, this.#parts),
    );
  }

  #unknownTool(tool: string): ToolReply {
    const names = this.#parts.tools.names();
    return refusal(
      'UNKNOWN_TOOL',
      `there is no tool "${tool}" here: ${names.join(', ')}.${didYouMean(tool, names)}`,
    );
  }
}

function replyOf(outcome: ToolOutcome): ToolReply {
  return outcome.status === 'ok'
    ? { ok: true, result: { ...outcome.result } }
    : { ok: false, error: { code: outcome.error.code, message: outcome.error.message } };
}

function busyAt({ station, confirmation }: LiveSession): Answered {
  const why = confirmation?.unheard;
  return notBegun(
    'TOOL_UNAVAILABLE',
    why === undefined
      ? `${station} is busy: try again later`
      : `${station} is busy with a question that nobody could hear to its end, and so nobody can confirm (${why}): try again later`,
  );
}

/** What has become of a proposed action by now. */
function proposedReply({ status, result, error }: Action, proposeAt: string): ToolReply {
  if (status === 'done') return { ok: true, result: { ...result } };
  if (status === 'confirming')
    return refusal('NOT_CONFIRMED', `proposed: a person at ${proposeAt} has to confirm it`);
  return refusal(error?.code ?? 'DENIED', error?.message ?? 'it was refused');
}

function refusal(code: string, message: string): ToolReply {
  return { ok: false, error: { code, message } };
}

function notBegun(code: string, message: string): Answered {
  return { reply: refusal(code, message), holds: false };
}

function failure(error: unknown): CommandReply {
  return { ...refusal('TOOL_FAILED', messageOf(error)), sessionId: undefined };
}

/** Refusals that would tell who may do what. */
const UNTOLD: readonly RefusalReason[] = ['access_denied', 'scope_denied', 'consent_invalid'];

/** No tool has a longer one. */
const MAX_TOOL_NAME = 64;
const MAX_AUDITED_CHARACTERS = 500;

/** Arguments come from outside: what is kept of them for ever stays small. */
function bounded(args: unknown): unknown {
  const size = JSON.stringify(args ?? null).length;
  return size <= MAX_AUDITED_CHARACTERS ? args : { omitted_characters: size };
}
