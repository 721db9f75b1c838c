import { loadNode } from '../composition/node.ts';
import { composeDaemon, type Daemon } from '../daemon.ts';
import { composeDemo } from '../demo.ts';
import type { Language } from '../domain/language/language.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { DemoStory, demoGreeting, whatNext } from './demo-story.ts';

interface RunOptions {
  readonly config?: string;
  readonly demo: boolean;
  readonly language?: Language;
  readonly once: boolean;
}

/** What is left of the log gets out within this time. */
const LAST_WORDS_MS = 500;

/** `hermes-edge run`: starts everything, waits for SIGTERM or SIGINT, stops everything. */
export async function run(options: RunOptions): Promise<void> {
  if (options.once && !options.demo) throw new EdgeError('USAGE', '--once goes with --demo');
  if (options.language !== undefined && !options.demo) {
    throw new EdgeError('USAGE', '--language goes with --demo', {
      hint: 'for your own site set language in the configuration',
    });
  }
  if (!options.demo) {
    await untilStopped(await composeDaemon(loadNode(options.config)), async () => 'stay');
    return;
  }
  const demo = await composeDemo(options.language ?? 'en', new DemoStory(process.stdout));
  await untilStopped(demo.daemon, async (stopping) => {
    process.stdout.write(demoGreeting(demo.summary()));
    await demo.visit(stopping);
    if (options.once || stopping.aborted) return 'stop';
    process.stdout.write(whatNext(demo.summary()));
    return 'stay';
  });
}

async function untilStopped(
  daemon: Daemon,
  whenReady: (stopping: AbortSignal) => Promise<'stop' | 'stay'>,
): Promise<void> {
  const stopping = new AbortController();
  const stopped = new Promise<'stop'>((resolve) => {
    let asked = false;
    const ask = (): void => {
      // The second Ctrl-C of somebody who does not want to wait.
      if (asked) process.exit(1);
      asked = true;
      stopping.abort();
      resolve('stop');
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
  });
  try {
    const first = await Promise.race([daemon.start().then(() => whenReady(stopping.signal)), stopped]);
    if (first !== 'stop') await stopped;
  } finally {
    await daemon.stop();
    endSoon();
  }
}

/** Everything has been stopped: a device or a library that still holds the event loop must not keep the process. */
function endSoon(): void {
  setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}
