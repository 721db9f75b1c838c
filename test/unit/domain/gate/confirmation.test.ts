import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type AnswerOutcome,
  answer,
  askedAnew,
  askedOnceMore,
  beingTold,
  type Confirmation,
  confirmationState,
  consentOf,
  type HeardAnswer,
  heardToItsEnd,
  killedBy,
  MAX_ASKED_AGAIN,
  type NewConfirmation,
  openConfirmation,
} from '../../../../src/domain/gate/confirmation.ts';
import { type Evidence, PLAIN_EVIDENCE } from '../../../../src/domain/gate/evidence.ts';
import {
  CONFIRM_BY,
  CONFIRM_WINDOW_MS,
  type ConfirmBy,
  PARKED_MS,
} from '../../../../src/domain/gate/gate.ts';
import { compileSentences, type SentenceBook } from '../../../../src/domain/intent/sentence-book.ts';
import type { Language } from '../../../../src/domain/language/language.ts';
import type { KnownReading } from '../../../../src/domain/plc/reading.ts';
import { ORIGINS } from '../../../../src/domain/tool/tool-call.ts';
import { SITE_NAMES, sentencesOf, shippedSentenceFiles, waysOf } from '../../../support/shipped-sentences.ts';

// It looks at every sentence or combination there is, which on a busy machine takes a while.
vi.setConfig({ testTimeout: 60_000 });

const files = shippedSentenceFiles();
const books = new Map<Language, SentenceBook>(
  files.map((file) => [file.language, compileSentences(file, SITE_NAMES[file.language])]),
);
const BOOT = 'boot-1';
const ASKED_AT_MS = 10_000;
const NEW: NewConfirmation = {
  id: 'c1',
  actionId: 'a1',
  ground: [{ machine: 'p3', point: 'setpoint', value: 40 }],
  machines: ['p3'],
  checkWord: undefined,
  stations: [],
  language: 'en',
};
const CHECK_WORD: Readonly<Record<Language, string>> = { en: 'tango', zh: '红色' };

const at = (afterMs: number, bootId = BOOT) => ({ bootId, monotonicMs: ASKED_AT_MS + afterMs });

/** One that nobody has been told of. */
function unheard(
  by: ConfirmBy,
  language: Language = 'en',
  more: Partial<NewConfirmation> = {},
): Confirmation {
  const checkWord = by === 'execute_with_word' ? CHECK_WORD[language] : undefined;
  return openConfirmation(
    { ...NEW, checkWord, language, ...more },
    { by, windowMs: CONFIRM_WINDOW_MS, isParkable: by === 'yes' },
    at(0),
  );
}

/** One that was told, and heard to its end at once. */
function opened(by: ConfirmBy, language: Language = 'en', more: Partial<NewConfirmation> = {}): Confirmation {
  return told(unheard(by, language, more), 't1', 0);
}

function told(confirmation: Confirmation, telling: string, afterMs: number): Confirmation {
  return heardToItsEnd(beingTold(confirmation, telling), telling, CONFIRM_WINDOW_MS, at(afterMs));
}

const OPERATOR: HeardAnswer['giver'] = {
  origin: 'voice',
  station: 'microphone',
  role: 'operator',
  person: { id: 'li', name: 'Li' },
};

function heard(text: string, language: Language = 'en', more: Partial<HeardAnswer> = {}): HeardAnswer {
  const match = books.get(language)?.match(text);
  if (match === undefined) throw new Error(language);
  return {
    match,
    text,
    language,
    beganAtMs: ASKED_AT_MS + 1_000,
    giver: OPERATOR,
    evidence: PLAIN_EVIDENCE,
    ...more,
  };
}

function outcome(
  confirmation: Confirmation,
  said: HeardAnswer,
  afterMs = 2_000,
  bootId = BOOT,
): AnswerOutcome {
  return answer(confirmation, said, at(afterMs, bootId));
}

