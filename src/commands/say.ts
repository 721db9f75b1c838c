import { composeMouth, controlSocketOf, loadNode, runningDemo } from '../daemon.ts';
import { type Language, languageOf } from '../domain/language/language.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { postControl } from './control-client.ts';
import { print } from './print.ts';

interface SayOptions {
  readonly config?: string;
  readonly language?: Language;
  readonly json: boolean;
}

/** `hermes-edge say`: spoken by the running daemon in its turn; without one by this process. Resolves when the sound has ended. */
export async function say(text: string, options: SayOptions): Promise<void> {
  const node = loadNode(options.config, runningDemo());
  const language = options.language ?? languageOf(text);
  const outcome =
    (await postControl(controlSocketOf(node.config), '/say', { text, language })) ??
    (await composeMouth(node)({ text, language }));
  const kind = typeof outcome === 'object' && outcome !== null ? Reflect.get(outcome, 'kind') : undefined;
  if (kind !== 'spoken') {
    const reason: unknown =
      typeof outcome === 'object' && outcome !== null ? Reflect.get(outcome, 'reason') : undefined;
    throw new EdgeError('SPEECH_FAILED', `not spoken: ${String(reason ?? kind)}`, {
      hint: 'hermes-edge doctor tells what is missing',
    });
  }
  print(options.json, outcome, () => 'spoken');
}
