/**
 * Runs tool handlers apart from the daemon, in a pool of child processes. In: calls that the tool runner has admitted.
 * Out: an outcome each, whatever the handler does. Composed with the capabilities that handlers may use.
 */
import type { ToolCall, ToolErrorCode } from '../../domain/tool/tool-call.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { CapabilityHost } from '../../tooling/capability.ts';
import type { HandlerOutcome, Sandbox, ToolPack } from '../../tooling/sandbox-port.ts';
import { CallSlots, type Slot } from './call-slots.ts';
import { dataLimiter } from './memory-ceiling.ts';
import { linkOutOf } from './pack-links.ts';
import { faultOf } from './plain-json.ts';
import { WorkerCall } from './worker-call.ts';
import { ownWorker, workerCommand } from './worker-command.ts';
import { type PoolRuntime, WorkerPool } from './worker-pool.ts';

export interface SandboxSettings {
  /** Calls at a time, and workers kept warm: 2 on a Pi, up to 5. */
  readonly size: number;
  /** Calls that wait for a free worker, at most. */
  readonly waiting: number;
  readonly waitLimitMs: number;
  readonly callsPerWorker: number;
  /** Directories that handlers may read: where the packs are, and the packages that they build on. */
  readonly readable: readonly string[];
}

export const SANDBOX_DEFAULTS = { size: 2, waiting: 16, waitLimitMs: 5000, callsPerWorker: 200 } as const;

const COUNTED: readonly ToolErrorCode[] = ['TOOL_OOM', 'TOOL_CPU', 'TOOL_TIMEOUT'];

export class ProcessSandbox implements Service {
  readonly name = 'tools';
  readonly #settings: SandboxSettings;
  readonly #runtime: PoolRuntime;
  readonly #pool: WorkerPool;
  /** By how many tools are around a call: a tool that waits for another never keeps it from its place. */
  readonly #slots = new Map<number, CallSlots>();
  readonly #checked = new Map<string, Promise<string | undefined>>();
  readonly #counts = new Map<ToolErrorCode, number>();
  #views = 0;
  #calls = 0;
  #closed = false;

  /** `worker`: the module that is run as a worker. */
  constructor(settings: SandboxSettings, runtime: PoolRuntime, worker = ownWorker()) {
    this.#settings = settings;
    this.#runtime = runtime;
    this.#pool = new WorkerPool(settings, workerCommand(worker, settings.readable), dataLimiter(), runtime);
  }

  /** Runs handlers with these capabilities. Workers are never shared with another set of capabilities. */
  servedBy(capabilities: CapabilityHost): Sandbox {
    const view = ++this.#views;
    return { run: (pack, call, signal) => this.#run(view, capabilities, pack, call, signal) };
  }

  start(): Promise<void> {
    this.#pool.open();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#closed = true;
    for (const slots of this.#slots.values()) slots.close();
    await this.#pool.close();
  }

  health(): Health {
    const { trouble, figures } = this.#pool;
    const waiting = [...this.#slots.values()].reduce((sum, slots) => sum + slots.waiting, 0);
    const all = {
      ...figures,
      calls: this.#calls,
      waiting,
      ooms: this.#counts.get('TOOL_OOM') ?? 0,
      cpu_kills: this.#counts.get('TOOL_CPU') ?? 0,
      timeouts: this.#counts.get('TOOL_TIMEOUT') ?? 0,
    };
    if (this.#closed) return { status: 'off', detail: 'stopped', figures: all };
    if (trouble !== undefined)
      return { status: 'down', detail: `tool workers do not start: ${trouble}`, figures: all };
    if (figures['workers'] === 0)
      return { status: 'starting', detail: 'the first worker starts', figures: all };
    return {
      status: 'ok',
      detail: `${figures['busy']} of ${this.#settings.size} workers busy`,
      figures: all,
    };
  }

  /** Process numbers of the workers that live. */
  get workerPids(): readonly number[] {
    return this.#pool.pids;
  }

  async #run(
    view: number,
    capabilities: CapabilityHost,
    pack: ToolPack,
    call: ToolCall,
    signal: AbortSignal,
  ): Promise<HandlerOutcome> {
    this.#calls += 1;
    const fault = faultOf(call.args);
    if (fault !== undefined) return failed('INPUT_INVALID', `the arguments cannot be handed on: ${fault}`);
    const link = await this.#linkOutOf(pack);
    if (link !== undefined) return failed('TOOL_UNAVAILABLE', link);
    const slot = await this.#slotsAt(call.path.length).take(pack.contract.sla.detached, signal);
    if (!slot.ok) return notAdmitted(slot.why);
    const outcome = await this.#inWorker(`${view} ${pack.handler}`, capabilities, pack, call, signal);
    slot.release();
    if (!outcome.ok) {
      const { code } = outcome;
      if (COUNTED.includes(code)) this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
    }
    return outcome;
  }

  async #inWorker(
    owner: string,
    capabilities: CapabilityHost,
    pack: ToolPack,
    call: ToolCall,
    signal: AbortSignal,
  ): Promise<HandlerOutcome> {
    const { clocks, scheduler } = this.#runtime;
    const giveUp = new AbortController();
    const cancelWait = scheduler.after(this.#settings.waitLimitMs, () => giveUp.abort());
    const either = AbortSignal.any([signal, giveUp.signal]);
    const worker = await this.#pool.take(owner, pack.contract.sandbox.memory_mb, either);
    cancelWait();
    if (worker === undefined)
      return signal.aborted || this.#closed
        ? notAdmitted(signal.aborted ? 'cancelled' : 'closed')
        : failed('TOOL_UNAVAILABLE', 'no worker could be had in time');
    const outcome = await new WorkerCall(worker, pack, call, capabilities, { clocks, scheduler }).run(signal);
    this.#pool.giveBack(worker);
    return outcome;
  }

  #slotsAt(depth: number): CallSlots {
    const found = this.#slots.get(depth);
    if (found !== undefined) return found;
    const { size, waiting, waitLimitMs } = this.#settings;
    const slots = new CallSlots({ slots: size, waiting, waitLimitMs }, this.#runtime.scheduler);
    if (this.#closed) slots.close();
    this.#slots.set(depth, slots);
    return slots;
  }

  /** Once for each handler: a pack is read when the daemon starts. */
  #linkOutOf(pack: ToolPack): Promise<string | undefined> {
    const { handler } = pack;
    const known = this.#checked.get(handler);
    if (known !== undefined) return known;
    const check = linkOutOf(handler).then(
      (link) => (link === undefined ? undefined : `${link} leads out of its pack`),
      (error: unknown) => `its pack cannot be read: ${messageOf(error)}`,
    );
    this.#checked.set(handler, check);
    return check;
  }
}

function failed(code: ToolErrorCode, message: string): HandlerOutcome {
  return { ok: false, code, message };
}

function notAdmitted(why: Extract<Slot, { ok: false }>['why']): HandlerOutcome {
  if (why === 'cancelled') return failed('CANCELLED', 'it was cancelled before it began');
  if (why === 'closed') return failed('TOOL_UNAVAILABLE', 'the daemon is stopping');
  return failed(
    'TOOL_BUSY',
    why === 'full' ? 'too many calls wait for a worker' : 'no worker came free in time',
  );
}
