import type { JsonValue } from '../../domain/json.ts';
import { saySchema } from '../../domain/tool/say.ts';
import type { ToolCall, ToolErrorCode } from '../../domain/tool/tool-call.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { CapabilityHost } from '../../tooling/capability.ts';
import type { HandlerOutcome, ToolPack } from '../../tooling/sandbox-port.ts';
import { CapabilityUses } from './capability-uses.ts';
import type { FromWorker, WorkerFailure } from './messages.ts';
import { isJsonObject } from './plain-json.ts';
import type { PooledWorker } from './pooled-worker.ts';

/** The worker is killed so long after the handler's own limit. */
const KILL_AFTER_LIMIT_MS = 1000;
const CANCEL_GRACE_MS = 250;
const WATCH_INTERVAL_MS = 20;
/** To import a handler's module and what it builds on; afterwards the tool's own limit counts. */
const LOAD_CPU_MS = 5000;
/** CPU time is counted in steps of the kernel's clock. */
const CPU_STEP_MS = 10;
/** A worker with more than half of its memory in use is asked so often to collect its garbage. */
const COLLECT_EVERY_MS = 100;
/** Over its memory at so many looks, with a collection asked for between them: what is left is kept. */
const LOOKS_OVER = 3;
/** JSON escapes and names of the frame around a result. */
const FRAME_SHARE = 2;

interface WorkerCallParts {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

/** One call in one worker: from loading the handler to its outcome, inside the limits of its contract. */
export class WorkerCall {
  readonly #worker: PooledWorker;
  readonly #pack: ToolPack;
  readonly #call: ToolCall;
  readonly #uses: CapabilityUses;
  readonly #parts: WorkerCallParts;
  readonly #number: number;
  readonly #startedMs: number;
  readonly #cancels = new Map<string, Cancel>();
  #settle: (outcome: HandlerOutcome) => void = () => undefined;
  #cpuFromMs: number;
  #cpuLimitMs: number;
  #collectedMs = Number.NEGATIVE_INFINITY;
  #looksOver = 0;
  #cancelled = false;
  #over = false;

  constructor(
    worker: PooledWorker,
    pack: ToolPack,
    call: ToolCall,
    capabilities: CapabilityHost,
    parts: WorkerCallParts,
  ) {
    this.#worker = worker;
    this.#pack = pack;
    this.#call = call;
    this.#uses = new CapabilityUses(pack, call, capabilities);
    this.#parts = parts;
    this.#number = worker.nextCall();
    this.#startedMs = parts.clocks.monotonicMs();
    this.#cpuFromMs = worker.process.use()?.cpuMs ?? 0;
    this.#cpuLimitMs = LOAD_CPU_MS;
  }

