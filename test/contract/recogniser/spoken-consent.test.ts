import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { VoskRecogniser } from '../../../src/adapters/recogniser/vosk-recogniser.ts';
import type { Transcript } from '../../../src/app/ports/recogniser.ts';
import { CHECK_WORDS } from '../../../src/domain/gate/check-word.ts';
import { compileSentences } from '../../../src/domain/intent/sentence-book.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { feed } from '../../support/feed.ts';
import { SITE_NAMES, shippedSentenceFiles } from '../../support/shipped-sentences.ts';
import { joined, silence, synthesise } from '../../support/synthesise.ts';

const VOICES = [{}, { variant: 'f2' }, { variant: 'm3', wordsPerMinute: 170 }] as const;

let recogniser: VoskRecogniser | undefined;
afterEach(() => recogniser?.stop(5_000));

describe.each(shippedSentenceFiles())('consent through the real recogniser ($language)', (file) => {
  const { language } = file;
  const book = compileSentences(file, SITE_NAMES[language]);

  /** What is heard of each utterance, one after the other, with the grammar of a whole site. */
  async function heardOf(texts: readonly string[]): Promise<readonly string[]> {
    const started = new VoskRecogniser(
      {
        model: fileURLToPath(new URL(`../../../config/voice/tiny-${language}`, import.meta.url)),
        libvosk: 'auto',
      },
      { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler },
    );
    recogniser = started;
    const finals: Transcript[] = [];
    started.onFinal((transcript) => finals.push(transcript));
    await started.start(new AbortController().signal);
    await started.setGrammar(book.grammar({ known: await started.knownWords(book.candidates()) }));
    const heard: string[] = [];
    for (const [nth, text] of texts.entries()) {
      const speech = await synthesise(text, { language, ...VOICES[nth % VOICES.length] });
      await feed(started, joined(silence(600), speech, silence(1_500)));
      await eventually('all of it is decoded', () => started.health().figures?.['backlog_ms'] === 0, 30_000);
      heard.push(
        finals
          .splice(0)
          .map((transcript) => transcript.text)
          .join(' '),
      );
    }
    return heard;
  }

  it('hears no check word for another, and most of them at the first try', { timeout: 180_000 }, async () => {
    const execute = language === 'zh' ? '确认 执行' : 'confirm execute';
    const asked = CHECK_WORDS[language].flatMap((word) => VOICES.map(() => word));
    const heard = await heardOf(asked.map((word) => `${execute} ${word}`));
    const understood = heard.map((text) => {
      const match = book.match(text);
      return match.kind === 'match' && match.meaning.intent === 'confirm_execute'
        ? match.meaning.slots['check_word']?.value
        : undefined;
    });
    const wrong = asked.filter((word, nth) => understood[nth] !== undefined && understood[nth] !== word);
    expect(wrong).toEqual([]);
    const right = asked.filter((word, nth) => understood[nth] === word);
    expect(right.length, JSON.stringify(heard)).toBeGreaterThan(asked.length / 2);
  });

  it('hears no consent in a refusal or in an alarm command', { timeout: 180_000 }, async () => {
    const texts =
      language === 'zh'
        ? ['取消', '不', '不是', '不可以', '拒绝执行', '停止', '确认报警', '不确认执行', '是', '好']
        : [
            'cancel',
            'no',
            'no no',
            'stop',
            'do not execute',
            'acknowledge alarm',
            'confirm alarm',
            'not yes',
            'okay',
            'never',
          ];
    const intents = (await heardOf(texts.flatMap((text) => [text, text, text]))).flatMap((text) => {
      const match = book.match(text);
      if (match.kind === 'none') return [];
      return (match.kind === 'tie' ? match.meanings : [match.meaning]).map(({ intent }) => intent);
    });
    expect(intents.filter((intent) => intent === 'yes' || intent === 'confirm_execute')).toEqual([]);
    expect(intents).toEqual(expect.arrayContaining(['no', 'cancel', 'stop']));
  });
});
