import type { z } from 'zod';
import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean, nearest } from '../../runtime/nearest.ts';
import { jsonFaultAt } from './json-fault.ts';
import { MAX_PLAIN_STEPS, type Rule, type RuleFile, ruleFileSchema } from './rule-file.ts';
import { intentsOf, type RuleTerm, termsOf } from './rule-terms.ts';

/** What rules may name; what is not given is not checked. */
export interface RuleScope {
  /** Intent to the slots that its sentences may fill. */
  readonly intents: ReadonlyMap<string, readonly string[]>;
  /** Tool to its parameters; undefined for a tool that is there and cannot be used now. */
  readonly tools: ReadonlyMap<string, readonly string[] | undefined>;
  readonly phrases: ReadonlySet<string>;
  /** Machine to its points. */
  readonly plant?: ReadonlyMap<string, readonly string[]>;
}

/** No file of rules is longer; it bounds what one reload can cost. */
export const MAX_RULE_FILE_CHARACTERS = 1_000_000;
const MAX_DEPTH = 40;
const MAX_FAULTS = 20;

/**
 * Reads rules from the text of a file; `file` only names it.
 * Throws EdgeError RULES_INVALID, whose message has one `file: rule "id": path: fault` a line, with the nearest valid word.
 */
export function parseRules(text: string, file: string, scope: RuleScope): RuleFile {
  const value = jsonOf(text, file);
  if (depthOf(value) > MAX_DEPTH) throw invalid([`${file}: it is nested more than ${MAX_DEPTH} deep`]);
  const parsed = ruleFileSchema.safeParse(value);
  if (!parsed.success)
    throw invalid(
      parsed.error.issues.flatMap((issue) => issueLines(issue, value)).map((line) => `${file}: ${line}`),
    );
  const faults = [...ruleFaults(parsed.data, scope), ...exampleFaults(parsed.data, scope)];
  if (faults.length > 0) throw invalid(faults.map((line) => `${file}: ${line}`));
  return parsed.data;
}

function invalid(lines: readonly string[]): EdgeError {
  const more = lines.length > MAX_FAULTS ? [`and ${lines.length - MAX_FAULTS} more`] : [];
  return new EdgeError('RULES_INVALID', [...lines.slice(0, MAX_FAULTS), ...more].join('\n'), {
    hint: 'correct the lines above; the rules from before stay in force until then',
  });
}

function jsonOf(text: string, file: string): unknown {
  if (text.length > MAX_RULE_FILE_CHARACTERS)
    throw invalid([`${file}: it has more than ${MAX_RULE_FILE_CHARACTERS} characters`]);
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/u, ''));
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = jsonFaultAt(text);
    const before = text.slice(0, at).split('\n');
    const place = `${before.length}:${(before.at(-1) ?? '').length + 1}`;
    throw new EdgeError(
      'RULES_UNFINISHED',
      `${file}:${place} this is no JSON, at: ${shown(text.slice(at, at + 40))}`,
      {
        cause: error,
        hint: 'look for a missing comma, quote or bracket just before this place',
      },
    );
  }
}

function depthOf(value: unknown): number {
  let level: readonly unknown[] = [value];
  let depth = 0;
  while (level.length > 0 && depth <= MAX_DEPTH) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
    depth += 1;
  }
  return depth;
}

/** `rule "id": then.0.tool: what is wrong`. */
function issueLines(issue: z.core.$ZodIssue, value: unknown): readonly string[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const given = valueAt(value, issue.path);
    const branch = meantBranch(issue.errors, given);
    if (branch !== undefined)
      return branch.flatMap((each) => issueLines({ ...each, path: [...issue.path, ...each.path] }, value));
    const keys = keysOfBranches(issue.errors);
    const word = typeof given === 'object' && given !== null ? Object.keys(given)[0] : undefined;
    const near = word === undefined ? '' : didYouMean(word, keys);
    return [`${placeOf(issue.path, value)}: ${shown(given)} is none of the forms that go here.${near}`];
  }
  const place = placeOf(issue.path, value);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${place}: unknown key "${key}".${didYouMean(key, KEYS)}`);
  if (issue.code === 'invalid_value') {
    const given = valueAt(value, issue.path);
    const words = issue.values.map(String);
    const near = typeof given === 'string' ? didYouMean(given, words) : '';
    return [`${place}: one of ${words.join(', ')}, not ${shown(given)}.${near}`];
  }
  return [`${place}: ${issue.message}`];
}

const KEYS = [
  ...[
    'version',
    'rules',
    'examples',
    'id',
    'note',
    'complex',
    'when',
    'if',
    'then',
    'else',
    'fallback',
    'intent',
    'slots',
    'role',
  ],
  ...[
    'tool',
    'args',
    'needs',
    'say',
    'session',
    'ask',
    'rule',
    'at_least',
    'equals',
    'all',
    'any',
    'not',
    'slot',
    'is',
    'op',
  ],
  ...[
    'value',
    'point',
    'machine',
    'fact',
    'subject',
    'attribute',
    'node',
    'ledger',
    'of',
    'kind',
    'field',
    'default',
  ],
  ...['period', 'people', 'step', 'caller', 'first', 'list', 'optional', 'same', 'command', 'en', 'zh'],
];

/** The branch that knows every key that was written, and finds its fault further inside or in a value. */
function meantBranch(
  branches: readonly (readonly z.core.$ZodIssue[])[],
  given: unknown,
): readonly z.core.$ZodIssue[] | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const fits = branches.filter(
    (issues) =>
      issues.length > 0 &&
      issues.every((issue) => issue.path.length > 0 && valueAt(given, issue.path.slice(0, 1)) !== undefined),
  );
  const missing = branches.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 && issue.code !== 'unrecognized_keys'),
  );
  return fits[0] ?? (missing.length === 1 ? missing[0] : undefined);
}

function keysOfBranches(branches: readonly (readonly z.core.$ZodIssue[])[]): readonly string[] {
  return branches.flatMap((issues) =>
    issues.flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : [])),
  );
}

function placeOf(path: readonly PropertyKey[], value: unknown): string {
  const [section, index] = path;
  if (section !== 'rules' || typeof index !== 'number')
    return path.length === 0 ? '(whole file)' : path.map(String).join('.');
  const id = valueAt(value, ['rules', index, 'id']);
  const rule = typeof id === 'string' ? `rule "${id}"` : `rule ${index + 1}`;
  return path.length === 2 ? rule : `${rule}: ${path.slice(2).map(String).join('.')}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined,
    value,
  );
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function ruleFaults({ rules }: RuleFile, scope: RuleScope): readonly string[] {
  const ids = new Set(rules.map(({ id }) => id));
  const seen = new Set<string>();
  return rules.flatMap((rule) => {
    const twice = seen.has(rule.id) ? [`rule "${rule.id}": another rule has this id`] : [];
    seen.add(rule.id);
    const faults = termsOf(rule).flatMap((term) => {
      const fault = termFault(term, rule, scope, ids);
      return fault === undefined ? [] : [`rule "${rule.id}": ${term.path.join('.')}: ${fault}`];
    });
    const long = lengthFault(rule);
    const circle = circleFrom(rule, rules);
    return [...twice, ...faults, ...long, ...(circle === undefined ? [] : [`rule "${rule.id}": ${circle}`])];
  });
}

