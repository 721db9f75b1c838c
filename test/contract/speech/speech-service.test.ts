import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { probeSpeaker } from '../../../src/adapters/speech/probe-speaker.ts';
import { SpeechService } from '../../../src/adapters/speech/speech-service.ts';
import { systemScheduler } from '../../../src/runtime/clocks.ts';
import { eventually } from '../../support/eventually.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../../support/virtual-sound-card.ts';

describe('the speech service', () => {
  let card: VirtualSoundCard;
  /** What runs when the service looks for its speaker again. */
  let lookAgain: (() => void) | undefined;

  beforeAll(async () => {
    card = await startVirtualSoundCard();
  });
  afterAll(() => card.stop());

  async function open(device: string): Promise<SpeechService> {
    lookAgain = undefined;
    const service = new SpeechService(undefined, () => ({ status: 'ok', detail: 'speaks' }), {
      device,
      opens: () => probeSpeaker(device, { scheduler: systemScheduler, env: { ...process.env, ...card.env } }),
      scheduler: {
        after: (_delayMs, run) => {
          lookAgain = run;
          return () => undefined;
        },
      },
    });
    await service.start(new AbortController().signal);
    return service;
  }

  it('says before the first line that there is no such speaker, and keeps looking', async () => {
    const service = await open('nosuch');
    const health = await eventually(
      'it is missed',
      () => service.health().status === 'degraded' && service.health(),
    );
    expect(health.detail).toContain('"nosuch"');
    expect(lookAgain).toBeDefined();
    await service.stop(100);
  });

  it('is well again once the speaker is there', async () => {
    await card.kill();
    const service = await open('speaker');
    await eventually('it is missed', () => service.health().status === 'degraded');
    await card.revive();
    lookAgain?.();
    await eventually('it is found', () => service.health().status === 'ok');
    await service.stop(100);
  });
});
