/**
 * The recogniser's child. In: frames on standard input (worker-frames.ts). Out: JSON lines on file descriptor 3
 * (worker-messages.ts). Started by worker-process.ts with the library, the model and the longest utterance in ms.
 * It ends when its input is closed, so it never outlives the daemon.
 */
import { writeSync } from 'node:fs';
import { SAMPLE_RATE_HZ } from '../../app/ports/microphone.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import { Ear } from './ear.ts';
import { type Libvosk, loadLibvosk } from './libvosk.ts';
import { FrameDecoder, type WorkerFrame } from './worker-frames.ts';
import type { WorkerMessage } from './worker-messages.ts';

const MESSAGES_FD = 3;

function report(message: WorkerMessage): void {
  writeSync(MESSAGES_FD, `${JSON.stringify(message)}\n`);
}

class Failure extends Error {
  readonly code: 'LIBVOSK_BROKEN' | 'VOICE_MODEL_BROKEN';

  constructor(code: 'LIBVOSK_BROKEN' | 'VOICE_MODEL_BROKEN', message: string) {
    super(message);
    this.code = code;
  }
}

function load(path: string): Libvosk {
  try {
    return loadLibvosk(path);
  } catch (error) {
    throw new Failure('LIBVOSK_BROKEN', messageOf(error));
  }
}

function openEar(libraryPath: string, modelFolder: string, maxUtteranceMs: number): Ear {
  const lib = load(libraryPath);
  lib.setLogLevel(-1);
  const model = lib.newModel(modelFolder);
  if (model === null) throw new Failure('VOICE_MODEL_BROKEN', `libvosk cannot load the model ${modelFolder}`);
  return new Ear(lib, model, {
    maxUtteranceSamples: (maxUtteranceMs * SAMPLE_RATE_HZ) / 1_000,
    monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
    report,
  });
}

function handle(ear: Ear, frame: WorkerFrame): number {
  switch (frame.kind) {
    case 'audio':
      ear.hear(frame.pcm, frame.lostBefore);
      return frame.pcm.length;
    case 'discard':
      ear.discard();
      return 0;
    case 'rest':
      ear.rest();
      return 0;
    case 'cut':
      ear.cut();
      return 0;
    case 'grammar':
      report({ type: 'grammar', id: frame.id, ...ear.setGrammar(frame.items) });
      return 0;
    case 'knownWords':
      report({ type: 'known', id: frame.id, words: ear.knownWords(frame.items) });
      return 0;
  }
}

function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    report({
      type: 'failed',
      code: error instanceof Failure ? error.code : 'RECOGNISER_FAILED',
      message: messageOf(error),
    });
    process.exit(1);
  }
}

guarded(() => {
  const [libraryPath = '', modelFolder = '', maxUtteranceMs = ''] = process.argv.slice(2);
  const ear = openEar(libraryPath, modelFolder, Number(maxUtteranceMs));
  const decoder = new FrameDecoder();
  process.stdin.on('data', (bytes: Buffer) => {
    guarded(() => {
      for (const frame of decoder.push(bytes)) {
        const samples = handle(ear, frame);
        if (samples > 0) report({ type: 'heard', samples });
      }
    });
  });
  process.stdin.on('end', () => process.exit(0));
  report({ type: 'ready' });
});
