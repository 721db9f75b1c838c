import type { Condition } from './condition.ts';
import type { ArgumentSource, Rule, RuleOutcome } from './rule-file.ts';

type Path = readonly (string | number)[];

/** A word of a rule that names something outside of it, and where it stands within the rule. */
export interface RuleTerm {
  readonly kind:
    | 'intent'
    | 'slot'
    | 'tool'
    | 'parameter'
    | 'phrase'
    | 'rule'
    | 'machine'
    | 'point'
    | 'earlier step';
  readonly name: string;
  readonly path: Path;
  /** Of a parameter its tool, of a point its machine. */
  readonly of?: string;
}

/** Every name in a rule that has to exist. */
export function termsOf(rule: Rule): readonly RuleTerm[] {
  const intents = intentsOf(rule).map(
    (name): RuleTerm => ({ kind: 'intent', name, path: ['when', 'intent'] }),
  );
  const slots = Object.keys(rule.when.slots).map(
    (name): RuleTerm => ({ kind: 'slot', name, path: ['when', 'slots', name] }),
  );
  return [
    ...intents,
    ...slots,
    ...(rule.if === undefined ? [] : conditionTerms(rule.if, ['if'])),
    ...outcomeTerms(rule.then, ['then']),
    ...(rule.else === undefined ? [] : outcomeTerms(rule.else, ['else'])),
    ...(rule.fallback === undefined ? [] : outcomeTerms(rule.fallback, ['fallback'])),
  ];
}

export function intentsOf(rule: Rule): readonly string[] {
  return typeof rule.when.intent === 'string' ? [rule.when.intent] : rule.when.intent;
}

function conditionTerms(condition: Condition, path: Path): readonly RuleTerm[] {
  if ('all' in condition)
    return condition.all.flatMap((each, i) => conditionTerms(each, [...path, 'all', i]));
  if ('any' in condition)
    return condition.any.flatMap((each, i) => conditionTerms(each, [...path, 'any', i]));
  if ('not' in condition) return conditionTerms(condition.not, [...path, 'not']);
  if ('slot' in condition) return [{ kind: 'slot', name: condition.slot, path: [...path, 'slot'] }];
  if ('ledger' in condition)
    return [
      ...toolTerms(condition.ledger.of, [...path, 'ledger', 'of']),
      ...toolTerms(condition.ledger.newer_than ?? [], [...path, 'ledger', 'newer_than']),
    ];
  if ('fact' in condition) {
    const { subject } = condition.fact;
    return typeof subject === 'string'
      ? []
      : [{ kind: 'slot', name: subject.slot, path: [...path, 'fact', 'subject', 'slot'] }];
  }
  if (!('point' in condition)) return [];
  const { machine, point } = condition.point;
  const at = [...path, 'point'];
  return [
    typeof machine === 'string'
      ? { kind: 'machine', name: machine, path: [...at, 'machine'] }
      : { kind: 'slot', name: machine.slot, path: [...at, 'machine', 'slot'] },
    typeof point === 'string'
      ? {
          kind: 'point',
          name: point,
          path: [...at, 'point'],
          ...(typeof machine === 'string' ? { of: machine } : {}),
        }
      : { kind: 'slot', name: point.slot, path: [...at, 'point', 'slot'] },
  ];
}

function toolTerms(tools: readonly string[], path: Path): readonly RuleTerm[] {
  return tools.map((name, i) => ({ kind: 'tool', name, path: [...path, i] }));
}

function outcomeTerms(outcome: RuleOutcome, path: Path): readonly RuleTerm[] {
  if ('say' in outcome) return [{ kind: 'phrase', name: outcome.say, path: [...path, 'say'] }];
  if ('ask' in outcome) return [{ kind: 'slot', name: outcome.ask, path: [...path, 'ask'] }];
  if ('rule' in outcome) return [{ kind: 'rule', name: outcome.rule, path: [...path, 'rule'] }];
  if ('session' in outcome) return [];
  return outcome.flatMap((step, i): readonly RuleTerm[] => [
    { kind: 'tool', name: step.tool, path: [...path, i, 'tool'] },
    ...Object.keys(step.args).map(
      (name): RuleTerm => ({ kind: 'parameter', name, of: step.tool, path: [...path, i, 'args', name] }),
    ),
    ...Object.entries(step.args).flatMap(([name, source]) =>
      sourceTerms(source, [...path, i, 'args', name], i),
    ),
    ...step.needs.flatMap((need, n) => earlier(need, i, [...path, i, 'needs', n])),
  ]);
}

function sourceTerms(source: ArgumentSource, path: Path, step: number): readonly RuleTerm[] {
  if (typeof source !== 'object') return [];
  if ('slot' in source) return [{ kind: 'slot', name: source.slot, path: [...path, 'slot'] }];
  if ('period' in source) return [{ kind: 'slot', name: source.period, path: [...path, 'period'] }];
  if ('people' in source) return [{ kind: 'slot', name: source.people, path: [...path, 'people'] }];
  if ('ledger' in source)
    return [
      ...toolTerms(source.ledger.of, [...path, 'ledger', 'of']),
      ...Object.entries(source.ledger.same ?? {}).map(
        ([key, name]): RuleTerm => ({ kind: 'slot', name, path: [...path, 'ledger', 'same', key] }),
      ),
    ];
  if ('step' in source) return earlier(source.step, step, [...path, 'step']);
  if ('first' in source)
    return source.first.flatMap((each, i) => sourceTerms(each, [...path, 'first', i], step));
  if ('list' in source)
    return source.list.flatMap((each, i) => sourceTerms(each, [...path, 'list', i], step));
  return 'optional' in source ? sourceTerms(source.optional, [...path, 'optional'], step) : [];
}

/** Only a step that comes before can be done before. */
function earlier(wanted: number, step: number, path: Path): readonly RuleTerm[] {
  return wanted < step ? [] : [{ kind: 'earlier step', name: String(wanted), path }];
}
