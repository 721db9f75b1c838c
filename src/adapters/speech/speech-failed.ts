import { EdgeError } from '../../runtime/edge-error.ts';

/** A line could not be spoken; the next engine or the next try may do better. */
export function speechFailed(message: string, hint: string, cause?: unknown): EdgeError {
  return new EdgeError('SPEECH_FAILED', message, { retry: 'safe', hint, cause });
}

/** The Debian package that brings a program, for the hint. */
const PACKAGES: Readonly<Record<string, string>> = {
  'espeak-ng': 'espeak-ng',
  aplay: 'alsa-utils',
  festival: 'festival festvox-kallpc16k',
};

export function programMissing(program: string, cause?: unknown): EdgeError {
  const packages = PACKAGES[program] ?? program;
  return speechFailed(`${program} is not installed`, `sudo apt install ${packages}`, cause);
}
