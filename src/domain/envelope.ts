import type { Clocks } from '../runtime/clocks.ts';

/** Whether the wall clock is known to be right; a Pi starts without a real-time clock. */
export type ClockState = 'synced' | 'unsynced';

/** What every message that leaves this box carries beside its body. */
export interface Envelope {
  readonly id: string;
  readonly boot_id: string;
  readonly seq: number;
  readonly ts: string;
  readonly clock: ClockState;
  /** True when the body tells of something that was over before the message could be sent. */
  readonly historical: boolean;
  /** Name and version of the body, such as `status/1`. */
  readonly schema: string;
}

/** `boot_id` and `seq` make the id unique without a random source. */
export function createEnvelope(clocks: Clocks, clock: ClockState, schema: string): Envelope {
  const seq = clocks.nextSeq();
  return {
    id: `${clocks.bootId}-${seq}`,
    boot_id: clocks.bootId,
    seq,
    ts: clocks.wall().toISOString(),
    clock,
    historical: false,
    schema,
  };
}
