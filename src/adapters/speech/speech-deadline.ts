import type { SpeechLine } from '../../app/ports/speech-engine.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Scheduler } from '../../runtime/clocks.ts';
import { speechFailed } from './speech-failed.ts';

const BASE_MS = 5000;
/** More than twice what the slowest voice needs; a Chinese character is a whole syllable. */
const PER_CHARACTER_MS: Readonly<Record<Language, number>> = { en: 200, zh: 600 };

/** After this long a line is not being spoken any more: a program hangs. */
export function speechDeadlineMs(line: SpeechLine): number {
  return BASE_MS + PER_CHARACTER_MS[line.language] * Math.min(line.text.length, 1000);
}

/** Runs `work` under a signal that also aborts, with EdgeError SPEECH_FAILED, when `deadlineMs` have passed. */
export async function withDeadline<T>(
  deadlineMs: number,
  signal: AbortSignal,
  scheduler: Scheduler,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = new AbortController();
  const cancel = scheduler.after(deadlineMs, () =>
    deadline.abort(
      speechFailed(
        `the line had not ended after ${Math.round(deadlineMs / 1000)} s`,
        'check that the speaker is connected and that "speaker-test" is heard',
      ),
    ),
  );
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } finally {
    cancel();
  }
}
