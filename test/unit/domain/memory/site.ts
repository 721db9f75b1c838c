import { languageOf } from '../../../../src/domain/language/language.ts';
import type { Capture } from '../../../../src/domain/memory/capture.ts';
import type { AnchorKind, FindMentions, Mention } from '../../../../src/domain/memory/mention.ts';

/** Wednesday, 10:00 in Shanghai. */
export const WEDNESDAY_MS = Date.parse('2026-03-04T10:00:00+08:00');
export const ZONE = 'Asia/Shanghai';

const NAMES: readonly (readonly [RegExp, AnchorKind, readonly string[], boolean])[] = [
  [/pump (?:seven|7)|P7|七号泵|7号泵/giu, 'machine', ['pump-7'], true],
  [/pump (?:two|2)(?![\d-])|二号泵|2号泵/giu, 'machine', ['pump-2'], true],
  [/oven (?:two|2)|二号炉|2号炉/giu, 'machine', ['oven-2'], true],
  [/line (?:two|2)|二号线|2号线/giu, 'line', ['line-2'], true],
  [/Li Na|李娜/giu, 'person', ['li-na@maintenance'], true],
  [/\bZhang\b|张工/giu, 'person', ['zhang-wei@maintenance', 'zhang-min@quality'], true],
  [/the big pump|大泵/giu, 'machine', ['pump-9'], false],
];

/** A small site whose names are found by themselves. */
export const findNames: FindMentions = (text) =>
  NAMES.flatMap(([pattern, kind, candidates, exact]) =>
    [...text.matchAll(pattern)].map(
      (found): Mention => ({
        kind,
        text: found[0],
        start: found.index,
        end: found.index + found[0].length,
        candidates,
        exact,
      }),
    ),
  ).sort((a, b) => a.start - b.start);

export function captureOf(text: string, rest: Partial<Capture> = {}): Capture {
  return {
    id: 'c-1',
    atMs: WEDNESDAY_MS,
    kind: 'note',
    source: 'operator',
    origin: { kind: 'turn', id: 't-1' },
    scope: 'site',
    userId: 'station-1',
    language: languageOf(text),
    text,
    about: [],
    isWish: false,
    ...rest,
  };
}
