import { composeDaemon, composeDemo, type Daemon, loadNode } from '../daemon.ts';
import type { Language } from '../domain/language/language.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { DemoStory, demoGreeting } from './demo-story.ts';

interface RunOptions {
  readonly config?: string;
  readonly demo: boolean;
  readonly language?: Language;
  readonly once: boolean;
}

/** `hermes-edge run`: starts everything, waits for SIGTERM or SIGINT, stops everything. */
export async function run(options: RunOptions): Promise<void> {
  if (options.once && !options.demo) throw new EdgeError('USAGE', '--once goes with --demo');
  if (options.language !== undefined && !options.demo) {
    throw new EdgeError('USAGE', '--language goes with --demo', {
      hint: 'for your own site set language in the configuration',
    });
  }
  if (!options.demo) return untilStopped(composeDaemon(loadNode(options.config)), () => undefined);

  const story = new DemoStory(process.stdout);
  const daemon = await composeDemo({ language: options.language ?? 'en', observer: story });
  return untilStopped(daemon, async () => {
    process.stdout.write(demoGreeting(daemon));
    await daemon.visit();
    if (options.once) return 'stop';
    process.stdout.write(story.whatNext(daemon));
    return undefined;
  });
}

async function untilStopped(
  daemon: Daemon,
  whenReady: () => Promise<'stop' | undefined> | undefined,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    let asked = false;
    const ask = (): void => {
      // The second Ctrl-C of somebody who does not want to wait.
      if (asked) process.exit(1);
      asked = true;
      resolve();
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
  });
  const work = daemon.start().then(whenReady);
  // A start that is stopped half way rejects, and there is nobody left to tell.
  const first = await Promise.race([work, stopped.then(() => 'stop' as const)]);
  if (first !== 'stop') await stopped;
  await daemon.stop();
}
