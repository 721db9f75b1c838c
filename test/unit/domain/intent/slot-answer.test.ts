import { describe, expect, it, test } from 'vitest';
import { safestMeaning } from '../../../../src/domain/gate/stop-words.ts';
import type { MatchOutcome, Meaning } from '../../../../src/domain/intent/meaning.ts';
import { compileSentences } from '../../../../src/domain/intent/sentence-book.ts';
import type { SentenceFile } from '../../../../src/domain/intent/sentence-file.ts';
import { answeredMatch, BARE_VALUE, type SlotQuestion } from '../../../../src/domain/intent/slot-answer.ts';
import type { Language } from '../../../../src/domain/language/language.ts';
import { INTENT_SLOTS } from '../../../../src/domain/planning/intents.ts';
import { LOOKING_INTENTS } from '../../../../src/domain/planning/looking-intents.ts';
import { SITE_NAMES, sentencesOf, shippedSentenceFiles, waysOf } from '../../../support/shipped-sentences.ts';

const files = shippedSentenceFiles();
const books = new Map(
  files.map((file) => [file.language, compileSentences(file, SITE_NAMES[file.language])]),
);

function match(text: string, language: Language): MatchOutcome {
  const outcome = books.get(language)?.match(text);
  if (outcome === undefined) throw new Error(`there is no sentence file for ${language}`);
  return safestMeaning(outcome, text, language);
}

/** Each question that any intent can come to: all that it can hold but the slot that is asked for. */
const questions: readonly SlotQuestion[] = [...INTENT_SLOTS].flatMap(([intent, slots]) =>
  slots.map(
    (slot): SlotQuestion => ({
      meaning: {
        intent,
        slots: Object.fromEntries(
          slots.filter((each) => each !== slot).map((each) => [each, { value: `kept-${each}`, spoken: '' }]),
        ),
      },
      slot,
      choices: ['p3', 'm12'],
      named: true,
    }),
  ),
);

/** A few ways to say each sentence of a file. */
function saidOf(file: SentenceFile): readonly { readonly intent: string; readonly text: string }[] {
  return sentencesOf(file).flatMap(({ intent, template }) =>
    waysOf(template, file, 12).map((words) => ({
      intent,
      text: words.join(file.language === 'zh' ? '' : ' '),
    })),
  );
}

const intentsOf = (outcome: MatchOutcome): readonly string[] =>
  outcome.kind === 'none'
    ? []
    : outcome.kind === 'match'
      ? [outcome.meaning.intent]
      : outcome.meanings.map(({ intent }) => intent);

/** Of the numbers that a range may hold; a step and a work order have whole ones. */
const FRACTION = /point five|二点五/u;

describe.each(files)('an open question in $language', (file) => {
  const { language } = file;
  const said = saidOf(file).map((each) => ({ ...each, outcome: match(each.text, language) }));
  const sentences = said.filter(({ intent }) => intent !== BARE_VALUE);

  it('is put to the sentences of every intent there is', () => {
    expect(new Set(sentences.map(({ intent }) => intent))).toEqual(
      new Set(Object.keys(file.intents).filter((intent) => intent !== BARE_VALUE)),
    );
    expect(questions.length).toBeGreaterThan(30);
  });

  it.each(Object.keys(file.intents).filter((intent) => intent !== BARE_VALUE))(
    'of any intent is not answered by a whole sentence of %s, which means what it says',
    (intent) => {
      const own = sentences.filter((each) => each.intent === intent && !FRACTION.test(each.text));
      expect(own.length).toBeGreaterThan(0);
      for (const { text, outcome } of own) {
        expect(intentsOf(outcome), text).toEqual([intent]);
        for (const question of questions)
          expect(
            answeredMatch(question, outcome),
            `${text}, to ${question.meaning.intent} without ${question.slot}`,
          ).toBeUndefined();
      }
    },
  );

  it('is completed by bare values alone, and stays what it was: of a question that looks comes nothing that acts', () => {
    const looking = questions.filter(({ meaning }) => LOOKING_INTENTS.includes(meaning.intent));
    let answered = 0;
    for (const { text, outcome } of said)
      for (const question of looking) {
        const completed = answeredMatch(question, outcome);
        if (completed === undefined) continue;
        answered += 1;
        const meanings = completed.kind === 'match' ? [completed.meaning] : completed.meanings;
        for (const { intent, slots } of meanings) {
          expect(intent, text).toBe(question.meaning.intent);
          expect(Object.keys(slots).sort(), text).toEqual(
            [...Object.keys(question.meaning.slots), question.slot].sort(),
          );
        }
      }
    expect(answered).toBeGreaterThan(50);
  });
});

