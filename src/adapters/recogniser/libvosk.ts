import koffi from 'koffi';

/** An object of libvosk: never looked into. */
type Handle = unknown;

/**
 * The functions of vosk_api.h that this program uses, bound from any path. All calls are synchronous: libvosk's
 * objects are not safe for two threads.
 */
export interface Libvosk {
  setLogLevel(level: number): void;
  /** null when the folder is no model. */
  newModel(folder: string): Handle | null;
  /** Negative when the model does not know the word. */
  findWord(model: Handle, word: string): number;
  /** `grammar` is a JSON list of phrases and never empty: an empty one crashes the process. null when refused. */
  newRecogniser(model: Handle, rateHz: number, grammar: string): Handle | null;
  freeRecogniser(recogniser: Handle): void;
  setWords(recogniser: Handle, on: number): void;
  /** 1: the utterance has ended, until its result is fetched; 0: it goes on; -1: failure. */
  accept(recogniser: Handle, pcm: Int16Array, samples: number): number;
  partialResult(recogniser: Handle): string;
  result(recogniser: Handle): string;
  finalResult(recogniser: Handle): string;
  reset(recogniser: Handle): void;
}

/** Throws what the dynamic linker says when the file cannot be loaded or lacks a function. */
export function loadLibvosk(path: string): Libvosk {
  const library = koffi.load(path);
  return {
    setLogLevel: library.func('void vosk_set_log_level(int level)'),
    newModel: library.func('void *vosk_model_new(const char *path)'),
    findWord: library.func('int vosk_model_find_word(void *model, const char *word)'),
    newRecogniser: library.func(
      'void *vosk_recognizer_new_grm(void *model, float rate, const char *grammar)',
    ),
    freeRecogniser: library.func('void vosk_recognizer_free(void *recognizer)'),
    setWords: library.func('void vosk_recognizer_set_words(void *recognizer, int words)'),
    accept: library.func(
      'int vosk_recognizer_accept_waveform_s(void *recognizer, const int16_t *data, int length)',
    ),
    partialResult: library.func('const char *vosk_recognizer_partial_result(void *recognizer)'),
    result: library.func('const char *vosk_recognizer_result(void *recognizer)'),
    finalResult: library.func('const char *vosk_recognizer_final_result(void *recognizer)'),
    reset: library.func('void vosk_recognizer_reset(void *recognizer)'),
  };
}
