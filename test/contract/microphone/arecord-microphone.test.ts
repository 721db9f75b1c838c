import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ArecordMicrophone } from '../../../src/adapters/microphone/arecord-microphone.ts';
import { probeMicrophone } from '../../../src/adapters/microphone/probe-microphone.ts';
import { type AudioFrame, SAMPLE_RATE_HZ } from '../../../src/app/ports/microphone.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { joined, writeSound } from '../../support/synthesise.ts';
import { amplitudeAt, tone } from '../../support/tones.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../../support/virtual-sound-card.ts';

let card: VirtualSoundCard;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  card = await startVirtualSoundCard();
  folder = await mkdtemp(join(tmpdir(), 'microphone-'));
  env = { ...process.env, ...card.env };
  await writeSound(join(folder, 'tone.wav'), tone(1_000, SAMPLE_RATE_HZ, 0.4));
});
afterAll(async () => {
  await card.stop();
  await rm(folder, { recursive: true });
});

const running: ArecordMicrophone[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((microphone) => microphone.stop(2_000)));
});

async function recording(options: Partial<ConstructorParameters<typeof ArecordMicrophone>[0]> = {}) {
  const clocks = systemClocks();
  const microphone = new ArecordMicrophone(
    { device: 'mic', env, ...options },
    { logger: silentLogger(), clocks, scheduler: systemScheduler },
  );
  running.push(microphone);
  const frames: AudioFrame[] = [];
  microphone.onFrame((frame) => frames.push(frame));
  await microphone.start(new AbortController().signal);
  const more = (count: number) => {
    const goal = frames.length + count;
    return eventually(`${count} more frames`, () => frames.length >= goal);
  };
  const restarted = () =>
    eventually('it is started again', () => (microphone.health().figures?.['restarts'] ?? 0) > 0);
  return { microphone, frames, clocks, more, restarted };
}

/** The arecord that this test process started. */
async function arecordPid(): Promise<number> {
  return eventually('arecord runs', async () => {
    const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8');
    for (const pid of children.trim().split(' ').filter(Boolean)) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (command.startsWith('arecord\0')) return Number(pid);
    }
    return undefined;
  });
}

function loudest(frame: AudioFrame): number {
  return frame.pcm.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}

