import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileSentences, type SentenceBook } from '../../../../src/domain/intent/sentence-book.ts';
import { type SiteLists, sentenceFileSchema } from '../../../../src/domain/intent/sentence-file.ts';
import { LANGUAGES, type Language } from '../../../../src/domain/language/language.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const fileOf = (language: Language) =>
  sentenceFileSchema.parse(parse(read(`config/sentences/${language}.yaml`)));
/** The words of the small recogniser model of the language. */
const knownWords = (language: Language) =>
  new Set(read(`test/fixtures/vocabulary-${language}.txt`).split('\n').filter(Boolean));

const sites: Readonly<Record<Language, SiteLists>> = {
  en: {
    machine: [
      { value: 'm12', spoken: ['machine 12'] },
      { value: 'p3', spoken: ['pump 3'] },
      { value: 'a', spoken: ['line a'] },
      { value: 'boiler', spoken: ['boiler'] },
    ],
    quantity: [
      { value: 'temperature', spoken: ['temperature'] },
      { value: 'pressure', spoken: ['pressure', 'oil pressure'] },
    ],
    person: [
      { value: 'zhang-wei', spoken: ['zhang', 'engineer zhang'] },
      { value: 'wang-fang', spoken: ['wang'] },
    ],
    procedure: [{ value: 'calibrate-pump', spoken: ['calibrate the pump'] }],
  },
  zh: {
    machine: [
      { value: 'm12', spoken: ['12号机床'] },
      { value: 'p3', spoken: ['三号泵'] },
      { value: 'a', spoken: ['A产线'] },
      { value: 'boiler', spoken: ['锅炉'] },
    ],
    quantity: [
      { value: 'temperature', spoken: ['温度'] },
      { value: 'pressure', spoken: ['压力', '油压'] },
    ],
    person: [
      { value: 'zhang-wei', spoken: ['张工'] },
      { value: 'wang-fang', spoken: ['王工'] },
    ],
    procedure: [{ value: 'calibrate-pump', spoken: ['校准泵'] }],
  },
};
const books: Readonly<Record<Language, SentenceBook>> = {
  en: compileSentences(fileOf('en'), sites.en),
  zh: compileSentences(fileOf('zh'), sites.zh),
};

function meaningOf(text: string, language: Language): string {
  const outcome = books[language].match(text);
  if (outcome.kind !== 'match') return outcome.kind;
  const { intent, slots } = outcome.meaning;
  return [
    intent,
    ...Object.entries(slots)
      .map(([slot, { value }]) => `${slot}=${value}`)
      .sort(),
  ].join(' ');
}

const t12 = 'read_point machine=m12 quantity=temperature';

