/** What is known of one heard utterance when it has to be decided what becomes of it. */
export interface Hearing {
  /** The words as recognised, unknown sound as `[unk]`. */
  readonly words: readonly { readonly text: string; readonly confidence: number }[];
  readonly audioLost: boolean;
  readonly cut: boolean;
  /** Loudness over the noise floor, decibel; undefined when it is not known. */
  readonly snrDb: number | undefined;
  /** Whether the whole of it fits a sentence of the language (a tie counts). */
  readonly fits: boolean;
}

/**
 * `act` on the meaning, `ask_again` aloud, `ask_again_lost` since audio was lost, or `ignore` it in silence.
 */
export type HearingDecision = 'act' | 'ask_again' | 'ask_again_lost' | 'ignore';

/** Quieter than this over the noise floor is taken for the hall, not for a person at the microphone. */
export const MIN_SNR_DB = 6;
/** One word alone is what noise most often turns into, so it has to be surer than a sentence. */
export const MIN_LONE_WORD_CONFIDENCE = 0.9;
/** From this many known words on, an utterance that fits nothing was probably meant for the box. */
export const MIN_KNOWN_WORDS_TO_ASK = 3;

const UNKNOWN = '[unk]';

/**
 * The outcome for one utterance. An utterance with lost audio, or cut short, or holding an unknown word, never acts.
 * Confidence only ever speaks against: wrong words often carry 1.0.
 */
export function decideHearing(hearing: Hearing): HearingDecision {
  const known = hearing.words.filter((word) => word.text !== UNKNOWN);
  const quiet = hearing.snrDb !== undefined && hearing.snrDb < MIN_SNR_DB;
  if (known.length === 0 || quiet) return 'ignore';

  const whole = known.length === hearing.words.length;
  const meant =
    (hearing.fits && whole) ||
    (known.length >= MIN_KNOWN_WORDS_TO_ASK && known.length * 2 > hearing.words.length);
  if (hearing.audioLost) return meant ? 'ask_again_lost' : 'ignore';
  if (!hearing.fits || !whole || hearing.cut) return meant ? 'ask_again' : 'ignore';

  const [first] = hearing.words;
  if (hearing.words.length === 1 && first !== undefined && first.confidence < MIN_LONE_WORD_CONFIDENCE)
    return 'ignore';
  return 'act';
}
