import { composeAnswerer } from '../composition/answerer.ts';
import { loadNodeOrDemo } from '../composition/node.ts';
import { controlSocketOf, type Site } from '../composition/site.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { postControl } from './control-client.ts';
import { print } from './print.ts';

interface AskOptions {
  readonly config?: string;
  readonly speak: boolean;
  readonly json: boolean;
}

/**
 * `hermes-edge ask`: the running daemon answers; without one this process does, from the same configuration.
 * Exit status 1 when the command was not carried out.
 */
export async function ask(text: string, options: AskOptions): Promise<void> {
  const node = await loadNodeOrDemo(options.config);
  const reply =
    (await postControl(controlSocketOf(node.config), '/ask', { text, speak: options.speak })) ??
    (await alone(text, options, node));
  const field = (name: string): unknown =>
    typeof reply === 'object' && reply !== null ? Reflect.get(reply, name) : undefined;
  print(options.json, reply, () => String(field('answer') ?? ''));
  if (field('outcome') === 'FAILED') process.exitCode = 1;
}

async function alone(text: string, options: AskOptions, node: Site): Promise<unknown> {
  if (options.speak) {
    throw new EdgeError('NO_DAEMON', 'no daemon is running, and --speak needs its voice', {
      hint: 'start it, or leave --speak out',
    });
  }
  process.stderr.write('No daemon is running; this process reads the PLC itself.\n');
  const answerer = await composeAnswerer(node);
  try {
    await answerer.start();
    return await answerer.ask(text);
  } finally {
    await answerer.stop();
  }
}
