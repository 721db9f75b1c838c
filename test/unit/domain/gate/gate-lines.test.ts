import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOUBTS } from '../../../../src/domain/gate/evidence.ts';
import { CONFIRM_BY, type Refusal, type RefusalReason } from '../../../../src/domain/gate/gate.ts';
import {
  CONFIRM_PROMPTS,
  DEATH_LINES,
  doubtLine,
  NOT_CONSENT_LINES,
  refusalLine,
} from '../../../../src/domain/gate/gate-lines.ts';
import { compileSentences } from '../../../../src/domain/intent/sentence-book.ts';
import { LANGUAGES } from '../../../../src/domain/language/language.ts';
import { createPhrasebook, phraseFileSchema } from '../../../../src/domain/phrases/phrasebook.ts';
import { SITE_NAMES, sentencesOf, shippedSentenceFiles, waysOf } from '../../../support/shipped-sentences.ts';

const phraseFile = (language: string) =>
  phraseFileSchema.parse(
    parse(readFileSync(new URL(`../../../../config/phrases/${language}.yaml`, import.meta.url), 'utf8')),
  );
const phrases = createPhrasebook({ en: phraseFile('en'), zh: phraseFile('zh') });

const refusal = (reason: RefusalReason): Refusal => ({
  kind: 'refuse',
  reason,
  detail: 'write-value is CRITICAL: it needs operator known by name',
  ...(reason === 'locked' ? { lockedBy: { machine: 'pump-3', name: 'Wang' } } : {}),
});

describe.each(LANGUAGES)('what the gate has said aloud (%s)', (language) => {
  it('says of an access that is denied only that it is not possible: no role, no tool, no name', () => {
    const said = phrases.say(language, refusalLine(refusal('access_denied')).key);
    expect(said).toBe(language === 'zh' ? '这里不能这样做。' : 'That is not possible here.');
    expect(refusalLine(refusal('consent_invalid')).key).toBe('gate_denied');
  });

  it('names the person who locked a machine', () => {
    const { key, machine = '', person = '' } = refusalLine(refusal('locked'));
    const said = phrases.say(language, key, { machine, person });
    expect(said).toContain(language === 'zh' ? 'pump-3已被Wang锁定' : 'pump-3 is locked by Wang');
  });

  it('says that nothing was done whenever nothing was', () => {
    const reasons: readonly RefusalReason[] = [
      'writes_off',
      'machine_unknown',
      'locked',
      'never_waits',
      'expired',
    ];
    const keys = [
      ...reasons.map((reason) => refusalLine(refusal(reason)).key),
      ...Object.values(DEATH_LINES),
    ];
    for (const key of keys)
      expect(phrases.say(language, key)).toMatch(
        language === 'zh' ? /没有(?:改动|执行)|取消/u : /[Nn]othing was|was not done|so nothing|Cancelled/u,
      );
  });

  it('asks for the very words that consent, and offers the refusal with them', () => {
    const file = shippedSentenceFiles().find((each) => each.language === language);
    if (file === undefined) throw new Error(language);
    const book = compileSentences(file, SITE_NAMES[language]);
    const sayings = (intent: string) =>
      sentencesOf(file)
        .filter((sentence) => sentence.intent === intent)
        .flatMap(({ template }) => waysOf(template, file))
        .map((way) => way.join(language === 'zh' ? '' : ' '));
    for (const by of CONFIRM_BY) {
      const word =
        sayings('confirm_execute')
          .at(-1)
          ?.replace(/^(?:confirm execute ?|确认执行)/u, '') ?? '';
      const prompt = phrases.say(language, CONFIRM_PROMPTS[by], { word });
      const consents = sayings(by === 'yes' ? 'yes' : 'confirm_execute').filter((text) =>
        prompt.includes(text),
      );
      expect(consents).not.toEqual([]);
      expect(by === 'execute_with_word').toBe(consents.some((text) => text.endsWith(word) && by !== 'yes'));
      expect([...sayings('no'), ...sayings('cancel')].some((text) => prompt.includes(text))).toBe(true);
      for (const text of consents) expect(book.match(text).kind).toBe('match');
    }
  });

  it('has a line for every doubt and every answer that is no consent', () => {
    for (const key of [...DOUBTS.map((doubt) => doubtLine(doubt).key), ...Object.values(NOT_CONSENT_LINES)])
      expect(phrases.say(language, key).length).toBeGreaterThan(3);
  });
});