describe('English', () => {
  test.each([
    ['read the temperature of machine twelve', t12],
    ['what is the temperature of machine twelve', t12],
    ["What's machine 12's temperature?", t12],
    ['hermes tell me the current temperature of machine one two please', t12],
    ['show me machine twelve temperature', t12],
    ['machine twelve temperature', t12],
    ['temperature of machine twelve', t12],
    ['what temperature does machine twelve have', t12],
    ['check the oil pressure on the boiler', 'read_point machine=boiler quantity=pressure'],
    ['read the temperature', 'read_point quantity=temperature'],
    ['what is the temperature', 'read_point quantity=temperature'],
    ['check the status of machine twelve', 'machine_status machine=m12'],
    ['status of machine twelve', 'machine_status machine=m12'],
    ['the status of pump three', 'machine_status machine=p3'],
    ['is machine twelve running', 'machine_status machine=m12'],
    ['how is line a', 'machine_status machine=a'],
    ['check pump three', 'machine_status machine=p3'],
    ['are you online', 'system_status'],
    ['check the network', 'system_status'],
    ['help', 'help'],
    ['what can I say?', 'help'],
    ['repeat that', 'repeat'],
    ['say again', 'repeat'],
    ['say that again', 'repeat'],
    ['cancel', 'cancel'],
    ['stop', 'stop'],
    ['emergency stop', 'emergency_stop'],
    ['machine twelve', 'choose machine=m12'],
    ['the boiler', 'choose machine=boiler'],
    ['the first', 'choose ordinal=1'],
    ['the second one', 'choose ordinal=2'],
    ['yes', 'yes'],
    ['no', 'no'],
    ['confirm execute', 'confirm_execute'],
    [
      'set the temperature of machine twelve to fifty five',
      'write_request action=set machine=m12 quantity=temperature value=55',
    ],
    [
      'set machine 12 temperature to 55.5 degrees',
      'write_request action=set machine=m12 quantity=temperature value=55.5',
    ],
    ['raise the pressure of the boiler', 'write_request action=increase machine=boiler quantity=pressure'],
    ['set the pressure to two bar', 'write_request action=set quantity=pressure value=2'],
    ['set line a to two', 'write_request action=set machine=a value=2'],
    ['start machine twelve', 'write_request action=start machine=m12'],
    ['turn off the boiler', 'write_request action=stop machine=boiler'],
    ['turn pump three on', 'write_request action=start machine=p3'],
    ['reset pump three', 'write_request action=reset machine=p3'],
    ['open pump three', 'write_request action=open machine=p3'],
    [
      'what was the temperature of machine twelve yesterday',
      'read_history machine=m12 period=yesterday quantity=temperature',
    ],
    [
      "what was machine twelve's highest temperature last shift",
      'read_history machine=m12 period=last shift quantity=temperature statistic=max',
    ],
    ['compare with pump three', 'compare machine=p3'],
    ['compare that with pump three', 'compare machine=p3'],
    ['compare machine twelve with pump three', 'compare machine=m12 other_machine=p3'],
    ['export that', 'export_result'],
    ['export it to excel', 'export_result format=xlsx'],
    ['send it to engineer zhang', 'send_result person=zhang-wei'],
    ['email the report to wang', 'send_result person=wang-fang'],
    ['mail Zhang the report', 'send_result person=zhang-wei'],
    [
      "Resend last Wednesday's report to engineer Zhang",
      'resend_document document=report period=last wednesday person=zhang-wei',
    ],
    ['cancel the third step', 'cancel_step ordinal=3'],
    ['cancel step 3', 'cancel_step ordinal=3'],
    ['cancel the export', 'cancel_step tool=export-report'],
    ['undo that', 'undo'],
    ['undo the second step', 'undo ordinal=2'],
    ['do the same for pump three', 'redo_for machine=p3'],
    ['continue', 'continue'],
    ['show me the log of machine twelve', 'read_log machine=m12'],
    ['why did machine twelve stop', 'read_log event=stop machine=m12'],
    ['diagnose machine twelve', 'diagnose machine=m12'],
    ['inspect machine twelve', 'check_machine machine=m12'],
    ['inspect the boiler', 'check_machine machine=boiler'],
    ['check pump three thoroughly', 'check_machine machine=p3'],
    ['do a full check of pump three', 'check_machine machine=p3'],
    ['create a work order for pump three', 'work_order_create machine=p3'],
    ['close work order seven', 'work_order_close number=7'],
    ['how do I calibrate the pump', 'how_to topic=calibrate-pump'],
    ['who am I', 'who_am_i'],
    [
      'Remember that pump 3 leaks oil after cleaning',
      'remember condition=after cleaning machine=p3 remark=leaks oil',
    ],
    ['Remember: E-203 means low oil', 'remember note=E-203 means low oil'],
    ['note that the seal kit 40 is ordered', 'remember note=the seal kit 40 is ordered'],
    ['what do you know about the boiler', 'memory_about machine=boiler'],
    ['what do you know about the seal kit', 'memory_about note=the seal kit'],
    ['when did this last happen', 'when_last'],
    ['what did the night shift do', 'what_happened shift=night shift'],
    ['what happened on pump 3 yesterday', 'what_happened machine=p3 period=yesterday'],
    ['forget that', 'forget'],
    ['forget that thank you', 'forget'],
    ['what should be reviewed', 'memory_review'],
    ['that is right', 'memory_settle verdict=verified'],
    ['that is wrong', 'memory_settle verdict=rejected'],
    ['what has failed', 'tickets'],
    ['which tickets are open', 'tickets'],
    ['are any tickets open', 'tickets'],
    ['open tickets', 'tickets'],
    ['show me the trouble tickets', 'tickets'],
  ])('%s', (text, meaning) => {
    expect(meaningOf(text, 'en')).toBe(meaning);
  });

  test('"stop pump three" is a write, "stop" is not, and nothing in between is either', () => {
    expect(meaningOf('stop pump three', 'en')).toBe('write_request action=stop machine=p3');
    expect(meaningOf('stop', 'en')).toBe('stop');
    for (const damaged of [
      'stop pump',
      'stop three',
      'stop the',
      'stop [unk]',
      'stop [unk] three',
      'pump stop',
    ])
      expect(meaningOf(damaged, 'en')).toBe('none');
  });

  test.each([
    'okay',
    'okay hermes',
    'please',
    'the',
    'a',
    'no yes',
    'not yes',
    "don't stop pump three",
    'yes no',
  ])('"%s" means nothing', (text) => {
    expect(meaningOf(text, 'en')).toBe('none');
  });

  test('no sentence uses a word that sounds like a number, but for "to" before a value or a person', () => {
    const words = fileOf('en').intents;
    const homophones = /\b(for|too|won|ate|oh)\b/;
    for (const { sentences } of Object.values(words))
      for (const sentence of sentences) {
        expect(sentence).not.toMatch(homophones);
        expect(sentence.replaceAll(/to \{(?:value|person)\}/g, '')).not.toMatch(/\bto\b/);
      }
  });
});

