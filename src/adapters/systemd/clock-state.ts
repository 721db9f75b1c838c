import { existsSync } from 'node:fs';
import koffi from 'koffi';
import type { ClockState } from '../../domain/envelope.ts';

/** Made by systemd-timesyncd once it has set the clock (systemd-timesyncd.service(8)). */
const SYNCHRONISED_MARK = '/run/systemd/timesync/synchronized';

/** `struct timex` of 64-bit Linux is 208 bytes; its `status` lies behind five words (adjtimex(2)). */
const TIMEX_BYTES = 208;
const STATUS_AT = 40;
/** Nobody disciplines the clock. chrony, ntpd and timesyncd all clear it. */
const STA_UNSYNC = 0x40;

const adjtimex = koffi.load('libc.so.6').func('int adjtimex(uint8_t *timex)');

/** `synced` only where that is known: timesyncd says so, or the kernel of whatever time service there is. */
export function clockState(): ClockState {
  return existsSync(SYNCHRONISED_MARK) || isDisciplined() ? 'synced' : 'unsynced';
}

/** Whether the kernel counts the clock as synchronised; false where it cannot be asked. */
export function isDisciplined(): boolean {
  // All modes zero: it only tells.
  const timex = Buffer.alloc(TIMEX_BYTES);
  const state: unknown = adjtimex(timex);
  return typeof state === 'number' && state >= 0 && (timex.readInt32LE(STATUS_AT) & STA_UNSYNC) === 0;
}
