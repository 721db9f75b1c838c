import type { SentenceFile, SiteLists } from '../intent/sentence-file.ts';
import { parseTemplate, type Template } from '../intent/template.ts';

/** Of one template; more ways of it would only weigh it more. */
const MAX_WAYS = 8;

export interface ExamplePhrase {
  readonly intent: string;
  /** Words, with `{list}` where a value of a list stands. */
  readonly words: readonly string[];
}

/** Ways to say each intent, from the templates of a sentence file; every word of a template is in one of them. */
export function examplePhrases(file: SentenceFile, siteLists: SiteLists): readonly ExamplePhrase[] {
  const scope = {
    lists: new Set([...Object.keys(file.lists), ...Object.keys(siteLists)]),
    rules: new Map(Object.entries(file.expansion_rules)),
  };
  return Object.entries(file.intents).flatMap(([intent, { sentences, typed }]) =>
    [...sentences, ...typed].flatMap((text) => {
      const template = parseTemplate(text, `intents.${intent}`, scope);
      const ways = Math.min(MAX_WAYS, widest(template));
      const phrases = Array.from({ length: ways }, (_, turn) => wayOf(template, turn));
      return [...new Map(phrases.map((words) => [words.join(' '), words])).values()].map((words) => ({
        intent,
        words,
      }));
    }),
  );
}

/** One way to say a template: its choices are taken in turn, what may be left out every second time. */
function wayOf(template: Template, turn: number): readonly string[] {
  switch (template.kind) {
    case 'word':
      return [template.text];
    case 'list':
      return [`{${template.list}}`];
    case 'optional':
      return turn % 2 === 0 ? [] : wayOf(template.part, Math.floor(turn / 2));
    case 'choice': {
      const option = template.options[turn % template.options.length];
      return option === undefined ? [] : wayOf(option, turn);
    }
    case 'sequence':
      return template.parts.flatMap((part) => wayOf(part, turn));
  }
}

function widest(template: Template): number {
  switch (template.kind) {
    case 'word':
    case 'list':
      return 1;
    case 'optional':
      return 2 * widest(template.part);
    case 'choice':
      return Math.max(template.options.length, ...template.options.map(widest));
    case 'sequence':
      return Math.max(...template.parts.map(widest));
  }
}
