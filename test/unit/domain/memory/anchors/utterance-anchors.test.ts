import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../../../src/domain/language/language.ts';
import { compileNames } from '../../../../../src/domain/memory/anchors/name-index.ts';
import { referencesIn } from '../../../../../src/domain/memory/anchors/referring-words.ts';
import { UtteranceAnchors } from '../../../../../src/domain/memory/anchors/utterance-anchors.ts';
import { demoNames } from '../../../../support/anchor-site.ts';

const HOUR_MS = 3_600_000;
const index = compileNames(demoNames());
const looking = { forWrite: false };

function spokenOf(...ids: readonly string[]): UtteranceAnchors {
  const anchors = new UtteranceAnchors((id) => index.nounsOf.get(id));
  for (const [at, id] of ids.entries()) meant(anchors, 's', id, at);
  return anchors;
}

function meant(anchors: UtteranceAnchors, session: string, id: string, nowMs: number): void {
  const kind = (['machine', 'line', 'person', 'point'] as const).find((each) => id.startsWith(`${each}:`));
  if (kind !== undefined) anchors.meant(session, kind, id, nowMs);
}

/** What each word of a text that points back stands for. */
function backTo(anchors: UtteranceAnchors, text: string, nowMs = 100): string[] {
  return referencesIn(text, languageOf(text), index.nouns).map(
    (reference) => `${reference.text} -> ${anchors.resolve('s', reference, nowMs, looking) ?? 'nothing'}`,
  );
}

describe('words that point back', () => {
  it('mean the last thing of their kind', () => {
    const anchors = spokenOf(
      'machine:pump-3',
      'line:line-2',
      'machine:oven-1',
      'person:li-na@quality',
      'point:pressure',
      'person:zhang-wei@maintenance',
    );
    for (const [text, found] of [
      ['is it hot', 'it -> machine:oven-1'],
      ["what's its speed", 'its -> machine:oven-1'],
      ["it's hot", 'it -> machine:oven-1'],
      ['stop that pump', 'that pump -> machine:pump-3'],
      ['the same machine', 'the same machine -> machine:oven-1'],
      ['on that line', 'that line -> line:line-2'],
      ['ask him', 'him -> person:zhang-wei@maintenance'],
      ['what does she say', 'she -> person:zhang-wei@maintenance'],
      ['它热吗', '它 -> machine:oven-1'],
      ['那台泵的压力', '那台泵 -> machine:pump-3'],
      ['那台烤炉怎么样', '那台烤炉 -> machine:oven-1'],
      ['同一台', '同一台 -> machine:oven-1'],
      ['那台设备', '那台设备 -> machine:oven-1'],
      ['那条线', '那条线 -> line:line-2'],
      ['问他', '他 -> person:zhang-wei@maintenance'],
      ['那台马上停', '那台 -> machine:oven-1'],
      ['这个值', '这个值 -> point:pressure'],
    ] as const)
      expect(backTo(anchors, text)).toEqual([found]);
  });

  it('mean nothing where nothing of the kind was spoken of', () => {
    const anchors = spokenOf('machine:oven-1');
    expect(backTo(anchors, 'that pump')).toEqual(['that pump -> nothing']);
    expect(backTo(anchors, '问他')).toEqual(['他 -> nothing']);
    expect(backTo(new UtteranceAnchors(() => undefined), 'it')).toEqual(['it -> nothing']);
  });

  it.each(['that time', 'this morning', 'they left', '他们走了', 'item', 'the pump', '那时候'])(
    'are none in "%s"',
    (text) => expect(referencesIn(text, languageOf(text), index.nouns)).toEqual([]),
  );

  it('never carry a write', () => {
    const anchors = spokenOf('machine:oven-1');
    const [it] = referencesIn('stop it', 'en', index.nouns);
    expect(it && anchors.resolve('s', it, 1, looking)).toBe('machine:oven-1');
    expect(it && anchors.resolve('s', it, 1, { forWrite: true })).toBeUndefined();
  });

  it('hold for two hours from when the thing was last spoken of', () => {
    const anchors = spokenOf('machine:oven-1');
    expect(backTo(anchors, 'it', 2 * HOUR_MS)).toEqual(['it -> machine:oven-1']);
    expect(backTo(anchors, 'it', 2 * HOUR_MS + 1)).toEqual(['it -> nothing']);
    meant(anchors, 's', 'machine:oven-1', 2 * HOUR_MS);
    expect(backTo(anchors, 'it', 4 * HOUR_MS)).toEqual(['it -> machine:oven-1']);
  });

  it('stay within their session, and end with it', () => {
    const anchors = spokenOf('machine:oven-1');
    meant(anchors, 'other', 'machine:pump-3', 5);
    expect(backTo(anchors, 'it')).toEqual(['it -> machine:oven-1']);
    anchors.end('s');
    expect(backTo(anchors, 'it')).toEqual(['it -> nothing']);
  });

  it('are kept of so many things and sessions only', () => {
    const anchors = spokenOf('person:li-na@quality', 'machine:pump-3');
    for (let at = 0; at < 31; at++) meant(anchors, 's', `machine:m-${at}`, at);
    expect(backTo(anchors, 'it, him')).toEqual(['it -> machine:m-30', 'him -> nothing']);
    for (let at = 0; at < 63; at++) meant(anchors, `session ${at}`, 'machine:oven-1', at);
    expect(backTo(anchors, 'it')).toEqual(['it -> machine:m-30']);
    meant(anchors, 'one more', 'machine:oven-1', 99);
    expect(backTo(anchors, 'it')).toEqual(['it -> nothing']);
  });
});