  /** Never rejects. Afterwards the worker waits for another call, or is on its way out. */
  run(signal: AbortSignal): Promise<HandlerOutcome> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#worker.process.listen({
        onMessage: (message, payload, bytes) => this.#take(message, payload, bytes),
        onEnd: (end) => this.#failed(end.code, end.message),
      });
      this.#after('limit', this.#limitMs + KILL_AFTER_LIMIT_MS, () =>
        this.#kill('TOOL_TIMEOUT', `no answer within ${this.#limitMs} ms and one second more`),
      );
      const cancel = (): void => this.#cancel();
      signal.addEventListener('abort', cancel, { once: true });
      this.#cancels.set('signal', () => signal.removeEventListener('abort', cancel));
      this.#watch();
      if (this.#worker.loaded) this.#begin();
      else this.#worker.process.send({ type: 'load', handler: this.#pack.handler });
      if (signal.aborted) cancel();
    });
  }

  get #limitMs(): number {
    return this.#pack.contract.sla.max_execution_time_ms;
  }

  get #elapsedMs(): number {
    return this.#parts.clocks.monotonicMs() - this.#startedMs;
  }

  #begin(): void {
    this.#cpuFromMs = this.#worker.process.use()?.cpuMs ?? 0;
    this.#cpuLimitMs = this.#pack.contract.sandbox.cpu_ms;
    this.#worker.process.send(
      {
        type: 'call',
        call: this.#number,
        // Loading took some of it.
        limitMs: Math.max(1, Math.round(this.#limitMs - this.#elapsedMs)),
        maxOutputBytes: this.#pack.contract.sandbox.max_output_bytes,
        idempotencyKey: this.#call.idempotencyKey,
      },
      this.#call.args,
    );
  }

  #take(message: FromWorker, payload: JsonValue | undefined, bytes: number): void {
    if (message.type === 'loaded' && !this.#worker.loaded) {
      this.#worker.loaded = true;
      this.#begin();
    } else if (message.type === 'unloadable') {
      this.#kill(message.failure.code, `its handler cannot be loaded: ${message.failure.message}`);
    } else if (message.type === 'ready' || message.type === 'loaded') {
      this.#kill('OUTPUT_INVALID', `it sent "${message.type}" when nothing was to be`);
    } else if (message.call !== this.#number) {
      // Something that an earlier call left running: this one shall not suffer for it.
      this.#worker.retire('it went on after its call had ended');
    } else if (message.type === 'use') void this.#use(message.use, message.name, payload ?? {});
    else this.#end(message, payload, bytes);
  }

  async #use(id: number, name: string, args: JsonValue): Promise<void> {
    const answering = this.#uses.use(id, name, args);
    if (this.#uses.exhausted) {
      this.#kill('TOOL_FAILED', 'it used capabilities more than 1000 times in one call');
    }
    const answer = await answering;
    if (this.#over) return;
    const head = { type: 'answer', call: this.#number, use: id } as const;
    if (answer.ok) this.#worker.process.send({ ...head, ok: true }, answer.value);
    else this.#worker.process.send({ ...head, ok: false, code: answer.code, message: answer.message });
  }

  #end(message: Extract<FromWorker, { type: 'end' }>, payload: JsonValue | undefined, bytes: number): void {
    if (!message.clean) this.#worker.retire('its call left something running');
    if (message.failure !== undefined) this.#handlerFailed(message.failure, payload);
    else this.#answered(payload, bytes);
  }

  #answered(payload: JsonValue | undefined, bytes: number): void {
    const answer = isJsonObject(payload) ? payload : {};
    const { result } = answer;
    const say = saySchema.safeParse(answer['say'] ?? []);
    if (bytes > this.#pack.contract.sandbox.max_output_bytes * FRAME_SHARE)
      this.#failed('OUTPUT_INVALID', `its result has ${bytes} bytes`);
    else if (!isJsonObject(result)) this.#failed('OUTPUT_INVALID', 'its result is no object');
    else if (!say.success)
      this.#failed('OUTPUT_INVALID', `what it wants said is wrong: ${say.error.message}`);
    else this.#finish({ ok: true, result, say: say.data });
  }

  #handlerFailed(failure: WorkerFailure, payload: JsonValue | undefined): void {
    const refusal = this.#uses.refusal(failure.use);
    const told = failure.told && refusal === undefined;
    const code = refusal?.code ?? failure.code;
    const unforeseen = code === 'TOOL_FAILED' && !told;
    if (refusal === undefined && !told) this.#worker.retire('its handler failed');
    // A handler that gives way to its signal, in whatever words.
    if (unforeseen && this.#cancelled) this.#failed('CANCELLED', 'it was cancelled');
    else if (unforeseen && this.#elapsedMs >= this.#limitMs)
      this.#failed('TOOL_TIMEOUT', `it took its ${this.#limitMs} ms`);
    else if (code === 'TOOL_OOM') this.#failed(code, `it needs more than ${this.#memoryMb} MB`);
    else if (told) this.#told(failure, payload);
    else this.#failed(code, failure.message, refusal?.hint ?? failure.hint);
  }

  /** The handler itself says what became of the call. */
  #told({ code, message, hint }: WorkerFailure, payload: JsonValue | undefined): void {
    const say = saySchema.safeParse(isJsonObject(payload) ? payload['say'] : undefined);
    this.#finish({
      ok: false,
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(say.success ? { say: say.data } : {}),
    });
  }

  get #memoryMb(): number {
    return this.#pack.contract.sandbox.memory_mb;
  }

  #failed(code: ToolErrorCode, message: string, hint?: string): void {
    const uncertain = this.#uses.mayHaveActed;
    this.#finish({
      ok: false,
      code: uncertain ? 'OUTCOME_UNKNOWN' : code,
      message: uncertain ? `something may have been done before it failed: ${message}` : message,
      ...(hint === undefined ? {} : { hint }),
    });
  }

  #finish(outcome: HandlerOutcome): void {
    if (this.#over) return;
    this.#over = true;
    for (const cancel of this.#cancels.values()) cancel();
    this.#worker.process.listen(undefined);
    this.#uses.end();
    this.#settle(outcome);
  }

  #cancel(): void {
    if (this.#over || this.#cancelled) return;
    this.#cancelled = true;
    this.#worker.process.send({ type: 'cancel', call: this.#number });
    this.#after('grace', CANCEL_GRACE_MS, () => this.#kill('CANCELLED', 'it was cancelled'));
  }

  #watch(): void {
    const use = this.#worker.process.use();
    if (use !== undefined) {
      const cpuMs = use.cpuMs - this.#cpuFromMs;
      this.#watchMemory((use.privateKb - this.#worker.idleKb) / 1024);
      if (cpuMs > this.#cpuLimitMs + CPU_STEP_MS)
        this.#kill('TOOL_CPU', `it used more than ${this.#cpuLimitMs} ms of the processor`);
    }
    if (!this.#over) this.#after('watch', WATCH_INTERVAL_MS, () => this.#watch());
  }

  /** The outcome does not wait for the exit, which a hanging disk can delay. */
  #kill(code: ToolErrorCode, message: string): void {
    this.#worker.process.kill(code, message);
    this.#worker.retire(message);
    this.#failed(code, message);
  }

  #watchMemory(usedMb: number): void {
    const nowMs = this.#parts.clocks.monotonicMs();
    const isOver = usedMb > this.#memoryMb;
    this.#looksOver = isOver ? this.#looksOver + 1 : 0;
    if (this.#looksOver >= LOOKS_OVER) this.#kill('TOOL_OOM', `it needs more than ${this.#memoryMb} MB`);
    else if (isOver || (usedMb > this.#memoryMb / 2 && nowMs - this.#collectedMs >= COLLECT_EVERY_MS)) {
      this.#collectedMs = nowMs;
      this.#worker.process.send({ type: 'collect' });
    }
  }

  #after(name: string, delayMs: number, run: () => void): void {
    this.#cancels.set(name, this.#parts.scheduler.after(delayMs, run));
  }
}
