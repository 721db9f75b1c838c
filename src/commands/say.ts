import { speakOnce } from '../composition/mouth.ts';
import { loadNodeOrDemo } from '../composition/node.ts';
import { controlSocketOf } from '../composition/site.ts';
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
  if (text.trim() === '') throw new EdgeError('USAGE', 'say what to speak');
  const node = await loadNodeOrDemo(options.config);
  const language = options.language ?? languageOf(text);
  const outcome =
    (await postControl(controlSocketOf(node.config), '/say', { text, language })) ??
    (await speakOnce(node.config, { text, language }));
  const kind = typeof outcome === 'object' && outcome !== null ? Reflect.get(outcome, 'kind') : undefined;
  if (kind !== 'played' && kind !== 'kept') {
    const reason: unknown =
      typeof outcome === 'object' && outcome !== null ? Reflect.get(outcome, 'reason') : undefined;
    throw new EdgeError('SPEECH_FAILED', `not spoken: ${String(reason ?? kind)}`, {
      hint: 'hermes-edge doctor tells what is missing',
    });
  }
  const file: unknown = Reflect.get(Object(outcome), 'file');
  print(options.json, outcome, () =>
    kind === 'kept' ? `spoken into ${String(file)} (no speaker here)` : 'spoken to the end',
  );
}
