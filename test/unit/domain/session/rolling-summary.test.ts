import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeSummary,
  encodeSummary,
  summarise,
  summaryIsDue,
  summaryText,
} from '../../../../src/domain/session/rolling-summary.ts';
import { conversation } from '../../../support/conversation.ts';

const NONE = decodeSummary('');
const NAMES = ['pump three', 'A1', 'A12', 'Zhang', '泵三', '张工'];

const ENGLISH = conversation([
  ['temperature of pump three', 'Pump three is 82.5 degrees. The limit is 80 degrees.'],
  ['hello there', 'Hello.'],
  ['set the speed of A12 to 1,200', 'The speed of A12 was set to 1,200 RPM.'],
  ['mail that to Zhang', 'Sent to Zhang.'],
]);
const CHINESE = conversation([
  ['泵三的温度', '泵三温度82.5度，上限80度。'],
  ['你好', '你好。'],
  ['发给张工', '已发送给张工。'],
  ['取消第三步', '已取消导出。'],
]);

describe('a rolling summary', () => {
  it('keeps names, figures and decisions, and no small talk', () => {
    const summary = summarise(NONE, ENGLISH, NAMES);
    expect(summary).toEqual({
      upToSeq: 8,
      turns: 4,
      entities: ['pump three', 'A12', 'Zhang'],
      figures: [
        'Pump three is 82.5 degrees. The limit is 80 degrees.',
        'set the speed of A12 to 1,200',
        'The speed of A12 was set to 1,200 RPM.',
      ],
      decisions: ['set the speed of A12 to 1,200', 'The speed of A12 was set to 1,200 RPM', 'Sent to Zhang'],
    });
  });

  it('keeps them in Chinese too', () => {
    expect(summarise(NONE, CHINESE, NAMES)).toEqual({
      upToSeq: 8,
      turns: 4,
      entities: ['泵三', '张工'],
      figures: ['泵三温度82.5度', '上限80度'],
      decisions: ['已发送给张工', '取消第三步', '已取消导出'],
    });
  });

  it('reads in either language', () => {
    const summary = summarise(NONE, CHINESE, NAMES);
    expect(summaryText(summary, 'zh')).toBe(
      '此前共4轮。提到：泵三、张工。数据：泵三温度82.5度；上限80度。决定与操作：已发送给张工；取消第三步；已取消导出。',
    );
    expect(summaryText(summarise(NONE, conversation([['status', 'Sent to Zhang.']]), NAMES), 'en')).toBe(
      'Earlier, 1 turn. Named: Zhang. Decided or done: Sent to Zhang.',
    );
    expect(summaryText(NONE, 'en')).toBe('');
  });

  it('does not take "A12" for "A1"', () => {
    expect(summarise(NONE, conversation([['status of A12', '']]), NAMES).entities).toEqual(['A12']);
  });

  it('rolls on: what is in it already is not taken twice', () => {
    const first = summarise(NONE, ENGLISH.slice(0, 4), NAMES);
    expect(summarise(first, ENGLISH, NAMES)).toEqual(summarise(NONE, ENGLISH, NAMES));
    expect(summarise(first, ENGLISH.slice(0, 4), NAMES)).toEqual(first);
  });

  it('is due after so many turns that are not in it', () => {
    const messages = conversation(Array.from({ length: 6 }, () => ['status', 'fine'] as const));
    expect(summaryIsDue(messages.slice(0, 10), NONE)).toBe(false);
    expect(summaryIsDue(messages, NONE)).toBe(true);
    expect(summaryIsDue(messages, summarise(NONE, messages.slice(0, 2), []))).toBe(false);
  });

  it('stays small, keeps the newest, and comes back from the store as it was', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom('set to 5', '已发送 7', 'pump three'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText), { maxLength: 60 }), (turns) => {
        const summary = summarise(NONE, conversation(turns), NAMES);
        expect(decodeSummary(encodeSummary(summary))).toEqual(summary);
        expect(encodeSummary(summary).length).toBeLessThan(12_000);
      }),
    );
    const many = conversation(Array.from({ length: 40 }, (_, i) => [`speed ${i}`, ''] as const));
    expect(summarise(NONE, many, []).figures.at(-1)).toBe('speed 39');
    expect(summarise(NONE, many, []).figures).toHaveLength(15);
  });

  it('that cannot be read is an empty one', () => {
    for (const text of ['', '{', '{"turns":1}', 'a summary of old'])
      expect(decodeSummary(text)).toEqual(NONE);
  });
});
