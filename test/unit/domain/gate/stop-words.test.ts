import { describe, expect, it, vi } from 'vitest';
import { isInterrupt, isOneWordFromStop, safestMeaning } from '../../../../src/domain/gate/stop-words.ts';
import type { MatchOutcome, Meaning } from '../../../../src/domain/intent/meaning.ts';
import { compileSentences } from '../../../../src/domain/intent/sentence-book.ts';
import {
  type ShippedSentence,
  SITE_NAMES,
  sentencesOf,
  shippedSentenceFiles,
  waysOf,
} from '../../../support/shipped-sentences.ts';

// It looks at every sentence or combination there is, which on a busy machine takes a while.
vi.setConfig({ testTimeout: 60_000 });

const STOPS = ['stop', 'emergency_stop'];

function meaningsOf(match: MatchOutcome): readonly Meaning[] {
  if (match.kind === 'none') return [];
  return match.kind === 'match' ? [match.meaning] : match.meanings;
}

/** A sentence that changes something on a machine: one that has an action and names a machine or a quantity. */
function isWrite({ slots }: Meaning): boolean {
  return slots['action'] !== undefined;
}

describe.each(shippedSentenceFiles())(
  '"a dropped word must never turn one into the other" ($language)',
  (file) => {
    const { language } = file;
    const book = compileSentences(file, SITE_NAMES[language]);
    const spoken = ({ template }: ShippedSentence, most: number) => waysOf(template, file, most);
    const isAWrite = (words: readonly string[]) => meaningsOf(book.match(words.join(' '))).some(isWrite);
    const sentences = sentencesOf(file).filter(({ isTyped }) => !isTyped);
    const writes = sentences.flatMap((sentence) => spoken(sentence, 120)).filter(isAWrite);
    const stops = sentences
      .filter(({ intent }) => STOPS.includes(intent))
      .flatMap((each) => spoken(each, 120));
    const words = [...new Set(sentences.flatMap((sentence) => spoken(sentence, 60)).flat())];

    const without = (said: readonly string[]) => said.map((_, at) => said.toSpliced(at, 1));
    const withAnother = (said: readonly string[], added: readonly string[]) =>
      added.flatMap((word) => [...said, ''].map((_, at) => said.toSpliced(at, 0, word)));
    const became = (said: readonly string[]) => meaningsOf(book.match(said.join(' ')));
    const mustBeAsked = (said: readonly string[]) => isOneWordFromStop(said, language, book);

    it('has writes and stops to look at', () => {
      expect(writes.length).toBeGreaterThan(200);
      expect(stops.length).toBeGreaterThan(4);
      expect(words.length).toBeGreaterThan(80);
    });

    it('a write with a word lost is never a stop or an emergency stop, or it is asked for in full', () => {
      for (const write of writes)
        for (const damaged of without(write))
          if (became(damaged).some(({ intent }) => STOPS.includes(intent)))
            expect(mustBeAsked(write), `${write.join(' ')} -> ${damaged.join(' ')}`).toBe(true);
    });

    it('a write with a word added is never a stop or an emergency stop, or it is asked for in full', () => {
      for (const write of writes.filter((_, nth) => nth % 5 === 0))
        for (const damaged of withAnother(write, words))
          if (became(damaged).some(({ intent }) => STOPS.includes(intent)))
            expect(mustBeAsked(write), `${write.join(' ')} -> ${damaged.join(' ')}`).toBe(true);
    });

    it('a stop or an emergency stop with a word lost or added is never a write that goes on without being asked for in full', () => {
      const machines = (SITE_NAMES[language]['machine'] ?? []).flatMap((each) => each.spoken);
      for (const stop of stops)
        for (const damaged of [...without(stop), ...withAnother(stop, [...words, ...machines])])
          if (became(damaged).some(isWrite))
            expect(mustBeAsked(damaged), `${stop.join(' ')} -> ${damaged.join(' ')}`).toBe(true);
    });

    it('a write with a word lost does nothing else, and nothing to another machine or quantity', () => {
      for (const write of writes) {
        const meant = became(write);
        const told = (meaning: Meaning, slot: string) => meaning.slots[slot]?.value;
        for (const damaged of without(write))
          for (const other of became(damaged).filter(isWrite))
            expect(
              meant.some((meaning) =>
                ['action', 'machine', 'quantity'].every(
                  (slot) => told(other, slot) === undefined || told(other, slot) === told(meaning, slot),
                ),
              ),
              `${write.join(' ')} -> ${damaged.join(' ')}`,
            ).toBe(true);
      }
    });

    it('hardly any write has to be asked for in full: only those of a machine whose name is one word', () => {
      const asked = writes.filter(mustBeAsked).map((write) => write.join(' '));
      const short = language === 'zh' ? '锅炉' : 'boiler';
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((write) => !write.includes(short))).toEqual([]);
      expect(asked.length).toBeLessThan(writes.length / 20);
    });
  },
);

