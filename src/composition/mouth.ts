import type { SpeechLine } from '../app/ports/speech-engine.ts';
import type { Config } from '../config/config-schema.ts';
import { messageOf } from '../runtime/edge-error.ts';
import { createRuntime } from './runtime.ts';
import { composeEngine } from './voice.ts';

/** Speaks one line without a daemon; resolves when its sound has ended. */
export async function speakOnce(
  config: Config,
  line: SpeechLine,
): Promise<{ readonly kind: string; readonly reason?: string }> {
  const { engine } = composeEngine(config, createRuntime('silent'), true);
  try {
    return await engine.speak(line, new AbortController().signal);
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error) };
  }
}
