import { fileURLToPath } from 'node:url';
import { VoskRecogniser } from '../../src/adapters/recogniser/vosk-recogniser.ts';
import type { Language } from '../../src/domain/language/language.ts';
import { numberToWords } from '../../src/domain/language/number-to-words.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';

const SAMPLE_RATE_HZ = 16_000;
const FRAME_SAMPLES = 640;

/**
 * What a recording says, by the real recogniser. `sentence` gives the words for each number from 0 to 99, so that any
 * of a hundred values can come out and only one is right.
 */
export async function decodeAnswer(
  recording: Buffer,
  language: Language,
  sentence: (number: string) => string,
): Promise<string> {
  const clocks = systemClocks();
  const model = fileURLToPath(new URL(`../../config/voice/tiny-${language}`, import.meta.url));
  const recogniser = new VoskRecogniser(
    { model, libvosk: 'auto', backlogMs: 120_000 },
    { clocks, scheduler: systemScheduler, logger: silentLogger() },
  );
  await recogniser.start(new AbortController().signal);
  try {
    const spaced = (n: number): string =>
      language === 'zh' ? [...numberToWords(n, 'zh')].join(' ') : numberToWords(n, 'en');
    await recogniser.setGrammar(Array.from({ length: 100 }, (_, n) => sentence(spaced(n))));
    const heard: string[] = [];
    const done = new Promise<void>((resolve) => {
      recogniser.onFinal((transcript) => {
        heard.push(transcript.text);
        resolve();
      });
    });
    const samples = new Int16Array(
      recording.buffer.slice(recording.byteOffset, recording.byteOffset + recording.byteLength),
    );
    const padded = new Int16Array(samples.length + 2 * SAMPLE_RATE_HZ);
    padded.set(samples);
    for (let at = 0; at < padded.length; at += FRAME_SAMPLES) {
      recogniser.accept({
        pcm: padded.subarray(at, at + FRAME_SAMPLES),
        arrivedAtMs: clocks.monotonicMs(),
        gapBefore: false,
      });
    }
    await done;
    return heard.join(' ');
  } finally {
    await recogniser.stop(2000);
  }
}
