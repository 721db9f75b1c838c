import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeSpeaker } from '../../../src/adapters/speech/probe-speaker.ts';
import { systemScheduler } from '../../../src/runtime/clocks.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../../support/virtual-sound-card.ts';

let card: VirtualSoundCard;
let directory: string;
beforeAll(async () => {
  card = await startVirtualSoundCard();
  directory = await mkdtemp(join(tmpdir(), 'probe-'));
});
afterAll(async () => {
  await card.stop();
  await rm(directory, { recursive: true });
});

describe('the speaker probe', () => {
  const probe = (device: string, env: NodeJS.ProcessEnv = {}) =>
    probeSpeaker(device, { scheduler: systemScheduler, env: { ...process.env, ...card.env, ...env } });

  it('finds a speaker', async () => {
    expect(await probe('speaker')).toBe(true);
  });

  it('finds none under a wrong name', async () => {
    expect(await probe('nosuch')).toBe(false);
  });

  it('finds none without aplay', async () => {
    expect(await probe('speaker', { PATH: directory })).toBe(false);
  });

  it('gives up after 2 s on one that hangs', async () => {
    const hanging = join(directory, 'aplay');
    await writeFile(hanging, '#!/bin/sh\nexec /bin/sleep 60\n');
    await chmod(hanging, 0o755);
    const begunAtMs = performance.now();
    expect(await probe('speaker', { PATH: directory })).toBe(false);
    expect(performance.now() - begunAtMs).toBeLessThan(4000);
    await rm(hanging);
  });
});
