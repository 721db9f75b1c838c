import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import recorder from 'node-record-lpcm16';
import { SAMPLE_RATE_HZ } from '../../app/ports/microphone.ts';

const RECORDER = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? './short-period-arecord.cts' : './short-period-arecord.cjs',
    import.meta.url,
  ),
);

export interface ArecordEvents {
  readonly onBytes: (bytes: Buffer) => void;
  readonly onComplaint: (text: string) => void;
  /** Once; `why` is one line for a person. */
  readonly onExit: (why: string) => void;
}

export interface Arecord {
  /** Ends it at once, with whatever it started. */
  kill(): void;
  /** Asks it to end. */
  stop(): void;
}

/** Whether `arecord` is on the path: node-record-lpcm16 ends the process when it starts a program that is missing. */
export async function arecordInstalled(env: NodeJS.ProcessEnv): Promise<boolean> {
  for (const folder of (env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    try {
      await access(join(folder, 'arecord'), constants.X_OK);
      return true;
    } catch {
      // The next folder of the path may have it.
    }
  }
  return false;
}

/** Raw signed 16 bit, 16 kHz mono from an ALSA device, in its own process group. */
export function startArecord(device: string, env: NodeJS.ProcessEnv, events: ArecordEvents): Arecord {
  const recording = recorder.record({
    recorder: RECORDER,
    audioType: 'raw',
    sampleRate: SAMPLE_RATE_HZ,
    channels: 1,
    device,
    // In C's language, so that "overrun!!!" is not translated.
    env: { ...env, LC_ALL: 'C' },
  });
  const child = recording.process;
  let lastComplaint = '';
  let ended = false;
  const end = (why: string): void => {
    if (ended) return;
    ended = true;
    events.onExit(why);
  };
  const stream: Readable = recording.stream();
  stream.on('data', events.onBytes);
  // The package calls every exit code but 0 an error of the stream, also after a stop: the exit event says it better.
  stream.on('error', () => undefined);
  child.stderr?.on('data', (bytes: Buffer) => {
    const text = bytes.toString();
    lastComplaint = text.trim().split('\n').at(-1)?.slice(0, 300) ?? lastComplaint;
    events.onComplaint(text);
  });
  child.once('error', (error) => end(`arecord could not be started: ${error.message}`));
  child.once('close', (code, signal) => {
    const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    end(`arecord ${how}${lastComplaint === '' ? '' : `: ${lastComplaint}`}`);
  });
  return {
    stop: () => recording.stop(),
    kill: () => {
      if (ended || child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // The group has gone in this moment: its exit is on the way.
        recording.stop();
      }
    },
  };
}
