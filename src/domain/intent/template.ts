import { nearest } from '../../runtime/nearest.ts';
import { sentencesInvalid } from './sentences-invalid.ts';

/** A sentence template as a tree; expansion rules are already in place. */
export type Template =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'list'; readonly list: string; readonly slot: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Template[] }
  | { readonly kind: 'choice'; readonly options: readonly Template[] }
  | { readonly kind: 'optional'; readonly part: Template };

/** What templates may refer to. */
export interface TemplateScope {
  readonly lists: ReadonlySet<string>;
  /** Name to template text. */
  readonly rules: ReadonlyMap<string, string>;
}

const MAX_DEPTH = 50;
/** Parts of one sentence with its rules in place: rules that double each other would fill the memory. */
const MAX_PARTS = 5000;
const NAME = /^[a-z][a-z0-9_]*$/;
const ENDS_WORD = /[\s()[\]{}<>|]/;

/**
 * Parses one template. `where` names its place in the file for the error.
 * Throws EdgeError SENTENCES_INVALID with place, column (from 1) and, for an unknown name, the nearest valid one.
 */
export function parseTemplate(text: string, where: string, scope: TemplateScope): Template {
  return parseWithin(text, where, scope, [], { parts: 0 });
}

/** `seen` counts over a sentence and all rules in it. */
function parseWithin(
  text: string,
  where: string,
  scope: TemplateScope,
  rulesOnTheWay: readonly string[],
  seen: { parts: number },
): Template {
  let at = 0;
  let depth = 0;

  const fail = (problem: string, column: number, hint?: string) =>
    sentencesInvalid(`${where}, "${text}", column ${column + 1}: ${problem}`, hint);

  function choice(closing: ')' | ']' | undefined, openedAt: number): Template {
    if (++depth > MAX_DEPTH) throw fail('brackets are nested too deeply', openedAt);
    const options = [sequence()];
    while (text[at] === '|') {
      at += 1;
      options.push(sequence());
    }
    if (text[at] !== closing) {
      if (at < text.length) throw fail(`"${text[at]}" closes nothing`, at);
      throw fail(`"${text[openedAt]}" is never closed`, openedAt);
    }
    at += 1;
    depth -= 1;
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  function sequence(): Template {
    const begin = at;
    const parts: Template[] = [];
    for (;;) {
      while (/\s/.test(text[at] ?? '')) at += 1;
      const sign = text[at];
      if (sign === undefined || sign === '|' || sign === ')' || sign === ']') break;
      if (++seen.parts > MAX_PARTS) throw fail('the sentence has too many forms', at);
      parts.push(part(sign));
    }
    if (parts.length === 0) throw fail('words are missing here', Math.min(begin, text.length));
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'sequence', parts };
  }

  function part(sign: string): Template {
    const openedAt = at;
    switch (sign) {
      case '(':
        at += 1;
        return choice(')', openedAt);
      case '[':
        at += 1;
        return { kind: 'optional', part: choice(']', openedAt) };
      case '{':
        return list(openedAt);
      case '<':
        return rule(openedAt);
      case '}':
      case '>':
        throw fail(`"${sign}" closes nothing`, at);
      default:
        return word();
    }
  }

  function word(): Template {
    const begin = at;
    while (at < text.length && !ENDS_WORD.test(text[at] ?? '')) at += 1;
    const found = text.slice(begin, at);
    if (/\d/.test(found)) throw fail(`write the number in "${found}" as a word`, begin);
    if (!/\p{L}/u.test(found)) throw fail(`"${found}" is no word`, begin);
    return { kind: 'word', text: found };
  }

  function name(openedAt: number, closing: string): string {
    const end = text.indexOf(closing, openedAt);
    if (end < 0) throw fail(`"${text[openedAt]}" is never closed`, openedAt);
    at = end + 1;
    return text.slice(openedAt + 1, end).trim();
  }

  function list(openedAt: number): Template {
    const [listName = '', slot = listName, ...more] = name(openedAt, '}').split(':');
    if (!scope.lists.has(listName))
      throw fail(`there is no list "${listName}"`, openedAt, didYouMean(listName, scope.lists));
    if (more.length > 0 || !NAME.test(slot)) throw fail(`"${slot}" is no name for a slot`, openedAt);
    return { kind: 'list', list: listName, slot };
  }

  function rule(openedAt: number): Template {
    const ruleName = name(openedAt, '>');
    const body = scope.rules.get(ruleName);
    if (body === undefined)
      throw fail(
        `there is no expansion rule "${ruleName}"`,
        openedAt,
        didYouMean(ruleName, scope.rules.keys()),
      );
    if (rulesOnTheWay.includes(ruleName))
      throw fail(`the rule contains itself: ${[...rulesOnTheWay, ruleName].join(' > ')}`, openedAt);
    if (rulesOnTheWay.length >= MAX_DEPTH) throw fail('rules are nested too deeply', openedAt);
    return parseWithin(body, `expansion_rules.${ruleName}`, scope, [...rulesOnTheWay, ruleName], seen);
  }

  return choice(undefined, 0);
}

function didYouMean(name: string, valid: Iterable<string>): string | undefined {
  const near = nearest(name, valid);
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

/**
 * The ways to say a template without any of its lists, each its words; `most` bounds how many are made.
 * A way that a list stands in is left out, the others stay.
 */
export function fixedWaysOf(template: Template, most: number): readonly (readonly string[])[] {
  switch (template.kind) {
    case 'word':
      return [[template.text]];
    case 'list':
      return [];
    case 'optional':
      return [[], ...fixedWaysOf(template.part, most)].slice(0, most);
    case 'choice':
      return template.options.flatMap((option) => fixedWaysOf(option, most)).slice(0, most);
    case 'sequence':
      return template.parts.reduce<readonly (readonly string[])[]>(
        (ways, part) => {
          if (ways.length === 0) return ways;
          const next = fixedWaysOf(part, most);
          return ways.flatMap((way) => next.map((more) => [...way, ...more])).slice(0, most);
        },
        [[]],
      );
  }
}

/** Every word of a template, in order; those of its lists are not among them. */
export function wordsOf(template: Template): readonly string[] {
  switch (template.kind) {
    case 'word':
      return [template.text];
    case 'list':
      return [];
    case 'optional':
      return wordsOf(template.part);
    case 'sequence':
      return template.parts.flatMap(wordsOf);
    case 'choice':
      return template.options.flatMap(wordsOf);
  }
}

/** The lists whose values a template may hold, each as often as it stands there. */
export function listsOf(template: Template): readonly string[] {
  switch (template.kind) {
    case 'word':
      return [];
    case 'list':
      return [template.list];
    case 'optional':
      return listsOf(template.part);
    case 'sequence':
      return template.parts.flatMap(listsOf);
    case 'choice':
      return template.options.flatMap(listsOf);
  }
}
