import { describe, expect, it } from 'vitest';
import { factReport } from '../../../src/app/memory/memory-report.ts';
import { dayLines, factLines, searchLines } from '../../../src/commands/memory-lines.ts';
import { factSchema } from '../../../src/commands/memory-replies.ts';
import { fact, MEMORY_START_MS } from '../../support/memory-site.ts';

const ZONE = 'Asia/Shanghai';

describe('a fact at the terminal', () => {
  it('tells when it holds, when it was known, how often it was told, and where it came from', () => {
    const known = factReport(
      fact(0, {
        predicate: 'limit.temperature',
        value: 80,
        unit: 'degC',
        validToMs: MEMORY_START_MS + 3_600_000,
        supersededAtMs: MEMORY_START_MS + 60_000,
        told: 2,
        episodeId: 'episode-0',
        disputes: 'fact-9',
      }),
    );
    expect(factLines([factSchema.parse(known)], ZONE)).toEqual([
      '  machine:pump-7 limit.temperature = 80 degC  [verified, disputes fact-9, no longer known since 2026-01-15 14:01:00]',
      '      holds from 2026-01-15 14:00:00 to 2026-01-15 15:00:00, known since 2026-01-15 14:00:00, told 2 times',
      '      "pump 7 is in hall 0" from operator (trust 3), station-1: turn turn-0, episode episode-0; fact-0',
    ]);
  });

  it('cannot begin a line of its own, nor steer the terminal', () => {
    const told = factReport(fact(0, { text: 'hot\n  machine:pump-1 = \u001b[2Jsafe\u202e' }));
    const lines = factLines([factSchema.parse(told)], ZONE);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toContain('"hot   machine:pump-1 = [2Jsafe"');
  });
});

describe('what nothing is found for', () => {
  it.each([
    ['nothing_like_it', 'Nothing is remembered of that: nothing is like it.'],
    ['not_of_this_one', 'Nothing is remembered of that: there is something like it, but not of this one.'],
    [undefined, 'Nothing is remembered of that.'],
  ])('is told with its reason (%s)', (abstains, line) => {
    expect(searchLines({ abstains, is_cut: false, items: [] }, ZONE)).toEqual([line]);
  });

  it('says when not everything was looked through', () => {
    expect(searchLines({ is_cut: true, items: [] }, ZONE)).toContain(
      'Not everything was looked through: the time was over.',
    );
  });
});

it('a day of the archive shows what it holds, what is left out and what cannot be read', () => {
  const memories = [{ id: 'a', memory: { text: 'the belt slipped', class: 'incident', source: 'operator' } }];
  expect(dayLines({ day: '2026-01-02', memories, left_out: 3, damaged_bytes: 12 })).toEqual([
    '4 memories of 2026-01-02',
    '  a  incident  operator  the belt slipped',
    'and 3 more: zcat the file of the day',
    '12 bytes of it cannot be read',
  ]);
});
