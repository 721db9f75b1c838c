import { existsSync } from 'node:fs';
import type { ClockState } from '../../domain/envelope.ts';

/** Made by systemd-timesyncd once it has set the clock (systemd-timesyncd.service(8)). */
const SYNCHRONISED_MARK = '/run/systemd/timesync/synchronized';

/** `synced` only where that is known: another time service counts as unsynced. */
export function clockState(): ClockState {
  return existsSync(SYNCHRONISED_MARK) ? 'synced' : 'unsynced';
}