describe('what executes', () => {
  it.each([
    ['yes', 'en', 'yes'],
    ['yes', 'zh', '可以'],
    ['execute', 'en', 'confirm execute'],
    ['execute', 'zh', '确认执行'],
    ['execute_with_word', 'en', 'confirm execute tango'],
    ['execute_with_word', 'zh', '确认执行红色'],
  ] as const)('%s in %s: "%s"', (by, language, text) => {
    expect(outcome(opened(by, language), heard(text, language))).toEqual({
      kind: 'consented',
      consent: { actionId: 'a1', by, giver: OPERATOR },
    });
  });

  it('the consent names who gave it and the values that were read back', () => {
    const confirmation = opened('execute');
    const given = { actionId: 'a1', by: 'execute', giver: OPERATOR } as const;
    expect(consentOf(confirmation, given)).toEqual({ confirmationId: 'c1', by: 'Li', ground: NEW.ground });
    const nobody = { ...given, giver: { ...OPERATOR, person: undefined } };
    expect(consentOf(confirmation, nobody).by).toBe('microphone');
  });
});

describe('what never executes', () => {
  it.each([
    '是',
    '好',
    '不是',
    '确认报警',
    '确认',
    '执行',
    '的',
    '请',
    '嗯',
    '可以执行',
    '不可以',
    '不确认执行',
    '',
  ])('"While confirming, 是, 好, 不是, 确认报警 and single filler words never execute": %s', (text) => {
    for (const by of CONFIRM_BY)
      expect(outcome(opened(by, 'zh'), heard(text, 'zh')).kind).not.toBe('consented');
  });

  it.each([
    'the',
    'a',
    'okay',
    'confirm',
    'execute',
    'acknowledge',
    'confirm alarm',
    'not yes',
    'no yes',
    '',
  ])('nor does "%s"', (text) => {
    for (const by of CONFIRM_BY) expect(outcome(opened(by), heard(text)).kind).not.toBe('consented');
  });

  it.each(files)('any other sentence of the file ($language)', (file) => {
    const { language } = file;
    for (const { intent, template } of sentencesOf(file)) {
      if (intent === 'yes' || intent === 'confirm_execute') continue;
      for (const way of waysOf(template, file, 40))
        for (const by of CONFIRM_BY)
          expect(outcome(opened(by, language), heard(way.join(' '), language)).kind, way.join(' ')).not.toBe(
            'consented',
          );
    }
  });

  it('a plain yes to what takes the execute phrase, nor the other way round', () => {
    expect(outcome(opened('execute'), heard('yes'))).toMatchObject({ why: 'other_words' });
    expect(outcome(opened('yes'), heard('confirm execute'))).toMatchObject({ why: 'other_words' });
  });

  it('the execute phrase without the check word, with another, or with one that was not asked for', () => {
    const dangerous = opened('execute_with_word');
    expect(outcome(dangerous, heard('confirm execute'))).toMatchObject({ why: 'wrong_word' });
    expect(outcome(dangerous, heard('confirm execute whiskey'))).toMatchObject({ why: 'wrong_word' });
    expect(outcome(dangerous, heard('tango'))).toMatchObject({ why: 'other_words' });
    expect(outcome(opened('execute'), heard('confirm execute tango'))).toMatchObject({ why: 'wrong_word' });
  });

  it.each([
    { audioLost: true },
    { unknownWord: true },
    { fuzzyName: true },
    { digitsDoubtful: true },
    { source: 'keyword' },
    { source: 'model' },
    { source: 'rule' },
  ] satisfies Partial<Evidence>[])('the right words on poor evidence: %j', (flaw) => {
    const said = heard('confirm execute', 'en', { evidence: { ...PLAIN_EVIDENCE, ...flaw } });
    expect(outcome(opened('execute'), said)).toMatchObject({ kind: 'not_consent', why: 'doubtful' });
  });

  it('the right words begun before the question had been said', () => {
    const said = heard('confirm execute', 'en', { beganAtMs: ASKED_AT_MS - 1 });
    expect(outcome(opened('execute'), said)).toMatchObject({ kind: 'not_consent', why: 'too_early' });
  });

  it.each(ORIGINS.filter((origin) => !['voice', 'ask', 'panel'].includes(origin)))(
    'the right words by %s',
    (origin) => {
      const said = heard('confirm execute', 'en', { giver: { ...OPERATOR, origin } });
      expect(outcome(opened('execute'), said)).toMatchObject({ kind: 'not_consent', why: 'wrong_place' });
    },
  );

  it('the right words at another station than those that were asked', () => {
    const asked = opened('execute', 'en', { stations: ['panel-1', 'microphone'] });
    const elsewhere = heard('confirm execute', 'en', { giver: { ...OPERATOR, station: 'panel-2' } });
    expect(outcome(asked, elsewhere)).toMatchObject({ why: 'wrong_place' });
    expect(outcome(asked, heard('confirm execute')).kind).toBe('consented');
  });

  it('silence: whatever time passes, nothing but an answer can consent', () => {
    const states = [0, 59_999, 60_000, 60_001, PARKED_MS, PARKED_MS + 1].map((afterMs) =>
      confirmationState(opened('execute'), { bootId: BOOT, monotonicMs: ASKED_AT_MS + afterMs }),
    );
    expect(states).toEqual(['open', 'open', 'open', 'expired', 'expired', 'expired']);
  });
});

