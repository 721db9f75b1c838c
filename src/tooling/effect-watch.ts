import type { CapabilityName } from '../domain/tool/tool-contract.ts';
import { isEdgeError } from '../runtime/edge-error.ts';
import type { CapabilityHost } from './capability.ts';

/** Capabilities that change something outside of the daemon's own bookkeeping. */
const EFFECTS: readonly CapabilityName[] = [
  'points.write',
  'memory.forget',
  'memory.review',
  'files.save',
  'files.remove',
  'mail.send',
  'work_orders.create',
  'work_orders.close',
  'http.request',
  'tools.call',
];

/**
 * Knows of each call under way whether it may have changed anything: a handler that is killed before it did can be told as
 * failed, one that is killed afterwards only as unknown.
 */
export class EffectWatch {
  readonly #begun = new Map<string, { mayHaveActed: boolean }>();

  around(host: CapabilityHost): CapabilityHost {
    return async (name, args, context) => {
      const call = EFFECTS.includes(name) ? this.#begun.get(context.call.callId) : undefined;
      if (call === undefined) return host(name, args, context);
      const before = call.mayHaveActed;
      call.mayHaveActed = true;
      try {
        return await host(name, args, context);
      } catch (error) {
        // Refused for certain: as if it had never been asked for.
        if (isEdgeError(error) && error.retry !== 'unknown-outcome' && error.code !== 'OUTCOME_UNKNOWN')
          call.mayHaveActed = before;
        throw error;
      }
    };
  }

  begin(callId: string): void {
    this.#begun.set(callId, { mayHaveActed: false });
  }

  mayHaveActed(callId: string): boolean {
    return this.#begun.get(callId)?.mayHaveActed ?? false;
  }

  end(callId: string): void {
    this.#begun.delete(callId);
  }
}