describe('a microphone', () => {
  it('brings frames of 20 ms at the pace of time, without a gap', async () => {
    const { frames, more } = await recording();
    await more(10);
    const first = frames.length;
    const beganMs = performance.now();
    await more(50);
    const tookMs = performance.now() - beganMs;
    expect(tookMs).toBeGreaterThan(850);
    expect(tookMs).toBeLessThan(1_300);
    const later = frames.slice(first);
    expect(later.every((frame) => frame.pcm.length === 320 && !frame.gapBefore)).toBe(true);
    const longestMs = later
      .slice(1)
      .reduce((longest, frame, i) => Math.max(longest, frame.arrivedAtMs - (later[i]?.arrivedAtMs ?? 0)), 0);
    expect(longestMs).toBeLessThan(60);
  });

  it('hears what is played into it, at its pitch and level, within 200 ms', async () => {
    const { frames, more, clocks } = await recording();
    await more(5);
    const playedAtMs = clocks.monotonicMs();
    await card.playIntoMicrophone(join(folder, 'tone.wav'));
    await more(10);
    const onset = frames.findIndex((frame) => loudest(frame) > 5_000);
    // Starting the player is part of it.
    expect((frames[onset]?.arrivedAtMs ?? Number.POSITIVE_INFINITY) - playedAtMs).toBeLessThan(200);
    const heard = joined(...frames.slice(onset + 2, onset + 17).map((frame) => frame.pcm));
    expect(amplitudeAt(heard, 1_000, SAMPLE_RATE_HZ)).toBeCloseTo(0.5, 1);
  });

  it('names its device in its health', async () => {
    const { microphone } = await recording();
    expect(microphone.health()).toMatchObject({ status: 'ok', detail: 'recording from mic' });
  });

  it('comes back after arecord was killed, and says that samples are missing', async () => {
    const { microphone, frames, restarted, more } = await recording();
    process.kill(await arecordPid(), 'SIGKILL');
    await eventually('it is down', () => microphone.health().status === 'down');
    expect(microphone.health().detail).toMatch(/^mic: arecord was ended by SIGKILL/);
    const before = frames.length;
    await restarted();
    await more(5);
    expect(frames[before]?.gapBefore).toBe(true);
    expect(frames.slice(before + 1).some((frame) => frame.gapBefore)).toBe(false);
    expect(microphone.health().status).toBe('ok');
  });

  it('starts arecord again when it stalls', async () => {
    const { microphone, restarted, more } = await recording({ stallMs: 500 });
    const stalled = await arecordPid();
    process.kill(stalled, 'SIGSTOP');
    await eventually('it is down', () => microphone.health().status === 'down');
    expect(microphone.health().detail).toMatch(/no sound for 500 ms/);
    await restarted();
    await more(5);
    expect(await arecordPid()).not.toBe(stalled);
  });

  it('reports a microphone that brings only zeros, and leaves it running', async () => {
    const { microphone, more } = await recording({ zeroMs: 400 });
    await eventually('it is degraded', () => microphone.health().status === 'degraded');
    expect(microphone.health().detail).toMatch(/mic brings nothing but zeros/);
    const hum = join(folder, 'hum.wav');
    await writeSound(hum, tone(50, SAMPLE_RATE_HZ, 0.5, 0.01));
    const played = card.playIntoMicrophone(hum);
    await eventually('it is well', () => microphone.health().status === 'ok');
    await played;
    await more(1);
    expect(microphone.health().figures).toMatchObject({ restarts: 0 });
  });

  it('survives the whole sound card going away and finds it again', async () => {
    const { microphone, more } = await recording({ stallMs: 500 });
    await card.kill();
    await eventually('it is down', () => microphone.health().status === 'down');
    await card.revive();
    await eventually('it is well', () => microphone.health().status === 'ok', 20_000);
    await more(5);
  });

  it('marks the frame after an overrun', async () => {
    const bin = await mkdtemp(join(folder, 'bin-'));
    // A real card overruns when nobody reads for half a second, which no test can bring about at will.
    const script =
      '#!/bin/sh\nhead -c 6400 /dev/zero\necho "overrun!!! (at least 12.3 ms long)" >&2\nsleep 0.2\nhead -c 6400 /dev/zero\nexec sleep 60\n';
    await writeFile(join(bin, 'arecord'), script, { mode: 0o755 });
    const { microphone, frames } = await recording({
      env: { ...env, PATH: `${bin}:${process.env['PATH']}` },
    });
    await eventually('all frames', () => frames.length >= 20);
    expect(frames.filter((frame) => frame.gapBefore)).toHaveLength(1);
    expect(microphone.health().figures).toMatchObject({ overruns: 1 });
  });

  it('says that arecord is missing, and records as soon as it is installed', async () => {
    const bin = await mkdtemp(join(folder, 'bin-'));
    const { microphone, frames } = await recording({ env: { ...env, PATH: bin } });
    expect(microphone.health()).toMatchObject({
      status: 'down',
      detail: 'mic: arecord is not installed: install the package alsa-utils',
    });
    await symlink('/usr/bin/arecord', join(bin, 'arecord'));
    await eventually('it records', () => frames.length > 5, 20_000);
    expect(microphone.health().status).toBe('ok');
    expect(frames[0]?.gapBefore).toBe(false);
  });

  it('says what ALSA says of a device that does not exist', async () => {
    const { microphone } = await recording({ device: 'plughw:CARD=Nonexistent' });
    expect(microphone.health().status).toBe('down');
    expect(microphone.health().detail).toMatch(
      /^plughw:CARD=Nonexistent: arecord ended with code 1: .*audio open error/,
    );
  });

  it('leaves no arecord behind when it is stopped, even one that hangs', async () => {
    const { microphone } = await recording();
    const pid = await arecordPid();
    process.kill(pid, 'SIGSTOP');
    await microphone.stop(1_000);
    await expect(readFile(`/proc/${pid}/cmdline`, 'utf8')).rejects.toThrow();
    expect(microphone.health().status).toBe('off');
  });
});

describe('probing a microphone', () => {
  it('tells a device that records from one that does not', async () => {
    const context = { scheduler: systemScheduler, env };
    expect(await probeMicrophone('mic', context)).toBe(true);
    expect(await probeMicrophone('plughw:CARD=Nonexistent', context)).toBe(false);
    expect(await probeMicrophone('mic', { ...context, env: { ...env, PATH: folder } })).toBe(false);
  });

  it('gives up on a device that brings nothing, within three seconds', async () => {
    const bin = await mkdtemp(join(folder, 'bin-'));
    await writeFile(join(bin, 'arecord'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 });
    const beganMs = performance.now();
    const context = { scheduler: systemScheduler, env: { ...env, PATH: `${bin}:${process.env['PATH']}` } };
    expect(await probeMicrophone('mic', context)).toBe(false);
    expect(performance.now() - beganMs).toBeLessThan(3_000);
  });
});
