import { beforeEach, describe, expect, it } from 'vitest';
import { AnchorPool, type ResolvedMention } from '../../../../src/app/memory/anchor-pool.ts';
import { SiteDirectory } from '../../../../src/app/memory/site-directory.ts';
import type { AnchorDirectory } from '../../../../src/app/ports/anchor-directory.ts';
import { languageOf } from '../../../../src/domain/language/language.ts';
import { MentionFinder } from '../../../../src/domain/memory/anchors/mention-finder.ts';
import { compileNames } from '../../../../src/domain/memory/anchors/name-index.ts';
import type { Mention } from '../../../../src/domain/memory/mention.ts';
import { demoNames, machine } from '../../../support/anchor-site.ts';
import { HandClock } from '../../../support/hand-clock.ts';
import { ManualScheduler } from '../../../support/manual-scheduler.ts';

const DAY_MS = 86_400_000;
const names = [...demoNames(), machine('pump-7', ['pump seven'], ['七号泵'])];
const looking = { forWrite: false };
const writing = { forWrite: true };

let clock: HandClock;
let scheduler: ManualScheduler;
let asked: string[];
let answer: AnchorDirectory['lookup'];
let warnings: number;
let pool: AnchorPool;

beforeEach(() => {
  clock = new HandClock();
  scheduler = new ManualScheduler();
  asked = [];
  warnings = 0;
  const site = new SiteDirectory(() => new MentionFinder(compileNames(names)));
  answer = (kind, name) => site.lookup(kind, name);
  pool = new AnchorPool({
    names,
    directory: {
      lookup: (kind, name, signal) => {
        asked.push(`${kind} ${name}`);
        return answer(kind, name, signal);
      },
    },
    clocks: clock,
    scheduler,
    logger: {
      warn: () => {
        warnings += 1;
      },
    },
  });
});

function mentionIn(text: string, likeness = false): Mention {
  const [first] = pool.find(text, languageOf(text), { likeness });
  if (first === undefined) throw new Error(`nothing is named in "${text}"`);
  return first;
}

function resolved(text: string, { forWrite } = looking): ResolvedMention {
  return pool.resolveMention(mentionIn(text), { forWrite });
}

function alias(name: string, id = 'machine:pump-7', daysAgo = 0) {
  return { name, id, kind: 'machine', confirmedAtMs: clock.wall().getTime() - daysAgo * DAY_MS } as const;
}

