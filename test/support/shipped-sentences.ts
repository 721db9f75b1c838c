import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  type SentenceFile,
  type SiteLists,
  sentenceFileSchema,
} from '../../src/domain/intent/sentence-file.ts';
import { parseTemplate, type Template } from '../../src/domain/intent/template.ts';

const FOLDER = new URL('../../config/sentences/', import.meta.url);

/** Every sentence file that is shipped, whatever languages there are. */
export function shippedSentenceFiles(): readonly SentenceFile[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => sentenceFileSchema.parse(parse(readFileSync(new URL(file, FOLDER), 'utf8'))));
}

/** Machines and quantities of a site, some of them of a single word. */
export const SITE_NAMES: Readonly<Record<SentenceFile['language'], SiteLists>> = {
  en: {
    machine: [
      { value: 'p3', spoken: ['pump three'] },
      { value: 'm12', spoken: ['machine twelve'] },
      { value: 'boiler', spoken: ['boiler'] },
    ],
    quantity: [
      { value: 'temperature', spoken: ['temperature'] },
      { value: 'pressure', spoken: ['oil pressure'] },
    ],
    person: [{ value: 'zhang', spoken: ['zhang'] }],
    procedure: [{ value: 'calibrate', spoken: ['calibrate the sensor'] }],
  },
  zh: {
    machine: [
      { value: 'p3', spoken: ['三 号 泵'] },
      { value: 'm12', spoken: ['十 二 号 机床'] },
      { value: 'boiler', spoken: ['锅炉'] },
    ],
    quantity: [
      { value: 'temperature', spoken: ['温度'] },
      { value: 'pressure', spoken: ['油 压力'] },
    ],
    person: [{ value: 'zhang', spoken: ['张工'] }],
    procedure: [{ value: 'calibrate', spoken: ['校准 传感器'] }],
  },
};

export interface ShippedSentence {
  readonly intent: string;
  readonly text: string;
  readonly template: Template;
  /** Understood only when it is typed: no word of it can be misheard. */
  readonly isTyped: boolean;
}

/** The sentences of a file as trees. */
export function sentencesOf(file: SentenceFile): readonly ShippedSentence[] {
  const scope = {
    lists: new Set([...Object.keys(file.lists), ...Object.keys(SITE_NAMES[file.language])]),
    rules: new Map(Object.entries(file.expansion_rules)),
  };
  return Object.entries(file.intents).flatMap(([intent, { sentences, typed }]) =>
    [...sentences, ...typed].map((text, at) => ({
      intent,
      text,
      template: parseTemplate(text, intent, scope),
      isTyped: at >= sentences.length,
    })),
  );
}

/** Ways to say the entries of a list, each its words. A range has a few numbers of each shape. */
export function formsOf(list: string, file: SentenceFile): readonly (readonly string[])[] {
  const own = file.lists[list];
  const words = (text: string): readonly string[] => text.split(/\s+/u);
  if (own !== undefined && 'values' in own) return own.values.map((entry) => words(entry.in));
  if (own !== undefined)
    return (
      file.language === 'zh' ? ['四', '五 十 五', '二 点 五'] : ['four', 'fifty five', 'two point five']
    ).map(words);
  return (SITE_NAMES[file.language][list] ?? []).flatMap(({ spoken }) => spoken.map(words));
}

/**
 * Ways to say a template, each its words: with and without each optional part, each choice, each entry of a list; of a
 * sequence with too many ways every n-th, so that all parts keep occurring.
 */
export function waysOf(template: Template, file: SentenceFile, most = 400): readonly (readonly string[])[] {
  switch (template.kind) {
    case 'word':
      return [[template.text]];
    case 'list':
      return formsOf(template.list, file);
    case 'optional':
      return [[], ...waysOf(template.part, file, most)];
    case 'choice':
      return thinned(
        template.options.flatMap((option) => waysOf(option, file, most)),
        most,
      );
    case 'sequence':
      return template.parts.reduce<readonly (readonly string[])[]>(
        (ways, part) => {
          const next = waysOf(part, file, most);
          return thinned(
            ways.flatMap((way) => next.map((more) => [...way, ...more])),
            most,
          );
        },
        [[]],
      );
  }
}

function thinned<T>(ways: readonly T[], most: number): readonly T[] {
  if (ways.length <= most) return ways;
  // A step that shares no factor with the number of ways of any part keeps every part in.
  const step = ways.length / most;
  return Array.from({ length: most }, (_, i) => ways[Math.floor(i * step)] ?? ways[0]).filter(
    (way): way is T => way !== undefined,
  );
}
