import { describe, expect, it } from 'vitest';
import { isQuestion, routeRecall } from '../../../../../src/domain/memory/recall/need.ts';

const WORDS = { hasWords: true, hasPeriod: false };

describe('where an answer is looked for', () => {
  it.each([
    ['read the temperature of oven one', 'none'],
    ['set oven one to 180 degrees', 'none'],
    ['打开七号泵', 'none'],
    ['how do I change a bearing', 'procedures'],
    ['怎么更换轴承', 'procedures'],
    ['how did you fix the belt last time', 'text'],
    ['who changed the filter', 'text'],
    ['备件放在哪里', 'text'],
    ['what did I just ask', 'working'],
    ['刚才打开的是什么', 'working'],
  ])('"%s": %s', (text, route) => {
    expect(routeRecall(text, WORDS)).toBe(route);
  });

  it('is the calendar where only a time is given, and the text where words are too', () => {
    expect(routeRecall('what happened on monday', { hasWords: false, hasPeriod: true })).toBe('times');
    expect(routeRecall('belt monday', { hasWords: true, hasPeriod: true })).toBe('text');
  });
});

describe('a question', () => {
  it.each([
    'who changed the filter',
    'so when did it last leak',
    'do you remember the supplier',
    'pump seven leaked again, didn’t it?',
    '备件放在哪里',
    '七号泵昨天修了吗',
  ])('is one: %s', (text) => {
    expect(isQuestion(text)).toBe(true);
  });

  it.each([
    "resend last Wednesday's report to engineer Miller",
    'set the setpoint back to what it had before',
    'do not open the lid again',
    '把上周三的报告发给张工',
    '重启昨天停的泵',
  ])('is none: %s', (text) => {
    expect(isQuestion(text)).toBe(false);
  });
});
