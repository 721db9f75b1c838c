import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../../src/domain/language/language.ts';
import type { Capture } from '../../../../src/domain/memory/capture.ts';
import { asksToRemember, decideCapture } from '../../../../src/domain/memory/capture-rules.ts';
import { captureOf, findNames } from './site.ts';

const decide = (text: string, rest: Partial<Capture> = {}) =>
  decideCapture(captureOf(text, rest), findNames(text, languageOf(text)));

describe('what is worth remembering', () => {
  it.each([
    ['stop', 'control'],
    ['Cancel the third step.', 'control'],
    ['取消', 'control'],
    ['停一下', 'control'],
    ['yes, go ahead', 'consent'],
    ['confirm execute', 'consent'],
    ['确认执行', 'consent'],
    ['好的', 'consent'],
    ['good morning Hermes, how are you?', 'small_talk'],
    ['thank you very much', 'small_talk'],
    ['早上好，辛苦了', 'small_talk'],
    ['what is the pressure of pump seven?', 'question'],
    ['is pump seven running', 'question'],
    ['do you remember when pump seven stopped', 'question'],
    ['七号泵的压力是多少', 'question'],
    ['二号线停了吗', 'question'],
    ['pump seven', 'nothing_said'],
    ['七号泵', 'nothing_said'],
    ['I had a nice cup of coffee', 'nothing_said'],
    ['咖啡很好喝', 'nothing_said'],
    ['...', 'empty'],
    ['um, well', 'empty'],
    ['嗯……', 'empty'],
  ])('%s is left out: %s', (text, reason) => {
    expect(decide(text)).toEqual({ isCaptured: false, reason });
  });

  it.each([
    ['remember that pump seven runs hot after cleaning', 'machine'],
    ['记住七号泵清洗后会发热', 'machine'],
    ['pump seven runs hot after cleaning', 'machine'],
    ['Li Na is responsible for line two', 'person'],
    ['二号线由李娜负责', 'person'],
    ['never reach into the press while it turns', 'safety'],
    ['严禁把手伸进压机', 'safety'],
    ['pump seven tripped with E-203 last night', 'incident'],
    ['七号泵昨晚跳闸，原因是密封漏', 'incident'],
    ['the truck brings two pallets at 14:30', 'logistics'],
    ['下午三点到货两个托盘', 'logistics'],
    ['oven two is on standby until Friday', 'transient'],
    ['二号炉目前备用', 'transient'],
    ['pump seven was painted green last week', 'episode'],
    ['E-203 means the seal is dry', 'episode'],
  ])('%s is remembered: %s', (text, expected) => {
    expect(decide(text)).toEqual({ isCaptured: true, class: expected });
  });

  it.each([
    ['alarm', 'Oven two over temperature', 'incident'],
    ['diagnosis', 'The seal ran dry', 'incident'],
    ['tool_result', 'pump-7 pressure: 4.2 bar', 'summary'],
    ['tool_result', 'pump-7 speed set to 50 percent', 'episode'],
    ['work_order', 'Change the seal', 'incident'],
  ] as const)('a structured %s is remembered whatever its words are: %s', (kind, text, expected) => {
    expect(decide(text, { kind })).toEqual({ isCaptured: true, class: expected });
  });

  it('what belongs to a work order lasts as long as that', () => {
    expect(decide('the new seal for pump seven is here', { project: 'WO-12' })).toEqual({
      isCaptured: true,
      class: 'project',
    });
  });

  it('a wish is enough, without any name', () => {
    expect(decide('the coffee machine wants descaling', { isWish: true }).isCaptured).toBe(true);
    expect(asksToRemember('please remind me to call the supplier', 'en')).toBe(true);
    expect(asksToRemember('记得叫供应商', 'zh')).toBe(true);
    expect(asksToRemember('do you remember the supplier', 'en')).toBe(false);
  });

  it('a wish does not make a control word worth keeping', () => {
    expect(decide('stop', { isWish: true })).toEqual({ isCaptured: false, reason: 'control' });
  });

  // Each of these took minutes where the time grew with every repeat: the test then never ends.
  it.each(['confirm execute ', '确认执行', '不是', '行吧', '哈', 'no not ', 'good morning '])(
    'a text of nothing but "%s" is decided on at once',
    (words) => {
      expect(decide(`${words.repeat(200)} pump seven leaks`, { isWish: true }).isCaptured).toBe(true);
    },
  );
});
