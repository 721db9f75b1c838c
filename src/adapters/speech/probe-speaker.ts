import type { Scheduler } from '../../runtime/clocks.ts';
import { AplayPlayer } from './aplay-player.ts';

const PROBE_LIMIT_MS = 2000;
const PROBE_RATE_HZ = 22_050;
const PROBE_SILENCE = Buffer.alloc(2 * Math.round(PROBE_RATE_HZ * 0.01));

/** Whether aplay plays 10 ms of silence to an ALSA device within 2 s. Nothing is heard. */
export async function probeSpeaker(
  device: string,
  deps: { readonly scheduler: Scheduler; readonly env?: NodeJS.ProcessEnv },
): Promise<boolean> {
  const player = new AplayPlayer({ device, rateHz: PROBE_RATE_HZ, env: deps.env ?? process.env });
  const cancel = deps.scheduler.after(PROBE_LIMIT_MS, () => {
    void player.kill();
  });
  try {
    await player.write(PROBE_SILENCE);
    await player.finish();
    return true;
  } catch {
    // The engine that needs the speaker reports the reason with its own attempt.
    return false;
  } finally {
    cancel();
  }
}
