import { describe, expect, it } from 'vitest';
import { episodeSchema } from '../../../../src/domain/memory/episode.ts';
import { episodeOf } from '../../../../src/domain/memory/episode-of.ts';
import { captureOf, findNames, ZONE } from './site.ts';

const setting = {
  id: 'e-1',
  recordedAtMs: 1_772_600_000_000,
  timeZone: ZONE,
  class: 'incident',
  hash: () => '0a1b2c3d4e5f6071',
  findMentions: findNames,
} as const;

describe('an episode', () => {
  it('holds the text without what must not be kept, and what was made of it', () => {
    const capture = captureOf('pump seven did not reach 4.5 bar, call Li Na on 13800138000 by Friday', {
      about: [
        { kind: 'machine', id: 'pump-7' },
        { kind: 'code', id: 'E-203' },
      ],
    });
    const { episode, removed } = episodeOf(capture, setting);
    expect(episodeSchema.parse(episode)).toEqual(episode);
    expect(removed).toEqual([{ kind: 'phone', count: 1 }]);
    expect(JSON.stringify(episode)).not.toContain('13800138000');
    expect(episode).toMatchObject({
      text: 'pump seven did not reach 4.5 bar, call Li Na on [phone:0a1b2c3d4e5f6071] by Friday',
      atMs: capture.atMs,
      recordedAtMs: setting.recordedAtMs,
      confirmedAtMs: setting.recordedAtMs,
      class: 'incident',
      isKey: true,
    });
    expect(episode.deeds).toEqual([{ type: 'inform', target: 'Li Na', deadline: '2026-03-06' }]);
    expect(episode.entities.map(({ kind, id }) => `${kind}:${id}`)).toEqual([
      'code:E-203',
      'machine:pump-7',
      'number:undefined',
      'person:li-na@maintenance',
      'date:undefined',
    ]);
  });

  it('fits its bounds however long the text is', () => {
    const { episode } = episodeOf(captureOf(`七号泵${'漏油，'.repeat(3000)}\u{1F600}`.repeat(2)), setting);
    expect(episodeSchema.parse(episode)).toEqual(episode);
  });
});