describe('Chinese', () => {
  test.each([
    ['读取十二号机床的温度', t12],
    ['读取 十 二 号 机床 的 温度', t12],
    ['请查询12号机床当前温度', t12],
    ['十二号机床温度', t12],
    ['十二号机床的温度是多少？', t12],
    ['十二号机床现在温度多少', t12],
    ['查一下幺二号机床温度', t12],
    ['读取锅炉油压', 'read_point machine=boiler quantity=pressure'],
    ['读取温度', 'read_point quantity=temperature'],
    ['温度是多少', 'read_point quantity=temperature'],
    ['查询十二号机床状态', 'machine_status machine=m12'],
    ['十二号机床在运行吗', 'machine_status machine=m12'],
    ['检查三号泵', 'machine_status machine=p3'],
    ['A产线正常吗', 'machine_status machine=a'],
    ['网络在线吗', 'system_status'],
    ['帮助', 'help'],
    ['再 说 一 遍', 'repeat'],
    ['再说一遍', 'repeat'],
    ['重复', 'repeat'],
    ['取消', 'cancel'],
    ['停止', 'stop'],
    ['紧急停止', 'emergency_stop'],
    ['急停', 'emergency_stop'],
    ['十二号机床', 'choose machine=m12'],
    ['第 一', 'choose ordinal=1'],
    ['第一个', 'choose ordinal=1'],
    ['第二个', 'choose ordinal=2'],
    ['最后一个', 'choose ordinal=last'],
    ['可以', 'yes'],
    ['不', 'no'],
    ['确认执行', 'confirm_execute'],
    ['把十二号机床的温度设为五十五', 'write_request action=set machine=m12 quantity=temperature value=55'],
    [
      '十二号机床温度设到五十五点五度',
      'write_request action=set machine=m12 quantity=temperature value=55.5',
    ],
    ['把锅炉压力设为50%', 'write_request action=set machine=boiler quantity=pressure value=50'],
    ['启动十二号机床', 'write_request action=start machine=m12'],
    ['复位三号泵', 'write_request action=reset machine=p3'],
    ['打开锅炉', 'write_request action=open machine=boiler'],
    ['把三号泵关闭', 'write_request action=close machine=p3'],
    ['昨天十二号机床的温度', 'read_history machine=m12 period=yesterday quantity=temperature'],
    ['十二号机床昨天的温度是多少', 'read_history machine=m12 period=yesterday quantity=temperature'],
    ['和三号泵对比', 'compare machine=p3'],
    ['对比十二号机床和三号泵的温度', 'compare machine=m12 other_machine=p3 quantity=temperature'],
    ['导出报告', 'export_result'],
    ['导出为表格', 'export_result format=xlsx'],
    ['发给张工', 'send_result person=zhang-wei'],
    ['把报告发给王工', 'send_result person=wang-fang'],
    ['重发上周三的报告给张工', 'resend_document document=report period=last wednesday person=zhang-wei'],
    ['把上周三的报告重发给张工', 'resend_document document=report period=last wednesday person=zhang-wei'],
    ['取消第三步', 'cancel_step ordinal=3'],
    ['取消导出', 'cancel_step tool=export-report'],
    ['撤销', 'undo'],
    ['刚才那个撤销', 'undo'],
    ['撤销第二步', 'undo ordinal=2'],
    ['同样查三号泵', 'redo_for machine=p3'],
    ['继续', 'continue'],
    ['查看十二号机床的日志', 'read_log machine=m12'],
    ['十二号机床为什么停机', 'read_log event=stop machine=m12'],
    ['诊断十二号机床', 'diagnose machine=m12'],
    ['检查十二号机床的全部状态', 'check_machine machine=m12'],
    ['全面检查一下锅炉', 'check_machine machine=boiler'],
    ['检查十二号机床状态', 'machine_status machine=m12'],
    ['创建三号泵的工单', 'work_order_create machine=p3'],
    ['关闭工单七', 'work_order_close number=7'],
    ['怎么校准泵', 'how_to topic=calibrate-pump'],
    ['我是谁', 'who_am_i'],
    ['记住三号泵清洁之后漏油', 'remember condition=清洁之后 machine=p3 remark=漏油'],
    ['记一下密封件已经订货', 'remember note=密封件已经订货'],
    ['三号泵有什么记录', 'memory_about machine=p3'],
    ['关于密封件', 'memory_about note=密封件'],
    ['上次是什么时候', 'when_last'],
    ['夜班做了什么', 'what_happened shift=night shift'],
    ['三号泵昨天发生什么', 'what_happened machine=p3 period=yesterday'],
    ['忘记它', 'forget'],
    ['列出等待记录', 'memory_review'],
    ['这个对', 'memory_settle verdict=verified'],
    ['这个错', 'memory_settle verdict=rejected'],
    ['查看失败记录', 'tickets'],
    ['有哪些工单未解决', 'tickets'],
    ['有没有未解决的故障单', 'tickets'],
    ['查看故障单', 'tickets'],
    ['有哪些故障单', 'tickets'],
  ])('%s', (text, meaning) => {
    expect(meaningOf(text, 'zh')).toBe(meaning);
  });

  test('停止三号泵 is a write, 停止 is not, and nothing in between is either', () => {
    expect(meaningOf('停止三号泵', 'zh')).toBe('write_request action=stop machine=p3');
    expect(meaningOf('停止', 'zh')).toBe('stop');
    for (const damaged of ['停止泵', '停止三号', '停止[unk]', '停止 [unk] 泵', '三号泵停'])
      expect(meaningOf(damaged, 'zh')).toBe('none');
  });

  test.each(['是', '好', '不可以', '不停止', '请', '确认报警', '不确认执行'])('%s means nothing', (text) => {
    expect(meaningOf(text, 'zh')).toBe('none');
  });
});

