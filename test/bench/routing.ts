/** How long it takes to decide on "resend last Wednesday's report to engineer Zhang", and to find an intent by the likeness of words. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { routeByRules } from '../../src/domain/planning/route-by-rules.ts';
import { classifiers } from '../support/classifier.ts';
import { routeContext } from '../support/route-context.ts';
import { shippedRules } from '../support/rule-scope.ts';
import { percentile, report } from './report.ts';

const ROUNDS = 400;
const RESENDS = [
  ['en', 'resend last tuesday report to engineer zhang'],
  ['zh', '重发上周三的报告给张工'],
] as const;

const both = classifiers();
const { rules } = shippedRules();

let decided = 0;
const decisionsMs = Array.from({ length: ROUNDS }, (_, round) => {
  const [language, text] = RESENDS[round % RESENDS.length] ?? RESENDS[0];
  const beganMs = performance.now();
  const match = both[language].book.match(text);
  if (match.kind === 'match' && routeByRules(match.meaning, rules, routeContext()).kind === 'plan')
    decided += 1;
  return performance.now() - beganMs;
});
if (decided !== ROUNDS) throw new Error(`only ${decided} of ${ROUNDS} came to a plan`);

const utterances = readFileSync(new URL('../fixtures/utterances.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const keywordsMs = utterances.map((line) => {
  const [language, , text = ''] = line.split('\t');
  const { keywords } = language === 'zh' ? both.zh : both.en;
  const beganMs = performance.now();
  keywords.match(text);
  return performance.now() - beganMs;
});

report(
  'routing',
  {
    resend_p50_ms: percentile(decisionsMs, 0.5),
    resend_p95_ms: percentile(decisionsMs, 0.95),
    resend_first_ms: decisionsMs[0] ?? Number.NaN,
    keyword_p50_ms: percentile(keywordsMs, 0.5),
    keyword_p95_ms: percentile(keywordsMs, 0.95),
    keyword_max_ms: Math.max(...keywordsMs),
    rules: rules.length,
  },
  { resend_p95_ms: 300, resend_first_ms: 300, keyword_p95_ms: 80 },
);
