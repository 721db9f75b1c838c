import process from 'node:process';
import type { JsonObject, JsonValue } from '../../../domain/json.ts';
import type { HandlerContext } from '../../../tooling/handler-api.ts';
import type { FromWorker, ToWorker, WorkerFailure } from '../messages.ts';
import { faultOf } from '../plain-json.ts';
import { CapabilityClient } from './capability-client.ts';
import { describeThrown, sayOf } from './describe-thrown.ts';

interface HandlerHostParts {
  readonly send: (message: FromWorker, payload?: JsonValue) => void;
  /** Imports a handler's module by its path. */
  readonly load: (handler: string) => Promise<unknown>;
  readonly collectGarbage: () => void;
}

interface RunningCall {
  readonly call: number;
  readonly uses: CapabilityClient;
  readonly over: AbortController;
  readonly timer: NodeJS.Timeout;
}

type Ending =
  | { readonly answer: JsonValue }
  | { readonly failure: WorkerFailure; readonly say?: JsonValue | undefined };

/** Taken before a handler can replace them. */
const { stringify, parse } = JSON;
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const { byteLength } = Buffer;
const activeResources = process.getActiveResourcesInfo.bind(process);

/** Runs the calls of one tool, one after another, inside the worker. */
export class HandlerHost {
  readonly #parts: HandlerHostParts;
  #handle: ((args: JsonValue, context: HandlerContext) => unknown) | undefined;
  #running: RunningCall | undefined;
  /** What the handler's module keeps open for good. */
  #resting = 0;

  constructor(parts: HandlerHostParts) {
    this.#parts = parts;
  }

  take(message: ToWorker, payload: JsonValue | undefined): void {
    const running = this.#running;
    if (message.type === 'load') void this.#load(message.handler);
    else if (message.type === 'collect') this.#parts.collectGarbage();
    else if (message.type === 'call') void this.#call(message, payload ?? {});
    else if (running === undefined || running.call !== message.call) return;
    else if (message.type === 'cancel') running.over.abort(new Error('the call was cancelled'));
    else if (message.ok) running.uses.answer(message.use, payload ?? null);
    else running.uses.refuse(message.use, message.code, message.message);
  }

  /** Something that the handler left alone threw. The call fails; the daemon ends the process. */
  crashed(thrown: unknown): void {
    const running = this.#running;
    if (running !== undefined) this.#end(running, { failure: describeThrown(thrown) }, false);
    else process.exit(1);
  }

  async #load(handler: string): Promise<void> {
    try {
      const module = await this.#parts.load(handler);
      const handle: unknown =
        typeof module === 'object' && module !== null ? Reflect.get(module, 'handle') : undefined;
      if (typeof handle !== 'function') throw new TypeError('the module exports no function named "handle"');
      this.#handle = (args, context) => handle(args, context);
      this.#resting = timers();
      this.#parts.send({ type: 'loaded' });
    } catch (error) {
      this.#parts.send({ type: 'unloadable', failure: describeThrown(error) });
    }
  }

  async #call(message: Extract<ToWorker, { type: 'call' }>, args: JsonValue): Promise<void> {
    const { call } = message;
    const over = new AbortController();
    const uses = new CapabilityClient((use, name, useArgs) => this.#ask(call, use, name, useArgs));
    const timer = startTimer(() => over.abort(new Error('the time of the call is up')), message.limitMs);
    const running = { call, uses, over, timer };
    this.#running = running;
    const context: HandlerContext = {
      use: (name, useArgs) => uses.use(name, useArgs),
      signal: over.signal,
      idempotencyKey: message.idempotencyKey,
    };
    try {
      this.#end(running, endingOf(await this.#handle?.(args, context), message.maxOutputBytes), true);
    } catch (thrown) {
      const use = uses.refusal(thrown);
      const failure = describeThrown(thrown);
      const say = sayOf(thrown);
      this.#end(running, { failure: use === undefined ? failure : { ...failure, use }, say }, true);
    }
  }

  #ask(call: number, use: number, name: string, args: JsonObject): void {
    const plain: JsonValue = parse(stringify(args));
    const fault = faultOf(plain);
    if (fault !== undefined) throw Object.assign(new TypeError(fault), { code: 'INPUT_INVALID' });
    this.#parts.send({ type: 'use', call, use, name }, plain);
  }

  #end(running: RunningCall, ending: Ending, settled: boolean): void {
    if (this.#running !== running) return;
    this.#running = undefined;
    stopTimer(running.timer);
    running.uses.end();
    const clean = settled && timers() <= this.#resting;
    const head = { type: 'end', call: running.call, clean } as const;
    if ('failure' in ending) {
      const payload = ending.say === undefined ? undefined : { say: ending.say };
      this.#parts.send({ ...head, failure: ending.failure }, payload);
    } else this.#parts.send(head, ending.answer);
  }
}

/** What the handler returned, as plain JSON. */
function endingOf(answer: unknown, maxOutputBytes: number): Ending {
  const invalid = (message: string): Ending => ({
    failure: { code: 'OUTPUT_INVALID', message, told: false },
  });
  if (typeof answer !== 'object' || answer === null || !('result' in answer))
    return invalid('the handler returned no { result }');
  let text: string | undefined;
  try {
    text = stringify({ result: answer.result, say: 'say' in answer ? answer.say : undefined });
  } catch (error) {
    return invalid(`the result is no JSON: ${describeThrown(error).message}`);
  }
  const bytes = byteLength(text);
  if (bytes > maxOutputBytes)
    return invalid(`the result has ${bytes} bytes, more than the tool's ${maxOutputBytes}`);
  const plain: JsonValue = parse(text);
  const fault = faultOf(plain);
  return fault === undefined ? { answer: plain } : invalid(`the result cannot be handed on: ${fault}`);
}

/** Timers that are set. Requests to the disk are not counted: the import of the handler may still have some, and they end. */
function timers(): number {
  return activeResources().filter((resource) => resource === 'Timeout' || resource === 'Immediate').length;
}