describe('stopping a machine', () => {
  const [en, zh] = (['en', 'zh'] as const).map((language) => {
    const file = shippedSentenceFiles().find((each) => each.language === language);
    if (file === undefined) throw new Error(`no sentences in ${language}`);
    return compileSentences(file, SITE_NAMES[language]);
  });
  if (en === undefined || zh === undefined) throw new Error('two languages are shipped');

  it('is a write like any other', () => {
    expect(en.match('stop pump three')).toMatchObject({ meaning: { intent: 'write_request' } });
    expect(isOneWordFromStop(['stop', 'pump', 'three'], 'en', en)).toBe(false);
    expect(isOneWordFromStop(['stop', 'the', 'boiler'], 'en', en)).toBe(false);
    expect(isOneWordFromStop(['停止', '三', '号', '泵'], 'zh', zh)).toBe(false);
    expect(isOneWordFromStop(['把', '锅炉', '停止'], 'zh', zh)).toBe(false);
  });

  it('is asked for in full where one word more or less would make a plain stop of it', () => {
    expect(isOneWordFromStop(['stop', 'boiler'], 'en', en)).toBe(true);
    expect(isOneWordFromStop(['停止', '锅炉'], 'zh', zh)).toBe(true);
  });
});

describe('the safest of several meanings', () => {
  const meaning = (intent: string) => ({ intent, slots: {} });
  const tie = (...intents: string[]) =>
    safestMeaning({ kind: 'tie', meanings: intents.map(meaning) }, '', 'en');

  it('is an emergency stop before a stop before a cancel before all others', () => {
    expect(tie('choose', 'cancel', 'stop', 'emergency_stop')).toEqual({
      kind: 'match',
      meaning: meaning('emergency_stop'),
    });
    expect(tie('cancel', 'write_request', 'stop')).toEqual({ kind: 'match', meaning: meaning('stop') });
    expect(tie('read_point', 'cancel')).toEqual({ kind: 'match', meaning: meaning('cancel') });
    expect(tie('read_point', 'choose').kind).toBe('tie');
  });

  const none: MatchOutcome = { kind: 'none', knownWords: 0, unknownWords: [] };

  it.each([
    ['emergency stop pump three', 'en'],
    ['Emergency stop, the mixer!', 'en'],
    ['急停三号泵', 'zh'],
    ['把 三 号 泵 紧急 停止', 'zh'],
    ['锅炉紧急停机', 'zh'],
  ] as const)(
    'is the red button for whatever is not understood but says an emergency stop: %s',
    (text, language) => {
      const found = safestMeaning(none, text, language);
      expect(found).toEqual({ kind: 'match', meaning: meaning('emergency_stop') });
      expect(isInterrupt(found)).toBe(true);
    },
  );

  it.each([
    ['emergency', 'en'],
    ['stop pump', 'en'],
    ['紧急报警', 'zh'],
  ] as const)('is nothing for what says none: %s', (text, language) => {
    expect(safestMeaning(none, text, language)).toBe(none);
  });
});
