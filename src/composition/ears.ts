import { readFileSync } from 'node:fs';
import { GrammarLoader } from '../app/grammar-loader.ts';
import { SAMPLE_RATE_HZ } from '../app/ports/microphone.ts';
import type { Transcript } from '../app/ports/recogniser.ts';
import { decideHearing, type HearingDecision } from '../domain/intent/hearing-policy.ts';
import type { MatchOutcome } from '../domain/intent/meaning.ts';
import { resample } from '../domain/voice/resample.ts';
import { decodeWav } from '../domain/voice/wav.ts';
import { EdgeError, messageOf } from '../runtime/edge-error.ts';
import { Lifecycle } from '../runtime/lifecycle.ts';
import { createRuntime } from './runtime.ts';
import type { Site } from './site.ts';
import { composeMicrophone, composeRecogniser, composeVisitor } from './voice.ts';

/** One utterance with what would be made of it. */
export interface Heard {
  readonly transcript: Transcript;
  readonly match: MatchOutcome;
  readonly decision: HearingDecision;
}

/**
 * Microphone, or a WAV file in its place, and recogniser alone: nothing that is heard is acted on. Throws EdgeError
 * WAV_UNREADABLE or WAV_INVALID for a file that cannot be played.
 */
export function composeEars(
  site: Site,
  wavFile: string | undefined,
  listener: { partial(text: string): void; heard(heard: Heard): void },
) {
  const { config, books } = site;
  const { language } = config;
  const runtime = createRuntime('warn');
  const recogniser = composeRecogniser(config, runtime);
  const grammar = new GrammarLoader({ ...runtime, recogniser, book: books[language] });
  const sound = wavFile === undefined ? undefined : readSound(wavFile);
  const visitor = sound === undefined ? undefined : composeVisitor(language, runtime);
  const microphone = visitor?.microphone ?? composeMicrophone(config, runtime);
  const lifecycle = new Lifecycle(
    [recogniser, grammar, microphone],
    { stopDeadlineMs: 3000 },
    runtime.logger,
  );
  microphone.onFrame((frame) => recogniser.accept(frame));
  recogniser.onPartial((text) => listener.partial(text));
  recogniser.onFinal((transcript) => {
    const match = books[language].match(transcript.text);
    const { words, audioLost, cut, snrDb } = transcript;
    listener.heard({
      transcript,
      match,
      decision: decideHearing({ words, audioLost, cut, snrDb, fits: match.kind !== 'none' }),
    });
  });
  return {
    lifecycle,
    /** Plays the file to its end and a second of silence after it. */
    async playFile(): Promise<void> {
      if (visitor === undefined || sound === undefined) return;
      await visitor.microphone.play(sound);
      await visitor.microphone.play(new Int16Array(SAMPLE_RATE_HZ * 1.5));
    },
  };
}

/** 16 kHz; of several channels the first, as a recorder set to one channel would give it. */
function readSound(file: string): Int16Array {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new EdgeError('WAV_UNREADABLE', `${file}: ${messageOf(error)}`, {
      hint: 'check the path and that this user may read it',
      cause: error,
    });
  }
  const { pcm, channels, sampleRateHz } = decodeWav(bytes);
  const first = channels === 1 ? pcm : pcm.filter((_, i) => i % channels === 0);
  return resample(first, sampleRateHz, SAMPLE_RATE_HZ);
}