describe('"Silence is never consent, and neither is a yes to a question that was not heard"', () => {
  const yes = (afterMs: number) => heard('yes', 'en', { beganAtMs: ASKED_AT_MS + afterMs });
  const why = (confirmation: Confirmation, afterMs = 2_000) => outcome(confirmation, yes(afterMs), afterMs);
  const UNHEARD = { kind: 'not_consent', why: 'unheard' };

  it('the right words to a question that is still to be told, or was begun and never ended', () => {
    for (const by of CONFIRM_BY) {
      const text = { yes: 'yes', execute: 'confirm execute', execute_with_word: 'confirm execute tango' }[by];
      for (const question of [unheard(by), beingTold(unheard(by), 't1'), beingTold(opened(by), 't2')])
        expect(outcome(question, heard(text))).toMatchObject(UNHEARD);
    }
  });

  it('while a newer telling is under way, whatever becomes of older ones', () => {
    const twice = beingTold(beingTold(unheard('yes'), 't1'), 't2');
    const older = heardToItsEnd(twice, 't1', CONFIRM_WINDOW_MS, at(1_000));
    expect(why(older)).toMatchObject(UNHEARD);
    const newest = heardToItsEnd(older, 't2', CONFIRM_WINDOW_MS, at(1_500));
    expect(why(newest).kind).toBe('consented');
    expect(why(newest, 1_400)).toMatchObject({ why: 'too_early' });
  });

  it('nor when its telling ends too late, or in another boot', () => {
    const question = beingTold(unheard('execute'), 't1');
    expect(told(question, 't1', 60_001).askedAtMs).toBeUndefined();
    const elsewhere = heardToItsEnd(question, 't1', CONFIRM_WINDOW_MS, at(1_000, 'boot-2'));
    expect(elsewhere.askedAtMs).toBeUndefined();
  });

  it('its window begins when it was heard first, and no later telling makes it longer', () => {
    const question = told(unheard('execute'), 't1', 40_000);
    const said = (afterMs: number, confirmation = question) =>
      outcome(confirmation, heard('confirm execute', 'en', { beganAtMs: ASKED_AT_MS + afterMs }), afterMs)
        .kind;
    expect([said(100_000), said(100_001)]).toEqual(['consented', 'expired']);
    const repeated = told(question, 't2', 90_000);
    expect([said(100_000, repeated), said(100_001, repeated)]).toEqual(['consented', 'expired']);
    expect(confirmationState(unheard('execute'), at(60_001))).toBe('expired');
  });

  it('refusals count before it was heard', () => {
    for (const text of ['no', 'cancel', 'stop'])
      expect(outcome(beingTold(unheard('execute'), 't1'), heard(text))).toEqual({ kind: 'rejected' });
  });

  it('asked anew, it stands on the values of now, has a new check word, and no more time', () => {
    const first = opened('execute_with_word');
    const ground = [{ machine: 'p3', point: 'setpoint', value: 41 }];
    const fresh = openConfirmation(
      { ...NEW, id: 'c2', ground, checkWord: 'zulu' },
      { by: 'execute_with_word', windowMs: CONFIRM_WINDOW_MS, isParkable: false },
      at(30_000),
    );
    const anew = askedAnew({ ...first, askedAgain: 1 }, fresh);
    expect(anew).toMatchObject({ id: 'c1', ground, checkWord: 'zulu', askedAgain: 1, askedAtMs: undefined });
    expect(anew.deadlineMs).toBe(first.deadlineMs);
    const said = heard('confirm execute tango', 'en', { beganAtMs: ASKED_AT_MS + 32_000 });
    expect(outcome(told(anew, 't2', 31_000), said, 32_000)).toMatchObject({ why: 'wrong_word' });
  });
});

