import { composeEars, type Heard } from '../composition/ears.ts';
import { loadNodeOrDemo } from '../composition/node.ts';
import { demoSite } from '../demo.ts';
import type { Language } from '../domain/language/language.ts';
import { terminalLine, terminalText } from './terminal-text.ts';

interface ListenOptions {
  readonly config?: string;
  readonly language?: Language;
  readonly wav?: string;
  readonly json: boolean;
}

/** `hermes-edge listen`: what is heard and what it would mean, until it is stopped or the file has ended. */
export async function listen(options: ListenOptions): Promise<void> {
  const site =
    options.language === undefined ? await loadNodeOrDemo(options.config) : demoSite(options.language);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const live = process.stdout.isTTY && !options.json;
  const ears = composeEars(site, options.wav, {
    partial: (text) => {
      if (live) process.stdout.write(`\r\u001b[K… ${terminalLine(text)}`);
    },
    heard: (heard) => {
      if (live) process.stdout.write('\r\u001b[K');
      print(options.json ? JSON.stringify(asJson(heard)) : terminalLine(asLine(heard)));
    },
  });
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  try {
    await ears.lifecycle.start();
    if (options.wav === undefined) {
      process.stderr.write('Listening; nothing is acted on. Stop with Ctrl-C.\n');
      for (const part of ears.lifecycle.health())
        if (part.status !== 'ok') process.stderr.write(`${part.name}: ${terminalText(part.detail)}\n`);
      await stopped;
    } else await Promise.race([ears.playFile(), stopped]);
  } finally {
    await ears.lifecycle.stop();
  }
}

function asJson({ transcript, match, decision }: Heard): unknown {
  const { text, words, audioLost, cut, snrDb } = transcript;
  const base = { heard: text, decision, snr_db: snrDb, audio_lost: audioLost, cut, words };
  if (match.kind === 'none') return { ...base, meanings: [], unknown_words: match.unknownWords };
  return { ...base, meanings: match.kind === 'match' ? [match.meaning] : match.meanings };
}

function asLine({ transcript, match, decision }: Heard): string {
  const meanings = match.kind === 'none' ? [] : match.kind === 'match' ? [match.meaning] : match.meanings;
  const said = meanings.map(({ intent, slots }) =>
    [intent, ...Object.entries(slots).map(([slot, { value }]) => `${slot}=${value}`)].join(' '),
  );
  const loud = transcript.snrDb === undefined ? '' : `, ${Math.round(transcript.snrDb)} dB over the noise`;
  return `"${transcript.text}"  ->  ${said.length === 0 ? 'fits no sentence' : said.join('  or  ')}   (would ${decision.replaceAll('_', ' ')}${loud})`;
}