describe.each(LANGUAGES)('the sentence file (%s)', (language) => {
  const known = knownWords(language);
  const book = books[language];

  test('can be said in the words of the small recogniser model, 第二个 without its 个 and numbers without 万', () => {
    const unknown = book.unknownWords(known);
    expect(unknown.filter(({ blocking }) => blocking)).toEqual([]);
    expect(unknown.map(({ word }) => word)).toEqual(language === 'zh' ? ['个', '万'] : []);
  });

  test('makes a grammar of known words, each phrase of which is understood', () => {
    const grammar = book.grammar({ known });
    expect(grammar.length).toBeGreaterThanOrEqual(1500);
    expect(grammar.length).toBeLessThanOrEqual(3000);
    for (const phrase of grammar) {
      expect(phrase.split(' ').filter((word) => !known.has(word))).toEqual([]);
      expect(book.match(phrase).kind).toBe('match');
    }
  });

  test('has the same intents as the other', () => {
    expect(book.intents).toEqual(books.en.intents);
  });

  /** The tokens of every way to say an intent that has no slots. */
  function syllablesOf(...intents: string[]): string[][] {
    const phrases = book.grammar({ known }).filter((phrase) => {
      const outcome = book.match(phrase);
      return outcome.kind === 'match' && intents.includes(outcome.meaning.intent);
    });
    const skipWords = fileOf(language).skip_words.join('|');
    return [...new Set(phrases)]
      .map((phrase) => phrase.replace(new RegExp(`\\b(?:${skipWords})\\b|(?:${skipWords})`, 'g'), ' '))
      .map((phrase) => (language === 'zh' ? [...phrase.replaceAll(' ', '')] : phrase.trim().split(/\s+/)));
  }

  test('no consent is what is left of a refusal, and none is left of a consent', () => {
    const consents = syllablesOf('yes', 'confirm_execute');
    const refusals = syllablesOf('no', 'cancel', 'stop', 'emergency_stop');
    expect(consents.length).toBeGreaterThan(1);
    expect(refusals.length).toBeGreaterThan(4);
    const isWithin = (part: readonly string[], whole: readonly string[]) => {
      let at = 0;
      for (const syllable of whole) if (syllable === part[at]) at += 1;
      return at === part.length;
    };
    for (const consent of consents)
      for (const refusal of refusals) {
        expect(isWithin(consent, refusal), `${consent} in ${refusal}`).toBe(false);
        expect(isWithin(refusal, consent), `${refusal} in ${consent}`).toBe(false);
      }
  });
});