/** Many steps are more than a person can keep in mind who says one sentence: whoever writes the rule has to mean it. */
function lengthFault({ id, complex, ...rule }: Rule): readonly string[] {
  if (complex === true) return [];
  return (['then', 'else', 'fallback'] as const).flatMap((key) => {
    const { [key]: outcome } = rule;
    return Array.isArray(outcome) && outcome.length > MAX_PLAIN_STEPS
      ? [
          `rule "${id}": ${key}: ${outcome.length} steps: a rule with more than ${MAX_PLAIN_STEPS} says "complex": true`,
        ]
      : [];
  });
}

function termFault(
  { kind, name, of }: RuleTerm,
  rule: Rule,
  scope: RuleScope,
  rules: ReadonlySet<string>,
): string | undefined {
  const among = (what: string, words: Iterable<string>): string | undefined => {
    const all = new Set(words);
    return all.has(name) ? undefined : `there is no ${what} "${name}".${didYouMean(name, all)}`;
  };
  switch (kind) {
    case 'intent':
      return scope.intents.has(name) ? undefined : noIntent(name, scope);
    case 'slot': {
      const intents = intentsOf(rule).filter((intent) => scope.intents.has(intent));
      if (intents.length === 0) return undefined;
      return among(
        `slot of ${intents.join(' or ')}`,
        intents.flatMap((intent) => scope.intents.get(intent) ?? []),
      );
    }
    case 'tool':
      return among('tool', scope.tools.keys());
    case 'parameter': {
      const parameters = scope.tools.get(of ?? '');
      return parameters === undefined ? undefined : among(`argument of ${of}`, parameters);
    }
    case 'phrase':
      return among('phrase', scope.phrases);
    case 'rule':
      return among('rule', rules);
    case 'machine':
      return scope.plant === undefined ? undefined : among('machine', scope.plant.keys());
    case 'point': {
      const points = of === undefined ? undefined : scope.plant?.get(of);
      return points === undefined ? undefined : among(`point of ${of}`, points);
    }
    case 'earlier step':
      return `step ${name} does not come before this one`;
  }
}

/** The nearest intent, or all of them: nobody guesses what they are called. */
function noIntent(name: string, { intents }: RuleScope): string {
  const near = nearest(name, intents.keys());
  const words =
    near === undefined ? ` There are ${[...intents.keys()].join(', ')}.` : ` Did you mean "${near}"?`;
  return `there is no intent "${name}".${words}`;
}

/** Rules that lead to one another for ever would never decide. */
function circleFrom(rule: Rule, rules: readonly Rule[]): string | undefined {
  const next = (each: Rule): readonly Rule[] =>
    [each.then, each.else, each.fallback].flatMap((outcome) =>
      outcome !== undefined && 'rule' in outcome ? rules.filter(({ id }) => id === outcome.rule) : [],
    );
  const seen = new Set<Rule>();
  const waiting = [...next(rule)];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (each === rule) return 'it leads back to itself';
    if (seen.has(each)) continue;
    seen.add(each);
    waiting.push(...next(each));
  }
  return undefined;
}

function exampleFaults({ examples }: RuleFile, scope: RuleScope): readonly string[] {
  return Object.keys(examples).flatMap((intent) =>
    scope.intents.has(intent) ? [] : [`examples.${intent}: ${noIntent(intent, scope)}`],
  );
}