describe('what refuses', () => {
  const flawed = { ...PLAIN_EVIDENCE, audioLost: true, unknownWord: true };

  it.each([
    'no',
    'cancel',
    'cancel that',
    'stop',
    'quiet',
    'emergency stop',
    'cancel [unk]',
    '[unk] no',
    'do not',
  ])('"%s" always does, however badly it was heard and from wherever it comes', (text) => {
    for (const by of CONFIRM_BY)
      for (const origin of ORIGINS)
        expect(
          outcome(
            opened(by, 'en', { stations: ['panel-1'] }),
            heard(text, 'en', { evidence: flawed, giver: { ...OPERATOR, origin }, beganAtMs: 0 }),
          ),
        ).toEqual({ kind: 'rejected' });
  });

  it.each([
    '不',
    '不是',
    '拒绝',
    '拒绝执行',
    '取消',
    '停止',
    '急停',
    '不可以',
    '不确认执行',
    '[unk] 取消',
    '等 一下',
  ])('%s 也是', (text) => {
    for (const by of CONFIRM_BY)
      expect(outcome(opened(by, 'zh'), heard(text, 'zh', { evidence: flawed }))).toEqual({
        kind: 'rejected',
      });
  });

  it('nothing with a refusing word in it executes, whatever stands around it', () => {
    const words = fc.constantFrom(
      'confirm',
      'execute',
      'yes',
      'tango',
      'please',
      'the',
      '[unk]',
      'pump',
      'three',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 4 }), fc.array(words, { maxLength: 4 }), (before, after) => {
        for (const refusing of ['no', 'not', 'cancel'])
          for (const by of CONFIRM_BY) {
            const text = [...before, refusing, ...after].join(' ');
            expect(outcome(opened(by), heard(text)).kind, text).not.toBe('consented');
          }
      }),
    );
  });
});

describe('an answer that is no consent', () => {
  it('leaves the question open and is asked about at most twice, then waits in silence', () => {
    let confirmation = opened('execute');
    for (let nth = 0; nth < 5; nth += 1) {
      const said = outcome(confirmation, heard('read the temperature of pump three'));
      if (said.kind !== 'not_consent') throw new Error(said.kind);
      expect(said.askAgain).toBe(nth < MAX_ASKED_AGAIN);
      confirmation = said.confirmation;
    }
    expect(outcome(confirmation, heard('confirm execute')).kind).toBe('consented');
  });
});

