import { describe, expect, it } from 'vitest';
import { SynthesisedMicrophone } from '../../../../src/adapters/microphone/synthesised-microphone.ts';
import type { AudioFrame } from '../../../../src/app/ports/microphone.ts';
import { systemClocks, systemScheduler } from '../../../../src/runtime/clocks.ts';
import { eventually } from '../../../support/eventually.ts';
import { joined } from '../../../support/synthesise.ts';

async function hearing() {
  const microphone = new SynthesisedMicrophone({ clocks: systemClocks(), scheduler: systemScheduler });
  const frames: AudioFrame[] = [];
  microphone.onFrame((frame) => frames.push(frame));
  await microphone.start(new AbortController().signal);
  return { microphone, frames };
}

describe('a microphone that hears the program', () => {
  it('brings silence at the pace of time when nothing is played', async () => {
    const { microphone, frames } = await hearing();
    const beganMs = performance.now();
    await eventually('ten frames', () => frames.length >= 10);
    await microphone.stop();
    expect(performance.now() - beganMs).toBeGreaterThan(150);
    expect(
      frames.every((frame) => frame.pcm.length === 320 && frame.pcm.every((sample) => sample === 0)),
    ).toBe(true);
  });

  it('plays sounds one after another, whole and in order', async () => {
    const { microphone, frames } = await hearing();
    const one = new Int16Array(1_000).fill(1);
    const two = new Int16Array(500).fill(2);
    await Promise.all([microphone.play(one), microphone.play(new Int16Array(0)), microphone.play(two)]);
    await microphone.stop();
    const heard = joined(...frames.map((frame) => frame.pcm));
    const begins = heard.indexOf(1);
    expect(heard.slice(begins, begins + 1_500)).toEqual(joined(one, two));
    expect(heard.filter((sample) => sample !== 0)).toHaveLength(1_500);
  });

  it('takes as long as the sound', async () => {
    const { microphone } = await hearing();
    const beganMs = performance.now();
    await microphone.play(new Int16Array(4_800));
    expect(performance.now() - beganMs).toBeGreaterThan(250);
    await microphone.stop();
  });

  it('ends what is being played when it is stopped', async () => {
    const { microphone, frames } = await hearing();
    const played = microphone.play(new Int16Array(160_000));
    await eventually('it plays', () => frames.length > 0);
    await microphone.stop();
    await played;
    expect(microphone.health().status).toBe('off');
  });
});
