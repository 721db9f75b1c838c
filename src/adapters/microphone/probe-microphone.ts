import type { Scheduler } from '../../runtime/clocks.ts';
import { arecordInstalled, startArecord } from './arecord.ts';

const LIMIT_MS = 2_000;

/** Whether arecord can record from the ALSA device now; an answer comes within 2 s. */
export async function probeMicrophone(
  device: string,
  context: { readonly scheduler: Scheduler; readonly env?: NodeJS.ProcessEnv },
): Promise<boolean> {
  const env = context.env ?? process.env;
  if (!(await arecordInstalled(env))) return false;
  let heard = false;
  return new Promise((resolve) => {
    const arecord = startArecord(device, env, {
      onBytes: () => {
        heard = true;
        arecord.kill();
      },
      onComplaint: () => undefined,
      onExit: () => {
        cancel();
        resolve(heard);
      },
    });
    const cancel = context.scheduler.after(LIMIT_MS, () => arecord.kill());
  });
}
