import type { Language } from '../domain/language/language.ts';
import type { Phrasebook } from '../domain/phrases/phrasebook.ts';
import type { Clocks } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service, Unsubscribe } from '../runtime/service.ts';
import type { Announcer } from './announcer.ts';
import { answerLine } from './answer.ts';
import type { Engine } from './engine/engine.ts';
import type { AudioFrame, Microphone } from './ports/microphone.ts';
import { type Recogniser, type Transcript, UNKNOWN_WORD } from './ports/recogniser.ts';
import { tellAloud } from './told.ts';
import type { TurnReport } from './turn-report.ts';

/** After a line's sound has ended, its echo is still on its way through the hall and the microphone. */
const ECHO_MS = 300;
/** What is heard after less quiet than this is still the same noise. */
const QUIET_MS = 300;
export const VOICE_STATION = 'microphone';

interface Parts {
  readonly microphone: Microphone;
  readonly recogniser: Recogniser;
  readonly announcer: Announcer;
  readonly stations: Pick<Engine, 'handle' | 'speechStarted' | 'keywordHeard' | 'speechEnded' | 'answerTold'>;
  readonly clocks: Clocks;
  readonly phrases: Phrasebook;
  readonly logger: Logger;
  readonly language: Language;
  /** Hears of every turn, once it is decided. */
  readonly onTurn: (report: TurnReport, transcript: Transcript) => void;
}

/**
 * From microphone to answer. In: audio frames. Out: lines to the announcer. What the daemon itself says is not listened
 * to: audio is withheld from the recogniser while it speaks and until the echo has died away.
 */
export class VoiceLoop implements Service {
  readonly name = 'voice';
  readonly #parts: Parts;
  readonly #unsubscribe: Unsubscribe[] = [];
  #speaking = false;
  #deafUntilMs = Number.NEGATIVE_INFINITY;
  #hearing = false;
  /** Something is heard, if only the hall. */
  #sound = false;
  #quietSinceMs = Number.NEGATIVE_INFINITY;
  /** The noise that is heard is known for noise: only a known word, or what is heard after some quiet, counts. */
  #asleep = false;
  #ignored = 0;
  #turns = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** True while somebody is in the middle of an utterance: announcements that can wait, wait. */
  get hearing(): boolean {
    return this.#hearing;
  }

  /** The noise in progress is forgotten. Listening goes on: a known word is heard at any time. Words in progress stay. */
  sleep(): void {
    if (this.#hearing) return;
    this.#asleep = true;
    this.#parts.recogniser.rest();
  }

  /** What has been heard so far is the utterance. */
  cut(): void {
    this.#parts.recogniser.cut();
  }

  async start(): Promise<void> {
    const { microphone, recogniser, announcer } = this.#parts;
    this.#unsubscribe.push(
      microphone.onFrame((frame) => this.#hear(frame)),
      recogniser.onPartial((text) => this.#partial(text)),
      recogniser.onFinal((transcript) => this.#final(transcript)),
      announcer.onSpeaking((event) => this.#spoke(event.kind)),
    );
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
  }

  health(): Health {
    return {
      status: 'ok',
      detail: this.#speaking ? 'speaking' : this.#asleep ? 'asleep' : 'listening',
      figures: { turns: this.#turns, ignored: this.#ignored },
    };
  }

  #hear(frame: AudioFrame): void {
    if (this.#speaking || frame.arrivedAtMs < this.#deafUntilMs) return;
    this.#parts.recogniser.accept(frame);
  }

  #spoke(kind: 'started' | 'first-sound' | 'ended'): void {
    if (kind === 'first-sound') return;
    this.#speaking = kind === 'started';
    this.#hearing = false;
    if (kind === 'ended') this.#deafUntilMs = this.#parts.clocks.monotonicMs() + ECHO_MS;
    this.#parts.recogniser.discard();
  }

  #partial(text: string): void {
    if (this.#speaking) return;
    // Unknown sound alone is the hall, and nobody waits for the hall to finish.
    const words = text.split(' ').some((word) => word !== '' && word !== UNKNOWN_WORD);
    const { announcer, stations } = this.#parts;
    if (text === '') this.#quiet();
    else this.#heard(words);
    if (words === this.#hearing) return;
    this.#hearing = words;
    if (!words) return;
    announcer.expectLine();
    stations.keywordHeard(VOICE_STATION);
  }

  #heard(words: boolean): void {
    const begins = !this.#sound;
    this.#sound = true;
    const isFresh = this.#parts.clocks.monotonicMs() - this.#quietSinceMs >= QUIET_MS;
    if (words || (begins && isFresh)) this.#asleep = false;
    if (begins && !this.#asleep) this.#parts.stations.speechStarted(VOICE_STATION);
  }

  #quiet(): void {
    if (!this.#sound) return;
    this.#sound = false;
    this.#quietSinceMs = this.#parts.clocks.monotonicMs();
    this.#parts.stations.speechEnded(VOICE_STATION);
  }

  #final(transcript: Transcript): void {
    this.#hearing = false;
    if (this.#speaking) return;
    this.#quiet();
    const { stations, announcer, language, logger, clocks } = this.#parts;
    const { text: heard, snrDb: snr_db, audioLost: audio_lost, cut } = transcript;
    logger.debug({ heard, snr_db, audio_lost, cut }, 'an utterance was heard');
    stations
      .handle({ station: VOICE_STATION, text: transcript.text, language, origin: 'voice', transcript })
      .then((report) => {
        if (report === undefined) {
          this.#ignored += 1;
          logger.debug('an utterance was left unanswered');
          return;
        }
        this.#turns += 1;
        logger.info(
          {
            turn_id: report.turn_id,
            outcome: report.outcome,
            endpoint_at_ms: transcript.endpointAtMs,
            decided_at_ms: clocks.monotonicMs(),
          },
          'turn decided',
        );
        this.#parts.onTurn(report, transcript);
        const line = answerLine(report, language, this.#parts);
        if (line === undefined) return;
        void tellAloud(announcer, line).then((told) => stations.answerTold(VOICE_STATION, report, told));
      })
      .catch((error: unknown) => logger.error({ error: messageOf(error) }, 'a turn failed'));
  }
}
