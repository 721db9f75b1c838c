import { describe, expect, it } from 'vitest';
import { toldAliases } from '../../../../../src/domain/memory/anchors/told-aliases.ts';
import { type Fact, factSchema } from '../../../../../src/domain/memory/fact.ts';

const NOW_MS = 1_800_000_000_000;
const told: Fact = factSchema.parse({
  id: 'f-1',
  scope: 'site',
  subject: 'machine:pump-7',
  predicate: 'alias.大泵',
  value: true,
  text: '大泵就是七号泵',
  language: 'zh',
  validFromMs: NOW_MS - 1000,
  recordedAtMs: NOW_MS - 1000,
  confirmedAtMs: NOW_MS - 500,
  told: 1,
  source: 'operator',
  origin: { kind: 'turn', id: 't-1' },
  userId: 'u',
  status: 'verified',
  class: 'machine',
  confidence: 0.9,
});

describe('aliases that were told', () => {
  it('are those that the site is told of as well, whose value is the machine', () => {
    const ofSite = { ...told, subject: 'site', value: 'pump-7' };
    expect(toldAliases([ofSite], NOW_MS)).toEqual([
      { name: '大泵', id: 'machine:pump-7', kind: 'machine', confirmedAtMs: NOW_MS - 500 },
    ]);
  });

  it('are those of verified facts that hold now', () => {
    expect(toldAliases([told], NOW_MS)).toEqual([
      { name: '大泵', id: 'machine:pump-7', kind: 'machine', confirmedAtMs: NOW_MS - 500 },
    ]);
  });

  it.each<[string, Partial<Fact>]>([
    ['is pending', { status: 'pending' }],
    ['was rejected', { status: 'rejected' }],
    ['is disputed', { disputes: 'f-2' }],
    ['was superseded', { supersededAtMs: NOW_MS - 1 }],
    ['has ended', { validToMs: NOW_MS }],
    ['does not hold yet', { validFromMs: NOW_MS + 1 }],
    ['denies it', { value: false }],
    ['is of something else', { predicate: 'location' }],
    ['is about nothing that can be named', { subject: 'code:E-203' }],
    ['names it by a word that points back', { predicate: 'alias.that one' }],
    ['names it by a number alone', { predicate: 'alias.7' }],
    ['names it by a command', { predicate: 'alias.stop' }],
    ['names it by a consent', { predicate: 'alias.confirm execute' }],
    ['names it by a consent in Chinese', { predicate: 'alias.确认执行' }],
  ])('are none of a fact that %s', (_what, change) => {
    expect(toldAliases([{ ...told, ...change }], NOW_MS)).toEqual([]);
  });
});
