import { OutOfTime, type ToolCheck, type ToolRunner, type ToolState } from '../app/ports/tool-runner.ts';
import { pathFault } from '../domain/tool/call-guards.ts';
import { checkArguments, type NameLookup } from '../domain/tool/check-arguments.ts';
import { STEP_LIMIT_MS } from '../domain/tool/check-contract.ts';
import { inputDigest, redactArguments } from '../domain/tool/redact.ts';
import type { Say } from '../domain/tool/say.ts';
import type { ToolCall, ToolError, ToolErrorCode, ToolOutcome } from '../domain/tool/tool-call.ts';
import { ACCESS_LEVELS, type AccessLevel, type ToolContract } from '../domain/tool/tool-contract.ts';
import { unsafeJson } from '../domain/tool/unsafe-json.ts';
import type { Clocks, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import { didYouMean } from '../runtime/nearest.ts';
import type { Admission, Admit } from './admission.ts';
import type { Breakers } from './breakers.ts';
import { CallTallies } from './call-tallies.ts';
import type { HandlerRuns } from './handler-runs.ts';
import type { HandlerOutcome, ToolPack } from './sandbox-port.ts';
import type { TicketOpener } from './ticket-opener-port.ts';
import type { ToolFigures } from './tool-figures.ts';
import type { ToolEvent, ToolObserver } from './tool-observer.ts';
import type { ToolRegistry } from './tool-registry.ts';

interface Parts {
  readonly registry: ToolRegistry;
  readonly runs: HandlerRuns;
  readonly breakers: Breakers;
  readonly admit: Admit;
  readonly tickets: TicketOpener;
  readonly figures: ToolFigures;
  readonly observers: readonly ToolObserver[];
  /** The hash of a session's state, for tickets. */
  readonly stateHash: (sessionId: string) => string | undefined;
  readonly names: NameLookup;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

/** The tool itself failed, so that another may stand in and a person should look at it. */
const INFRASTRUCTURE: readonly ToolErrorCode[] = [
  'TOOL_UNAVAILABLE',
  'TOOL_TIMEOUT',
  'TOOL_OOM',
  'TOOL_CPU',
  'TOOL_FAILED',
  'OUTPUT_INVALID',
];
/** Failures that a repeat of a read may not have. */
const WORTH_REPEATING: readonly ToolErrorCode[] = ['TOOL_UNAVAILABLE', 'TOOL_TIMEOUT', 'TOOL_FAILED'];

type Result =
  | { readonly ok: true; readonly outcome: Extract<HandlerOutcome, { ok: true }> }
  | { readonly ok: false; readonly error: ToolError; readonly say?: Say };

/** One call under way: its arguments are checked as soon as `args` of the call are replaced. */
interface Running {
  readonly call: ToolCall;
  readonly pack: ToolPack;
  readonly signal: AbortSignal;
  /** Monotonic: nothing new begins that could not end by then. */
  readonly untilMs: number;
}

/**
 * Carries out calls of tool packs. In this order: guards against circles and repeats, arguments, verdict of the tests,
 * admission, breaker, sandbox, repeats of a read, result; and when the tool fails, a tool that stands in, else a ticket.
 */
export class PackToolRunner implements ToolRunner {
  readonly #parts: Parts;
  readonly #tallies = new CallTallies();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  contract(tool: string): ToolContract | undefined {
    return this.#parts.registry.pack(tool)?.contract;
  }

  state(tool: string): ToolState | undefined {
    const loaded = this.#parts.registry.state(tool);
    if (loaded !== 'READY') return loaded;
    const breaker = this.#parts.breakers.state(tool);
    return breaker === 'CLOSED' ? 'READY' : breaker;
  }

  names(): readonly string[] {
    return this.#parts.registry.names();
  }

  check(call: ToolCall): ToolCheck {
    const prepared = this.#prepare(call);
    if ('code' in prepared) return { ok: false, error: prepared };
    const fault = this.#tallies.faultOf(prepared.call);
    if (fault !== undefined) return { ok: false, error: fault };
    const { contract } = prepared.pack;
    const measuredMs = this.#parts.figures.of(contract.name).p95Ms;
    return {
      ok: true,
      args: prepared.call.args,
      estimateMs: Math.ceil(measuredMs ?? contract.sla.max_execution_time_ms),
    };
  }

  async call(call: ToolCall, signal: AbortSignal = new AbortController().signal): Promise<ToolOutcome> {
    const begunMs = this.#parts.clocks.monotonicMs();
    const contract = this.#parts.registry.pack(call.tool)?.contract;
    const event = eventOf(call, contract?.observability.redact ?? Object.keys(call.args));
    this.#tell((observer) => observer.onStart(event));
    let outcome: ToolOutcome;
    try {
      outcome = await this.#carryOut(call, signal, begunMs);
    } catch (error) {
      this.#parts.logger.error(
        { tool: call.tool, error: messageOf(error) },
        'a call could not be carried out',
      );
      outcome = this.#failed(begunMs, {
        tool: call.tool,
        code: 'TOOL_FAILED',
        message: 'the call could not be carried out; see the log',
      });
    }
    const { durationMs } = outcome;
    this.#tell((observer) => {
      if (outcome.status === 'failed') observer.onFailure({ ...event, durationMs, code: outcome.error.code });
      else {
        const { degradedBy } = outcome;
        observer.onSuccess({ ...event, durationMs, ...(degradedBy === undefined ? {} : { degradedBy }) });
      }
    });
    return outcome;
  }

  async #carryOut(call: ToolCall, signal: AbortSignal, begunMs: number): Promise<ToolOutcome> {
    const prepared = this.#prepare(call);
    if ('code' in prepared) return this.#failed(begunMs, prepared);
    const repeated = this.#tallies.count(prepared.call);
    if (repeated !== undefined) return this.#failed(begunMs, repeated);
    const { sla } = prepared.pack.contract;
    const stepMs = sla.detached ? Number.POSITIVE_INFINITY : STEP_LIMIT_MS;
    const running = { ...prepared, signal, untilMs: begunMs + stepMs };
    const result = await this.#attempt(running);
    if (result.ok) return this.#succeeded(begunMs, result.outcome, call.tool);
    const { say } = result;
    const failed = {
      ...this.#failed(begunMs, result.error),
      ...(say === undefined ? {} : { say }),
    };
    const { code } = result.error;
    if (code === 'OUTCOME_UNKNOWN') {
      const ticketId = await this.#ticket(running, result.error);
      return { ...failed, ...(ticketId === undefined ? {} : { ticketId }) };
    }
    if (!INFRASTRUCTURE.includes(code)) return failed;
    const stoodIn = await this.#standIn(running);
    if (stoodIn !== undefined) return { ...this.#succeeded(begunMs, stoodIn, call.tool), degradedBy: 'tool' };
    const ticketId = await this.#ticket(running, result.error);
    return {
      ...failed,
      durationMs: this.#parts.clocks.monotonicMs() - begunMs,
      degradedBy: 'canned',
      ...(ticketId === undefined ? {} : { ticketId }),
    };
  }

  /** The call with checked arguments and its pack, or why it is refused. Nothing is changed by it. */
  #prepare(call: ToolCall): { readonly call: ToolCall; readonly pack: ToolPack } | ToolError {
    const { registry, names } = this.#parts;
    const pack = registry.pack(call.tool);
    if (pack === undefined) return this.#notThere(call.tool);
    const fault = pathFault(call);
    if (fault !== undefined) return fault;
    const checked = checkArguments(pack.contract, call.args, names);
    return checked.ok ? { call: { ...call, args: checked.args }, pack } : checked.error;
  }

  #notThere(tool: string): ToolError {
    const { registry } = this.#parts;
    const [fault] = registry.faults(tool);
    if (registry.state(tool) === 'UNHEALTHY')
      return {
        tool,
        code: 'TOOL_UNAVAILABLE',
        message: `${tool} is not used: it did not pass its checks`,
        ...(fault === undefined ? {} : { hint: fault }),
      };
    const near = didYouMean(tool, registry.names()).trim();
    return {
      tool: tool.slice(0, 64),
      code: 'UNKNOWN_TOOL',
      message: `there is no tool "${tool.slice(0, 64)}"`,
      hint: near === '' ? `there are ${registry.names().join(', ')}` : near,
    };
  }

  /** Everything from the verdict of the tests to the last repeat. */
  async #attempt(running: Running): Promise<Result> {
    const { call, pack, signal } = running;
    const { contract } = pack;
    const { registry, breakers, clocks } = this.#parts;
    const refused = (code: ToolErrorCode, message: string, hint?: string) => ({
      ok: false as const,
      error: { tool: call.tool, code, message, ...(hint === undefined ? {} : { hint }) },
    });
    const limitMs = contract.sla.max_execution_time_ms;
    const waitMs = Math.min(STEP_LIMIT_MS, running.untilMs - clocks.monotonicMs()) - limitMs;
    const verdict = await registry.whenTested(call.tool, Math.max(0, waitMs));
    if (verdict === 'TESTING')
      return refused('TOOL_UNAVAILABLE', `${call.tool} is still being tested`, 'try again');
    if (verdict !== 'READY') return { ok: false, error: this.#notThere(call.tool) };
    if (signal.aborted) return refused('CANCELLED', 'called off before it began');
    const admission = await this.#admission(call, contract);
    if (!admission.ok) return refused(admission.code, admission.message, admission.hint);
    // Asked last: a half-open breaker counts whom it lets through.
    if (!breakers.admits(call.tool))
      return refused(
        'TOOL_UNAVAILABLE',
        `${call.tool} has failed several times and is left alone for a while`,
      );
    const outcome = overdue(await this.#run(running), signal);
    breakers.record(call.tool, outcome.ok ? undefined : outcome.code, contract.breaker);
    if (outcome.ok) return { ok: true, outcome };
    const { say } = outcome;
    return {
      ...refused(outcome.code, outcome.message, outcome.hint),
      ...(say === undefined ? {} : { say }),
    };
  }

  async #admission(call: ToolCall, contract: ToolContract): Promise<Admission> {
    try {
      return await this.#parts.admit(call, contract);
    } catch (error) {
      this.#parts.logger.error({ tool: call.tool, error: messageOf(error) }, 'a call could not be admitted');
      return { ok: false, code: 'DENIED', message: 'whether this is allowed could not be found out' };
    }
  }

  /** The handler, and again where the contract lets it be repeated and there is time. */
  async #run({ call, pack, signal, untilMs }: Running): Promise<HandlerOutcome> {
    const { sla, security } = pack.contract;
    const { attempts, delay_ms: delayMs } = sla.retry_policy;
    const mayRepeat = sla.idempotent && security.risk === 'none';
    for (let repeat = 0; ; repeat += 1) {
      const outcome = await this.#parts.runs.run(pack, call, signal, untilMs);
      if (outcome.ok || !mayRepeat || repeat >= attempts || !WORTH_REPEATING.includes(outcome.code))
        return outcome;
      const leftMs = untilMs - this.#parts.clocks.monotonicMs();
      if (delayMs + sla.max_execution_time_ms > leftMs) return outcome;
      if (delayMs > 0) await this.#pause(delayMs, signal);
      if (signal.aborted) return { ok: false, code: 'CANCELLED', message: 'called off between two attempts' };
    }
  }

  #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#parts.scheduler.after(delayMs, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  /** The tool that the contract names for when this one fails; undefined when there is none or it fails too. */
  async #standIn(running: Running): Promise<Extract<HandlerOutcome, { ok: true }> | undefined> {
    const { call, pack, untilMs, signal } = running;
    const { fallback_tool: name, security } = pack.contract;
    const other = name === undefined ? undefined : this.#parts.registry.pack(name);
    if (other === undefined || signal.aborted) return undefined;
    const { contract } = other;
    const rank = (level: AccessLevel): number => ACCESS_LEVELS.indexOf(level);
    // Held at load as well: a privilege is never raised by a failure.
    if (
      rank(contract.security.access_level) > rank(security.access_level) ||
      contract.security.risk !== 'none'
    )
      return undefined;
    if (contract.sla.max_execution_time_ms > untilMs - this.#parts.clocks.monotonicMs()) return undefined;
    const taken = Object.keys(contract.schema.parameters.properties);
    const args = Object.fromEntries(Object.entries(call.args).filter(([key]) => taken.includes(key)));
    const checked = checkArguments(contract, args, this.#parts.names);
    if (!checked.ok) return undefined;
    const instead: ToolCall = {
      ...call,
      callId: `${call.callId}~${contract.name}`,
      tool: contract.name,
      args: checked.args,
      consent: undefined,
    };
    const event = eventOf(instead, contract.observability.redact);
    const begunMs = this.#parts.clocks.monotonicMs();
    this.#tell((observer) => observer.onStart(event));
    const result = await this.#attempt({ ...running, call: instead, pack: other });
    const durationMs = this.#parts.clocks.monotonicMs() - begunMs;
    this.#tell((observer) => {
      if (result.ok) observer.onSuccess({ ...event, durationMs, degradedBy: 'tool' });
      else observer.onFailure({ ...event, durationMs, code: result.error.code });
    });
    return result.ok ? result.outcome : undefined;
  }

  async #ticket({ call, pack }: Running, { code, message }: ToolError): Promise<string | undefined> {
    const { contract } = pack;
    const acts = contract.security.risk === 'physical' || contract.security.risk === 'dangerous';
    try {
      return await this.#parts.tickets.open({
        tool: call.tool,
        code,
        message,
        input: redactArguments(call.args, contract.observability.redact),
        path: [...call.path, call.tool],
        sessionId: call.caller.sessionId,
        turnId: call.caller.turnId,
        stateHash: this.#parts.stateHash(call.caller.sessionId),
        safety: acts && code === 'OUTCOME_UNKNOWN',
      });
    } catch (error) {
      this.#parts.logger.error(
        { tool: call.tool, code, error: messageOf(error) },
        'a ticket could not be opened',
      );
      return undefined;
    }
  }

  #succeeded(
    begunMs: number,
    { result, say }: Extract<HandlerOutcome, { ok: true }>,
    tool: string,
  ): Extract<ToolOutcome, { status: 'ok' }> {
    return { status: 'ok', tool, result, say, durationMs: this.#parts.clocks.monotonicMs() - begunMs };
  }

  #failed(begunMs: number, error: ToolError): Extract<ToolOutcome, { status: 'failed' }> {
    const durationMs = this.#parts.clocks.monotonicMs() - begunMs;
    return { status: 'failed', tool: error.tool, error, durationMs };
  }

  #tell(tell: (observer: ToolObserver) => void): void {
    for (const observer of [this.#parts.figures, ...this.#parts.observers]) {
      try {
        tell(observer);
      } catch (error) {
        this.#parts.logger.error({ error: messageOf(error) }, 'an observer of tools failed');
      }
    }
  }
}

function eventOf(call: ToolCall, redact: readonly string[]): ToolEvent {
  return {
    callId: call.callId,
    tool: call.tool,
    sessionId: call.caller.sessionId,
    turnId: call.caller.turnId,
    origin: call.caller.origin,
    path: call.path,
    // What is nested without end is refused later, and cannot be written down before.
    inputDigest: unsafeJson(call.args) === undefined ? inputDigest(call.args, redact) : '',
  };
}

/** A call that its turn could wait for no longer has let a time limit pass. */
function overdue(outcome: HandlerOutcome, signal: AbortSignal): HandlerOutcome {
  return !outcome.ok && outcome.code === 'CANCELLED' && signal.reason instanceof OutOfTime
    ? { ...outcome, code: 'TOOL_TIMEOUT', message: 'its turn ran out of time' }
    : outcome;
}