describe('a confirmation', () => {
  it('dies with its window when it is physical: 60 s', () => {
    expect(outcome(opened('execute'), heard('confirm execute'), 60_000).kind).toBe('consented');
    expect(outcome(opened('execute'), heard('confirm execute'), 60_001)).toEqual({ kind: 'expired' });
  });

  it('is parked until 30 min when it is a record, and takes a yes only when it is offered again', () => {
    const parked = opened('yes');
    expect(outcome(parked, heard('yes'), 60_001)).toEqual({ kind: 'parked' });
    expect(outcome(parked, heard('no'), 60_001)).toEqual({ kind: 'rejected' });
    expect(outcome(parked, heard('yes'), PARKED_MS + 1)).toEqual({ kind: 'expired' });
    const offered = askedOnceMore(parked, CONFIRM_WINDOW_MS, at(70_000));
    const said0 = heard('yes', 'en', { beganAtMs: ASKED_AT_MS + 70_500 });
    expect(outcome(offered, said0, 70_500)).toMatchObject({ kind: 'not_consent', why: 'unheard' });
    const again = told(offered, 't2', 70_500);
    const said = heard('yes', 'en', { beganAtMs: ASKED_AT_MS + 71_000 });
    expect(outcome(again, said, 72_000).kind).toBe('consented');
    expect(outcome(again, said, 131_000).kind).toBe('parked');
  });

  it('is parked no longer for being offered again', () => {
    const again = askedOnceMore(opened('yes'), CONFIRM_WINDOW_MS, at(PARKED_MS - 1_000));
    expect(again.deadlineMs).toBe(ASKED_AT_MS + PARKED_MS);
    expect(told(again, 't2', PARKED_MS - 500).deadlineMs).toBe(ASKED_AT_MS + PARKED_MS);
  });

  it('"Open confirmations die at a restart", even while their window lasts', () => {
    expect(outcome(opened('execute'), heard('confirm execute'), 2_000, 'boot-2')).toEqual({
      kind: 'dead',
      reason: 'restart',
    });
  });

  it('has a check word just when it is for something dangerous', () => {
    expect(() => opened('execute', 'en', { checkWord: 'tango' })).toThrow();
    expect(() => opened('execute_with_word', 'en', { checkWord: undefined })).toThrow();
  });
});

describe('"A pending confirmation dies when its PLC value, an alarm or a restart changes the ground under it"', () => {
  const confirmation = opened('execute');
  const base = { ref: { machine: 'p3', point: 'setpoint' }, atMs: 1, bootId: BOOT, seq: 1 };
  const good = (value: number, point = 'setpoint'): KnownReading => ({
    ...base,
    ref: { machine: 'p3', point },
    quality: 'good',
    value,
  });
  const bad: KnownReading = { ...base, quality: 'bad', reason: 'timeout', detail: 'no answer' };

  it('by a value of its ground that changed or can no longer be read, and by no other', () => {
    const by = (readings: readonly KnownReading[]) => killedBy(confirmation, { kind: 'readings', readings });
    expect(by([good(40)])).toBeUndefined();
    expect(by([good(41, 'flow')])).toBeUndefined();
    expect(by([good(41)])).toBe('value_changed');
    expect(by([bad])).toBe('value_changed');
  });

  it('by an alarm on its machine, or one of which nobody knows the machine', () => {
    expect(killedBy(confirmation, { kind: 'alarm_raised', machine: 'p3' })).toBe('alarm');
    expect(killedBy(confirmation, { kind: 'alarm_raised', machine: undefined })).toBe('alarm');
    expect(killedBy(confirmation, { kind: 'alarm_raised', machine: 'm12' })).toBeUndefined();
    const record = opened('yes', 'en', { machines: [] });
    expect(killedBy(record, { kind: 'alarm_raised', machine: undefined })).toBeUndefined();
  });

  it('by another boot, a lock on its machine, writes that are switched off, or the cancelling of its action', () => {
    expect(killedBy(confirmation, { kind: 'boot', bootId: 'boot-2' })).toBe('restart');
    expect(killedBy(confirmation, { kind: 'boot', bootId: BOOT })).toBeUndefined();
    expect(killedBy(confirmation, { kind: 'machine_locked', machine: 'p3' })).toBe('machine_locked');
    expect(killedBy(confirmation, { kind: 'machine_locked', machine: 'm12' })).toBeUndefined();
    expect(killedBy(confirmation, { kind: 'writes_off' })).toBe('writes_off');
    expect(killedBy(confirmation, { kind: 'action_cancelled', actionId: 'a1' })).toBe('cancelled');
    expect(killedBy(confirmation, { kind: 'action_cancelled', actionId: 'a2' })).toBeUndefined();
  });
});