describe('a bare value', () => {
  const ask = (slot: string, given: Partial<SlotQuestion> = {}): SlotQuestion => ({
    meaning: { intent: 'write_request', slots: {} },
    slot,
    choices: [],
    named: false,
    ...given,
  });
  const filled = (question: SlotQuestion, text: string, language: Language): Meaning['slots'] | undefined => {
    const answer = answeredMatch(question, match(text, language));
    return answer?.kind === 'match' ? answer.meaning.slots : undefined;
  };

  test.each([
    ['machine', 'en', 'machine twelve please', 'm12'],
    ['machine', 'en', 'it is machine 12', 'm12'],
    ['machine', 'en', 'on the boiler', 'boiler'],
    ['machine', 'zh', '是十二号机床', 'm12'],
    ['machine', 'zh', '我要十二号机床', 'm12'],
    ['machine', 'zh', '锅炉的', 'boiler'],
    ['other_machine', 'en', 'with the boiler', 'boiler'],
    ['person', 'en', 'to zhang', 'zhang'],
    ['person', 'zh', '给张工', 'zhang'],
    ['quantity', 'en', 'the temperature', 'temperature'],
    ['quantity', 'zh', '温度', 'temperature'],
    ['value', 'en', 'to 50 degrees', 50],
    ['value', 'en', '50', 50],
    ['value', 'zh', '设为五十', 50],
    ['value', 'zh', '五十度', 50],
    ['number', 'en', 'number 17', 17],
    ['number', 'zh', '17号', 17],
    ['period', 'en', 'yesterday', 'yesterday'],
    ['period', 'zh', '昨天', 'yesterday'],
    ['statistic', 'en', 'the average', 'mean'],
    ['statistic', 'zh', '平均值', 'mean'],
    ['format', 'en', 'as csv', 'csv'],
    ['format', 'zh', '表格', 'xlsx'],
    ['document', 'en', 'the report', 'report'],
    ['document', 'zh', '报表', 'report'],
    ['ordinal', 'en', 'the third step', 3],
    ['ordinal', 'zh', '第三步', 3],
    ['topic', 'en', 'calibrate the sensor', 'calibrate'],
    ['topic', 'zh', '校准传感器', 'calibrate'],
  ] as const)('fills the %s (%s): %s', (slot, language, text, value) => {
    expect(filled(ask(slot), text, language)).toMatchObject({ [slot]: { value } });
  });

  test.each([
    ['en', 'the second one', 'm12'],
    ['en', 'it is the first', 'p3'],
    ['en', 'the last one', 'm12'],
    ['zh', '第二个', 'm12'],
    ['zh', '是第一个', 'p3'],
  ] as const)('is a place in what was named (%s): %s', (language, text, value) => {
    expect(filled(ask('machine', { choices: ['p3', 'm12'], named: true }), text, language)).toMatchObject({
      machine: { value },
    });
    expect(filled(ask('machine', { choices: ['p3', 'm12'] }), text, language)).toBeUndefined();
  });

  test.each([
    ['machine', 'en', 'inspect machine twelve'],
    ['machine', 'en', 'stop pump three'],
    ['value', 'en', 'close work order 50'],
    ['machine', 'zh', '检查十二号机床'],
    ['machine', 'zh', '停止三号泵'],
    ['quantity', 'en', 'machine twelve'],
    ['machine', 'en', '50'],
  ] as const)('is not %s (%s): %s', (slot, language, text) => {
    expect(filled(ask(slot), text, language)).toBeUndefined();
  });
});
