/** How long it takes to find the meaning of a sentence with 1,000 machine names in the lists. Ends with one JSON line. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { parse } from 'yaml';
import type { MatchOutcome } from '../../src/domain/intent/meaning.ts';
import { compileSentences, type SentenceBook } from '../../src/domain/intent/sentence-book.ts';
import { type SiteLists, sentenceFileSchema } from '../../src/domain/intent/sentence-file.ts';
import { LANGUAGES, type Language } from '../../src/domain/language/language.ts';
import { numberToWords } from '../../src/domain/language/number-to-words.ts';

const NAMES = 1000;
const SENTENCES_PER_LANGUAGE = 4000;
const BUDGET_P95_MS = 1;

const KINDS: Readonly<Record<Language, readonly string[]>> = {
  en: ['machine', 'pump', 'conveyor', 'oven', 'motor', 'tank', 'valve', 'press', 'boiler', 'robot'],
  zh: ['机床', '泵', '输送带', '烤炉', '电机', '储罐', '阀门', '压机', '锅炉', '机器人'],
};
const QUANTITIES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'temperature',
    'pressure',
    'speed',
    'level',
    'flow',
    'current',
    'voltage',
    'vibration',
    'torque',
    'power',
  ],
  zh: ['温度', '压力', '转速', '液位', '流量', '电流', '电压', '振动', '扭矩', '功率'],
};

function nameOf(machine: number, language: Language): string {
  const kind = KINDS[language][machine % 10] ?? '';
  const number = Math.floor(machine / 10) + 1;
  return language === 'en' ? `${kind} ${number}` : `${number}号${kind}`;
}

/** 1,000 machines, each with its own name; two in every hundred share a second one, so that ties occur. */
function siteOf(language: Language): SiteLists {
  const shared = language === 'en' ? 'the spare' : '备用';
  return {
    machine: Array.from({ length: NAMES }, (_, i) => ({
      value: `m${i}`,
      spoken: i % 100 < 2 ? [nameOf(i, language), shared] : [nameOf(i, language)],
    })),
    quantity: QUANTITIES[language].map((name, i) => ({ value: `q${i}`, spoken: [name] })),
  };
}

/** Four sentences that match, as typed and as recognised, one tie and three that match nothing, in turn. */
function sentence(i: number, language: Language): string {
  const machine = (i * 7919) % NAMES;
  const name = nameOf(machine, language);
  const spokenName = name.replace(/\d+/, (digits) => numberToWords(Number(digits), language));
  const quantity = QUANTITIES[language][i % 10] ?? '';
  const forms =
    language === 'en'
      ? [
          `what's the ${quantity} of ${name}?`,
          `hermes please read the current ${quantity} of ${spokenName}`,
          `is ${spokenName} running`,
          `set the ${quantity} of ${spokenName} to one hundred and five point five degrees`,
          `read the ${quantity} of the spare`,
          `read the ${quantity} of ${spokenName} before we had the other one repaired`,
          `the the ${quantity} [unk] ${spokenName}`,
          `${spokenName} ${spokenName} ${quantity} one two three four five six seven eight nine`,
        ]
      : [
          `${name}的${quantity}是多少？`,
          `赫尔墨斯 请 读取 ${[...spokenName].join(' ')} 的 当前 ${quantity}`,
          `${spokenName}在运行吗`,
          `把${spokenName}的${quantity}设为一百零五点五度`,
          `读取备用的${quantity}`,
          `读取${spokenName}的${quantity}然后告诉我们昨天的平均数值`,
          `${spokenName} [unk] ${quantity}`,
          `${spokenName}${spokenName}${quantity}一二三四五六七八九`,
        ];
  return forms[i % forms.length] ?? '';
}

interface Run {
  readonly timesMs: readonly number[];
  readonly outcomes: Readonly<Record<MatchOutcome['kind'], number>>;
}

function run(book: SentenceBook, sentences: readonly string[]): Run {
  const outcomes = { match: 0, tie: 0, none: 0 };
  const timesMs = sentences.map((text) => {
    const startedAt = performance.now();
    const outcome = book.match(text);
    const tookMs = performance.now() - startedAt;
    outcomes[outcome.kind] += 1;
    return tookMs;
  });
  return { timesMs, outcomes };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const allMs: number[] = [];
let compileMs = 0;
const seen = { match: 0, tie: 0, none: 0 };
for (const language of LANGUAGES) {
  const url = new URL(`../../config/sentences/${language}.yaml`, import.meta.url);
  const file = sentenceFileSchema.parse(parse(readFileSync(url, 'utf8')));
  const startedAt = performance.now();
  const book = compileSentences(file, siteOf(language));
  compileMs = Math.max(compileMs, performance.now() - startedAt);
  const sentences = Array.from({ length: SENTENCES_PER_LANGUAGE }, (_, i) => sentence(i, language));
  run(book, sentences.slice(0, 1000));
  const { timesMs, outcomes } = run(book, sentences);
  console.log(`${language}: ${JSON.stringify(outcomes)}`);
  allMs.push(...timesMs);
  for (const kind of ['match', 'tie', 'none'] as const) seen[kind] += outcomes[kind];
}

allMs.sort((a, b) => a - b);
const round = (ms: number) => Math.round(ms * 10_000) / 10_000;
const p95Ms = round(percentile(allMs, 0.95));
// A bench in which nothing matched, or everything did, has measured something else.
const isMixed = Math.min(seen.match, seen.tie, seen.none) >= allMs.length / 20;
const ok = p95Ms <= BUDGET_P95_MS && isMixed;
console.log(
  JSON.stringify({
    bench: 'match',
    figures: {
      p50_ms: round(percentile(allMs, 0.5)),
      p95_ms: p95Ms,
      max_ms: round(allMs.at(-1) ?? Number.NaN),
      names: NAMES,
      sentences: allMs.length,
      compile_ms: Math.round(compileMs),
    },
    budget: { p95_ms: BUDGET_P95_MS },
    ok,
  }),
);
process.exitCode = ok ? 0 : 1;