/** Lets what was begun beside come to its end. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

const one = (id: string, source: string, freshness = 'fresh', exact = true) => ({
  kind: 'one',
  id,
  exact,
  freshness,
  source,
});

describe('the pool of names', () => {
  it('gives what the site names exactly at once, to a write as well, and asks no directory', () => {
    expect(resolved('pump 7', writing)).toEqual(one('machine:pump-7', 'points'));
    expect(resolved('二号线')).toEqual(one('line:line-2', 'points'));
    expect(resolved('张工', writing)).toEqual(one('person:zhang-wei@maintenance', 'directory'));
    expect(asked).toEqual([]);
  });

  it('asks which of two people of one name is meant', () => {
    const both = ['person:zhang-wei@maintenance', 'person:zhang-min@production'];
    expect(resolved('Zhang')).toEqual({ kind: 'ask', candidates: both });
    expect(resolved('小张', writing)).toEqual({ kind: 'ask', candidates: both });
  });

  it('takes an answer for looking within 30 days, and never for a write', () => {
    pool.answered(mentionIn('Zhang'), 'person:zhang-min@production');
    expect(resolved('Zhang')).toEqual(one('person:zhang-min@production', 'asked', 'fresh', false));
    expect(resolved('Zhang', writing)).toMatchObject({ kind: 'ask' });
    clock.pass(30 * DAY_MS);
    expect(resolved('Zhang')).toMatchObject({ kind: 'ask' });
    pool.answered(mentionIn('Zhang'), 'person:li-na@quality');
    expect(resolved('Zhang')).toMatchObject({ kind: 'ask' });
  });

  it('looks with a name that is only like one, and asks before a write', () => {
    const like = mentionIn('jump seven', true);
    expect(pool.resolveMention(like, looking)).toEqual(one('machine:pump-7', 'points', 'fresh', false));
    expect(pool.resolveMention(like, writing)).toEqual({ kind: 'ask', candidates: ['machine:pump-7'] });
  });

  it('names the nearest for what is not of the site', () => {
    const gone: Mention = { ...mentionIn('pump 7'), text: 'pump sven', candidates: ['machine:pump-9'] };
    expect(pool.resolveMention(gone, looking)).toEqual({ kind: 'none', nearest: 'pump seven' });
  });

  describe('after 30 days', () => {
    beforeEach(() => {
      expect(resolved('pump 7')).toMatchObject({ freshness: 'fresh' });
      clock.pass(30 * DAY_MS - 1);
      expect(resolved('pump 7')).toMatchObject({ freshness: 'fresh' });
      expect(asked).toEqual([]);
      clock.pass(1);
    });

    it('uses what it knows at once, says that it is stale, and looks it up again beside', async () => {
      expect(resolved('pump 7')).toEqual(one('machine:pump-7', 'points', 'stale'));
      expect(asked).toEqual(['machine pump 7']);
      await settled();
      expect(resolved('pump 7', writing)).toEqual(one('machine:pump-7', 'points'));
      expect(asked).toHaveLength(1);
    });

    it('asks before a write until it was looked up', () => {
      expect(resolved('pump 7', writing)).toEqual({ kind: 'ask', candidates: ['machine:pump-7'] });
    });

    it('keeps what it knows when the directory fails, and tries again an hour later', async () => {
      answer = () => Promise.reject(new Error('no network'));
      expect(resolved('pump 7')).toMatchObject({ freshness: 'stale' });
      await settled();
      expect(warnings).toBe(1);
      expect(resolved('pump 7')).toEqual(one('machine:pump-7', 'points', 'stale'));
      expect(asked).toHaveLength(1);
      clock.pass(3_600_000);
      resolved('pump 7');
      expect(asked).toHaveLength(2);
    });

    it('keeps what it knows when the directory knows nothing of it', async () => {
      answer = async () => [];
      resolved('pump 7');
      await settled();
      expect(resolved('pump 7')).toEqual(one('machine:pump-7', 'points', 'stale'));
    });

    it('waits for no directory, and ends a look-up that gets no answer in five seconds', async () => {
      let given: AbortSignal | undefined;
      answer = (_kind, _name, signal) => {
        given = signal;
        return new Promise(() => undefined);
      };
      expect(resolved('pump 7')).toMatchObject({ kind: 'one', freshness: 'stale' });
      resolved('pump 7');
      expect(asked).toHaveLength(1);
      scheduler.pass(5_000);
      await settled();
      expect(given?.aborted).toBe(true);
      clock.pass(3_600_000);
      resolved('pump 7');
      expect(asked).toHaveLength(2);
    });

    it('asks when the name has become that of another thing as well', async () => {
      answer = async () => ['machine:pump-3'];
      resolved('pump 7');
      await settled();
      expect(resolved('pump 7')).toEqual({ kind: 'ask', candidates: ['machine:pump-7', 'machine:pump-3'] });
    });
  });

  describe('a told alias', () => {
    it('is found and used for looking, and never carries a write', () => {
      expect(pool.find('大泵停了', 'zh')).toEqual([]);
      pool.addAliases([alias('大泵'), alias('the big one'), alias('the fat pump')]);
      expect(resolved('大泵停了')).toEqual(one('machine:pump-7', 'told'));
      expect(resolved('stop the big one')).toEqual(one('machine:pump-7', 'told'));
      for (const text of ['大泵停了', 'stop the big one', 'stop the fat pumps'])
        expect(resolved(text, writing)).toEqual({ kind: 'ask', candidates: ['machine:pump-7'] });
    });

    it('is gone when it is taken back', () => {
      pool.addAliases([alias('大泵')]);
      pool.removeAlias('大泵', 'machine:pump-7');
      expect(pool.find('大泵停了', 'zh')).toEqual([]);
    });

    it('is stale from 30 days after it was confirmed, until it is told again', () => {
      pool.addAliases([alias('大泵', 'machine:pump-7', 31)]);
      expect(resolved('大泵')).toEqual(one('machine:pump-7', 'told', 'stale'));
      pool.addAliases([alias('大泵')]);
      expect(resolved('大泵')).toEqual(one('machine:pump-7', 'told'));
      expect(asked).toEqual([]);
    });

    it('makes a name of the site ambiguous, and never takes it over', () => {
      pool.addAliases([alias('pump three')]);
      expect(resolved('pump three', writing)).toEqual({
        kind: 'ask',
        candidates: ['machine:pump-3', 'machine:pump-7'],
      });
    });

    it('changes nothing where the site calls it so itself', () => {
      pool.addAliases([alias('pump seven')]);
      expect(resolved('pump seven', writing)).toEqual(one('machine:pump-7', 'points'));
    });

    it.each(['it', 'the', '那台', '7', '他'])('cannot be "%s"', (name) => {
      pool.addAliases([alias(name)]);
      expect(pool.find(`so ${name} is`, languageOf(name))).toEqual([]);
    });

    it('names only what is of the site', () => {
      pool.addAliases([alias('大泵', 'machine:pump-99')]);
      expect(pool.find('大泵', 'zh')).toEqual([]);
    });
  });
});
