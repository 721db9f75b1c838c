import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { buffer, text as textOf } from 'node:stream/consumers';
import { pinyin } from 'pinyin-pro';
import { resample } from '../../src/domain/voice/resample.ts';
import { decodeWav } from '../../src/domain/voice/wav.ts';
import { encodeWav } from './wav-file.ts';

const RATE_HZ = 16_000;

export interface VoiceOptions {
  readonly language: 'en' | 'zh';
  /** One of espeak-ng's variants, such as `f2` or `m3`. */
  readonly variant?: string;
  /** An accent instead of en-us, such as `en-gb`. */
  readonly voice?: string;
  readonly wordsPerMinute?: number;
  /** 0 to 99. */
  readonly pitch?: number;
}

/** Speech by espeak-ng: 16 kHz mono, no silence before or after but the synthesiser's own. */
export async function synthesise(text: string, options: VoiceOptions): Promise<Int16Array> {
  const chinese = options.language === 'zh';
  const base = options.voice ?? (chinese ? 'cmn-latn-pinyin' : 'en-us');
  const child = spawn('espeak-ng', [
    '--stdout',
    ...['-v', options.variant === undefined ? base : `${base}+${options.variant}`],
    ...['-s', String(options.wordsPerMinute ?? 150)],
    ...['-p', String(options.pitch ?? 50)],
    '--',
    chinese ? spokenPinyin(text) : text,
  ]);
  child.stdin.end();
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [wav, complaint, code] = await Promise.all([buffer(child.stdout), textOf(child.stderr), closed]);
  if (code !== 0) throw new Error(`espeak-ng ended with ${code}: ${complaint}`);
  const { pcm, sampleRateHz } = decodeWav(wav);
  return resample(pcm, sampleRateHz, RATE_HZ);
}

/** `synthesise` into a WAV file with silence around it. */
export async function synthesiseFile(
  path: string,
  text: string,
  options: VoiceOptions & { readonly beforeMs?: number; readonly afterMs?: number },
): Promise<void> {
  const speech = await synthesise(text, options);
  await writeSound(path, joined(silence(options.beforeMs ?? 0), speech, silence(options.afterMs ?? 0)));
}

export async function writeSound(path: string, pcm: Int16Array): Promise<void> {
  await writeFile(path, encodeWav(pcm, RATE_HZ));
}

export function silence(ms: number): Int16Array {
  return new Int16Array(Math.round((ms * RATE_HZ) / 1_000));
}

export function joined(...parts: readonly Int16Array[]): Int16Array {
  const out = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export type NoiseKind = 'white' | 'hum' | 'babble';

/**
 * Noise of `rms` (1: full scale), the same for the same seed. Hum is a rotating machine: a fundamental at 50 Hz, its
 * harmonics and some hiss; babble is hiss in the band of voices that swells three to five times a second.
 */
export function noise(kind: NoiseKind, ms: number, rms: number, seed = 1): Int16Array {
  const random = randomFrom(seed);
  const raw = new Float64Array(Math.round((ms * RATE_HZ) / 1_000));
  let low = 0;
  let band = 0;
  for (let i = 0; i < raw.length; i += 1) {
    const white = random() + random() + random() - 1.5;
    const seconds = i / RATE_HZ;
    if (kind === 'white') raw[i] = white;
    else if (kind === 'hum') {
      let hum = 0.1 * white;
      for (let k = 1; k <= 11; k += 1) hum += Math.sin(2 * Math.PI * 50 * k * seconds + k * k) / k;
      raw[i] = hum;
    } else {
      low += 0.35 * (white - low);
      band += 0.05 * (low - band);
      const swell =
        1 + 0.6 * Math.sin(2 * Math.PI * 3.1 * seconds) + 0.4 * Math.sin(2 * Math.PI * 4.7 * seconds);
      raw[i] = (low - band) * swell;
    }
  }
  const meanSquare = raw.reduce((sum, value) => sum + value * value, 0) / raw.length;
  const gain = (32_768 * rms) / Math.sqrt(meanSquare);
  return Int16Array.from(raw, (value) => clamp(value * gain));
}

/** Both sounds at once, as long as the first; the second is repeated when it is shorter. */
export function mixed(sound: Int16Array, other: Int16Array): Int16Array {
  return sound.map((sample, i) => clamp(sample + (other[i % other.length] ?? 0)));
}

function clamp(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)));
}

/** espeak-ng misreads characters, but speaks pinyin with tone numbers; the neutral tone is its 5. */
function spokenPinyin(text: string): string {
  return pinyin(text, { toneType: 'num', v: true, nonZh: 'consecutive' }).replaceAll(/([a-zü])0/g, '$15');
}

/** Mulberry32: small, seeded, good enough for noise. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mix = Math.imul(state ^ (state >>> 15), state | 1);
    mix ^= mix + Math.imul(mix ^ (mix >>> 7), mix | 61);
    return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32;
  };
}
