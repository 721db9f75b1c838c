import type { JsonValue } from '../../domain/json.ts';
import { TOOL_ERROR_CODES, type ToolCall, type ToolErrorCode } from '../../domain/tool/tool-call.ts';
import type { CapabilityName } from '../../domain/tool/tool-contract.ts';
import { EdgeError, isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { CapabilityHost } from '../../tooling/capability.ts';
import type { ToolPack } from '../../tooling/sandbox-port.ts';
import { faultOf } from './plain-json.ts';

const MAX_IN_FLIGHT = 32;
const MAX_USES = 1000;

/** What these did cannot be taken back by forgetting the call. */
const ACTING: ReadonlySet<CapabilityName> = new Set([
  'points.write',
  'mail.send',
  'work_orders.create',
  'work_orders.close',
  'http.request',
  'tools.call',
]);

export type UseAnswer =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly code: string; readonly message: string };

export interface Refusal {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

/** The uses of capabilities by one call: what its contract lists, so many at a time, so many in all. */
export class CapabilityUses {
  readonly #pack: ToolPack;
  readonly #call: ToolCall;
  readonly #host: CapabilityHost;
  readonly #over = new AbortController();
  readonly #refusals = new Map<number, Refusal>();
  readonly #waitingForConnection: (() => void)[] = [];
  #inFlight = 0;
  #connections = 0;
  #count = 0;
  #acts = 0;

  constructor(pack: ToolPack, call: ToolCall, host: CapabilityHost) {
    this.#pack = pack;
    this.#call = call;
    this.#host = host;
  }

  /** It has asked for more than any call may: nothing good comes of it. */
  get exhausted(): boolean {
    return this.#count > MAX_USES;
  }

  /** Something was done, or may have been, that stays done when the handler fails. */
  get mayHaveActed(): boolean {
    return this.#acts > 0;
  }

  /** Never rejects. */
  async use(id: number, wanted: string, args: JsonValue): Promise<UseAnswer> {
    this.#count += 1;
    const { contract } = this.#pack;
    const name = contract.capabilities.find((each) => each === wanted);
    if (name === undefined)
      return this.#refuse(id, 'DENIED', `${contract.name} does not list "${wanted}" under capabilities`);
    if (name === 'http.request' && contract.sandbox.connections === 0)
      return this.#refuse(id, 'DENIED', `${contract.name} may open no connection`);
    if (this.#inFlight >= MAX_IN_FLIGHT)
      return this.#refuse(id, 'TOOL_FAILED', `more than ${MAX_IN_FLIGHT} uses of capabilities at a time`);
    const acting = contract.security.risk !== 'none' && ACTING.has(name);
    this.#inFlight += 1;
    if (acting) this.#acts += 1;
    try {
      const value = await this.#carriedOut(name, args);
      const fault = faultOf(value);
      if (fault === undefined) return { ok: true, value };
      return this.#refuse(id, 'TOOL_FAILED', `what ${name} gave cannot be handed on: ${fault}`);
    } catch (error) {
      if (acting && !isUncertain(error)) this.#acts -= 1;
      const refusal = refusalOf(error);
      this.#refusals.set(id, refusal);
      return { ok: false, code: isEdgeError(error) ? error.code : refusal.code, message: refusal.message };
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** What the daemon itself said to a use. */
  refusal(id: number | undefined): Refusal | undefined {
    return id === undefined ? undefined : this.#refusals.get(id);
  }

  /** Ends what is under way. */
  end(): void {
    this.#over.abort(new EdgeError('CANCELLED', 'the call is over'));
    for (const go of this.#waitingForConnection.splice(0)) go();
  }

  #refuse(id: number, code: ToolErrorCode, message: string): UseAnswer {
    this.#refusals.set(id, { code, message, hint: undefined });
    return { ok: false, code, message };
  }

  async #carriedOut(name: CapabilityName, args: JsonValue): Promise<JsonValue> {
    const use = (): Promise<JsonValue> => {
      this.#over.signal.throwIfAborted();
      return this.#host(name, args, { call: this.#call, signal: this.#over.signal });
    };
    if (name !== 'http.request') return use();
    if (this.#connections >= this.#pack.contract.sandbox.connections)
      await new Promise<void>((resolve) => this.#waitingForConnection.push(resolve));
    this.#connections += 1;
    try {
      return await use();
    } finally {
      this.#connections -= 1;
      this.#waitingForConnection.shift()?.();
    }
  }
}

function isUncertain(error: unknown): boolean {
  return isEdgeError(error) && error.retry === 'unknown-outcome';
}

function refusalOf(error: unknown): Refusal {
  if (!isEdgeError(error)) return { code: 'TOOL_FAILED', message: messageOf(error), hint: undefined };
  const { message, hint } = error;
  if (isUncertain(error)) return { code: 'OUTCOME_UNKNOWN', message, hint };
  // A code of another kind is of what the tool needs and did not get: a PLC, a server, a disk.
  const code = TOOL_ERROR_CODES.find((each) => each === error.code) ?? 'TOOL_UNAVAILABLE';
  return { code, message, hint };
}
