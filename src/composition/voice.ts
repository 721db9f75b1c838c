import { join } from 'node:path';
import { ArecordMicrophone } from '../adapters/microphone/arecord-microphone.ts';
import { probeMicrophone } from '../adapters/microphone/probe-microphone.ts';
import { SynthesisedMicrophone } from '../adapters/microphone/synthesised-microphone.ts';
import { VoskRecogniser } from '../adapters/recogniser/vosk-recogniser.ts';
import { EspeakNgEngine } from '../adapters/speech/espeak-ng-engine.ts';
import { ESPEAK_RATE_HZ, EspeakNgSynthesiser } from '../adapters/speech/espeak-ng-synthesiser.ts';
import { type EngineChoice, FallbackEngine } from '../adapters/speech/fallback-engine.ts';
import { FileEngine } from '../adapters/speech/file-engine.ts';
import { probeSpeaker } from '../adapters/speech/probe-speaker.ts';
import { SayEngine } from '../adapters/speech/say-engine.ts';
import { SpeechService } from '../adapters/speech/speech-service.ts';
import { SAMPLE_RATE_HZ } from '../app/ports/microphone.ts';
import type { Config } from '../config/config-schema.ts';
import { tinyModel } from '../config/shipped.ts';
import { LANGUAGES, type Language } from '../domain/language/language.ts';
import { resample } from '../domain/voice/resample.ts';
import type { Runtime } from './runtime.ts';

/** Whether the configured devices can be opened now. */
export async function probeAudio(
  config: Config,
  runtime: Runtime,
): Promise<{ readonly microphone: boolean; readonly speaker: boolean }> {
  const [microphone, speaker] = await Promise.all([
    probeMicrophone(config.microphone.device, runtime),
    probeSpeaker(config.speech.device, runtime),
  ]);
  return { microphone, speaker };
}

/** The engines in the configured order, or files where there is no speaker or none is wanted. */
export function composeEngine(
  config: Config,
  runtime: Runtime,
  speaker: boolean,
): { readonly engine: FallbackEngine | FileEngine; readonly service: SpeechService } {
  const voice = { wordsPerMinute: config.speech.words_per_minute };
  if (!config.speech.enabled || !speaker) {
    const engine = new FileEngine({ ...voice, directory: join(config.state_dir, 'spoken') }, runtime);
    return {
      engine,
      service: new SpeechService(undefined, () => ({
        status: 'off',
        detail: `no speaker: lines are kept in ${join(config.state_dir, 'spoken')}`,
      })),
    };
  }
  const { device } = config.speech;
  const espeak = new EspeakNgEngine({ ...voice, device, languages: [config.language] }, runtime);
  const choices: EngineChoice[] = config.speech.engines.map((name) =>
    name === 'say'
      ? { engine: new SayEngine({ device }, runtime), languages: ['en'] }
      : { engine: espeak, languages: LANGUAGES },
  );
  const engine = new FallbackEngine(choices, runtime);
  const usesEspeak = config.speech.engines.includes('espeak-ng');
  const probe = { device, scheduler: runtime.scheduler, opens: () => probeSpeaker(device, runtime) };
  return {
    engine,
    service: new SpeechService(usesEspeak ? espeak : undefined, () => engine.health(), probe),
  };
}

export function composeMicrophone(config: Config, runtime: Runtime): ArecordMicrophone {
  return new ArecordMicrophone({ device: config.microphone.device }, runtime);
}

export function composeRecogniser(config: Config, runtime: Runtime): VoskRecogniser {
  const { model, libvosk, memory_limit_mb } = config.voice;
  return new VoskRecogniser(
    { model: model ?? tinyModel(config.language), libvosk, memoryLimitMb: memory_limit_mb },
    runtime,
  );
}

/** The pace at which the tiny models understand best: slower Chinese is misheard more often. */
const VISITOR_WORDS_PER_MINUTE = 185;
/** A person too lets the echo of the last answer die away before speaking. */
const PAUSE_BEFORE_MS = 800;

export interface Visitor {
  readonly microphone: SynthesisedMicrophone;
  /** Speaks a sentence straight into the recogniser; resolves when its sound has ended. */
  speak(text: string): Promise<void>;
}

/** Somebody to give commands on a machine without a microphone. */
export function composeVisitor(language: Language, runtime: Runtime): Visitor {
  const microphone = new SynthesisedMicrophone(runtime);
  const synthesiser = new EspeakNgSynthesiser({ wordsPerMinute: VISITOR_WORDS_PER_MINUTE });
  return {
    microphone,
    async speak(text) {
      const pieces: Buffer[] = [];
      for await (const piece of synthesiser.synthesise({ text, language }, new AbortController().signal))
        pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const samples = new Int16Array(
        bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
      );
      await microphone.play(new Int16Array((SAMPLE_RATE_HZ * PAUSE_BEFORE_MS) / 1000));
      await microphone.play(resample(samples, ESPEAK_RATE_HZ, SAMPLE_RATE_HZ));
    },
  };
}
