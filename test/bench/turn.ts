/**
 * Spoken read commands on the virtual sound card, through the built daemon. p50_ms and p95_ms: from the recogniser's
 * endpoint to the first sample of the answer as recorded from the speaker. speech_end_p95_ms: from the last sample of the
 * command, as recorded from the microphone, to the same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaemon } from '../support/daemon-process.ts';
import { onePlant, voiceConfig } from '../support/demo-site.ts';
import { eventually } from '../support/eventually.ts';
import { startPymodbusServer } from '../support/pymodbus-server.ts';
import { synthesiseFile } from '../support/synthesise.ts';
import { startVirtualSoundCard } from '../support/virtual-sound-card.ts';
import { percentile, report } from './report.ts';

const COMMANDS = 54;
/** Of 32,768: louder than this is sound. */
const LOUD = 300;
const SAMPLES_PER_MS = 16;
const SENTENCES = [
  'read the temperature of machine twelve',
  'what is the pressure of pump three',
  'read the pressure of pump three',
];

/** When sound came and went at one monitor of the card, on the monotonic clock. */
class SoundWatch {
  #firstMs: number | undefined;
  #lastMs: number | undefined;

  chunk(bytes: Buffer, atMs: number): void {
    const samples = Math.floor(bytes.length / 2);
    for (let n = 0; n < samples; n += 1) {
      if (Math.abs(bytes.readInt16LE(2 * n)) < LOUD) continue;
      const ms = atMs - (samples - n) / SAMPLES_PER_MS;
      this.#firstMs ??= ms;
      this.#lastMs = ms;
    }
  }

  /** Forgets the past; what was first and last until now. */
  take(): { readonly firstMs: number | undefined; readonly lastMs: number | undefined } {
    const taken = { firstMs: this.#firstMs, lastMs: this.#lastMs };
    this.#firstMs = undefined;
    this.#lastMs = undefined;
    return taken;
  }
}

const directory = mkdtempSync(join(tmpdir(), 'hermes-bench-'));
const [card, plc] = await Promise.all([startVirtualSoundCard(), startPymodbusServer()]);
await plc.set(1, 'holding', 10, 73);
await plc.set(1, 'holding', 20, 4);
const wavs = await Promise.all(
  SENTENCES.map(async (sentence, index) => {
    const wav = join(directory, `${index}.wav`);
    await synthesiseFile(wav, sentence, { language: 'en', beforeMs: 200, afterMs: 100 });
    return wav;
  }),
);
const daemon = await startDaemon(voiceConfig({ language: 'en' }), {
  env: card.env,
  plant: onePlant(plc.port),
});
for (const part of ['microphone', 'recogniser', 'grammar', 'voice']) await daemon.part(part, 'ok');

const microphone = new SoundWatch();
const speaker = new SoundWatch();
const heard = card.recordMicrophone((chunk, atMs) => microphone.chunk(chunk, atMs));
const recording = card.recordSpeaker((chunk, atMs) => speaker.chunk(chunk, atMs));
await Promise.all([recording.ready, heard.ready]);

const decided = () => daemon.log.filter((line) => line['msg'] === 'turn decided');
const spoken = async (): Promise<number> =>
  (await daemon.health()).parts.find(({ name }) => name === 'announcer')?.figures?.['spoken'] ?? 0;

const fromEndpoint: number[] = [];
const fromSpeechEnd: number[] = [];
const deciding: number[] = [];
let unanswered = 0;
for (let n = 0; n < COMMANDS; n += 1) {
  const before = { turns: decided().length, spoken: await spoken() };
  microphone.take();
  speaker.take();
  await card.playIntoMicrophone(wavs[n % wavs.length] ?? '');
  await eventually('the answer', async () => (await spoken()) > before.spoken, 20_000);
  await eventually('it listens again', async () => (await daemon.part('voice', 'ok')).detail === 'listening');
  const turn = decided()[before.turns];
  const said = microphone.take();
  const answered = speaker.take();
  const endpointMs = Number(turn?.['endpoint_at_ms']);
  if (turn?.['outcome'] !== 'COMPLETED' || said.lastMs === undefined || answered.firstMs === undefined) {
    process.stderr.write(`command ${n + 1} was not answered with a value: ${JSON.stringify(turn)}\n`);
    // Counted as never answered: leaving it out would make the tail look better than it is.
    fromEndpoint.push(Number.POSITIVE_INFINITY);
    fromSpeechEnd.push(Number.POSITIVE_INFINITY);
    unanswered += 1;
    continue;
  }
  if (answered.firstMs < endpointMs) throw new Error('there was sound before the command had ended');
  fromEndpoint.push(answered.firstMs - endpointMs);
  fromSpeechEnd.push(answered.firstMs - said.lastMs);
  deciding.push(Number(turn['decided_at_ms']) - endpointMs);
  process.stderr.write(`\r${n + 1}/${COMMANDS}`);
}
process.stderr.write('\n');

await Promise.all([recording.stop(), heard.stop()]);
await daemon.stop();
await plc.stop();
await card.stop();
rmSync(directory, { recursive: true });
report(
  'turn',
  {
    p50_ms: percentile(fromEndpoint, 0.5),
    p95_ms: percentile(fromEndpoint, 0.95),
    speech_end_p50_ms: percentile(fromSpeechEnd, 0.5),
    speech_end_p95_ms: percentile(fromSpeechEnd, 0.95),
    decided_p95_ms: percentile(deciding, 0.95),
    commands: fromEndpoint.length,
    unanswered,
  },
  { p95_ms: 150, speech_end_p95_ms: 750, unanswered: 4 },
);
