import { describe, expect, it, test } from 'vitest';
import { questionText, SLOT_QUESTIONS } from '../../../../src/app/engine/open-question.ts';
import { routedQuestion, sayAgainLine } from '../../../../src/app/engine/routed-question.ts';
import type { Meaning } from '../../../../src/domain/intent/meaning.ts';
import { compileSentences } from '../../../../src/domain/intent/sentence-book.ts';
import type { SentenceFile } from '../../../../src/domain/intent/sentence-file.ts';
import { LANGUAGES, type Language } from '../../../../src/domain/language/language.ts';
import { INTENT_SLOTS } from '../../../../src/domain/planning/intents.ts';
import { demoPlant, plantOf } from '../../../support/plant-file.ts';
import { shippedPhrases } from '../../../support/shipped-phrases.ts';
import { SITE_NAMES, shippedSentenceFiles } from '../../../support/shipped-sentences.ts';

const bookOf = (language: Language) => {
  const file = shippedSentenceFiles().find((each: SentenceFile) => each.language === language);
  if (file === undefined) throw new Error(`there is no sentence file for ${language}`);
  return compileSentences(file, SITE_NAMES[language]);
};
const phrases = shippedPhrases();
const parts = {
  plant: demoPlant(),
  phrases,
  people: { nameOf: (id: string) => id },
  understanding: { en: bookOf('en'), zh: bookOf('zh') },
};

/** What is said when a slot is missing. */
function asked(meaning: Meaning, slot: string, language: Language, plant = parts.plant): string {
  const question = { slot, why: 'missing' } as const;
  const open = routedQuestion(meaning, question, { ...parts, plant });
  return open === undefined
    ? phrases.say(language, sayAgainLine(question))
    : questionText(open, { ...parts, plant }, language);
}

const said = (intent: string, slots: Readonly<Record<string, string>> = {}): Meaning => ({
  intent,
  slots: Object.fromEntries(Object.entries(slots).map(([slot, value]) => [slot, { value, spoken: value }])),
});

describe('what a sentence lacks', () => {
  test.each([
    ['machine', 'Which machine?', '哪台设备？'],
    ['other_machine', 'With which machine?', '和哪台设备？'],
    ['person', 'To whom?', '给谁？'],
    ['quantity', 'Which value?', '哪个数值？'],
    ['value', 'To what value?', '设为多少？'],
    ['step', 'Which step?', '哪一步？'],
    ['ordinal', 'Which step?', '哪一步？'],
    ['tool', 'Which step?', '哪一步？'],
    ['period', 'Which time do you mean?', '哪个时间？'],
    ['statistic', 'Which figure? maximum, or minimum, or average?', '哪个统计值？最大，还是最小，还是平均？'],
    ['format', 'In which format? excel, or csv?', '什么格式？表格，还是csv？'],
    ['document', 'Which document?', '哪份文件？'],
    ['number', 'Which number?', '编号是多少？'],
    ['topic', 'Instructions on what?', '哪项操作的说明？'],
    ['text', 'What should it say? Please say the whole command.', '写什么内容？请说完整的命令。'],
    ['action', 'What is to be done? Please say the whole command.', '要做什么？请说完整的命令。'],
    ['a_slot_of_a_site', 'Please say the whole command.', '请说完整的命令。'],
  ])('is asked for by name: %s', (slot, en, zh) => {
    expect(asked(said('any'), slot, 'en')).toBe(en);
    expect(asked(said('any'), slot, 'zh')).toBe(zh);
  });

  it('is asked for by name in every slot that any intent has, and for a time only where a time is missing', () => {
    const slots = new Set([...INTENT_SLOTS.values()].flat());
    for (const slot of slots) {
      expect(SLOT_QUESTIONS.has(slot), slot).toBe(true);
      for (const language of LANGUAGES)
        expect(asked(said('any'), slot, language) === phrases.say(language, 'ask_period'), slot).toBe(
          slot === 'period',
        );
    }
  });

  it('names the machines that can be meant, where they are few', () => {
    const start = said('write_request', { action: 'start' });
    expect(asked(start, 'machine', 'en', fewMachines())).toBe('Which one: pump three, or pump four?');
    expect(asked(start, 'machine', 'zh', fewMachines())).toBe('哪一个，三号泵，还是四号泵？');
    expect(asked(said('diagnose'), 'machine', 'en', fewMachines())).toBe(
      'Which one: pump three, or pump four, or oven?',
    );
    expect(asked(said('compare', { machine: 'oven' }), 'other_machine', 'en', fewMachines())).toBe(
      'Which one: pump three, or pump four?',
    );
  });

  it('names the values of a machine that can be written, where one is to be written', () => {
    const write = said('write_request', { machine: 'oven', action: 'set' });
    expect(asked(write, 'quantity', 'en', fewMachines())).toBe('Which value? setpoint, or speed?');
    expect(asked(write, 'quantity', 'zh', fewMachines())).toBe('哪个数值？设点，还是转速？');
    expect(asked(said('read_history', { machine: 'oven' }), 'quantity', 'en', fewMachines())).toBe(
      'Which value? temperature, or setpoint, or speed?',
    );
  });

  it('is never one of the people who are in the directory', () => {
    expect(routedQuestion(said('send_result'), { slot: 'person', why: 'missing' }, parts)).toMatchObject({
      choices: [],
      named: false,
    });
  });
});

function fewMachines() {
  const point = (en: string, zh: string, address: number, more = '') =>
    `{ names: { en: [${en}], zh: [${zh}] }, register: holding, address: ${address}, type: uint16${more} }`;
  const writable = ', access: read_write, write_min: 0, write_max: 100';
  const pump = (en: string, zh: string, address: number) => `
    names: { en: [${en}], zh: [${zh}] }
    device: plc
    commands: { start: { point: setpoint, value: 1 } }
    points:
      setpoint: ${point('setpoint', '设点', address, writable)}`;
  return plantOf(`
connections:
  plc: { transport: tcp, host: 127.0.0.1, port: 502 }
devices:
  plc: { connection: plc, unit_id: 1, address_base: 0, byte_order: ABCD }
machines:
  pump-3:${pump('pump three', '三号泵', 1)}
  pump-4:${pump('pump four', '四号泵', 2)}
  oven:
    names: { en: [oven], zh: [烤炉] }
    device: plc
    points:
      temperature: ${point('temperature', '温度', 3)}
      setpoint: ${point('setpoint', '设点', 4, writable)}
      speed: ${point('speed', '转速', 5, writable)}
`);
}
