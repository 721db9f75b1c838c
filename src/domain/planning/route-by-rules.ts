import type { Meaning } from '../intent/meaning.ts';
import type { JsonValue } from '../json.ts';
import type { Binding } from '../session/action.ts';
import type { SitePart } from '../tool/site-part.ts';
import { ROLES } from '../tool/tool-call.ts';
import type { Risk } from '../tool/tool-contract.ts';
import { type ArgumentContext, argumentOf } from './argument.ts';
import { type ConditionFacts, evaluate } from './evaluate-condition.ts';
import type { PlanStep } from './plan.ts';
import type { Entity, Routed } from './routed.ts';
import type { Rule, RuleOutcome, RuleStep, SessionOperation, SlotTest } from './rule-file.ts';
import { intentsOf } from './rule-terms.ts';

/** All that a decision depends on, beside the meaning and the rules. */
export interface RouteContext extends Omit<ConditionFacts & ArgumentContext, 'slots'> {
  /** A whole sentence of the file, or the likeness of words. */
  readonly understoodBy: 'template' | 'keyword';
  /** What has not been read by now stays unknown: a rule that hangs on it takes its fallback, or gives way. */
  readonly readsNoMore: boolean;
  /** Undefined for a tool that cannot be routed to. */
  risk(tool: string): Risk | undefined;
  /** Whether the caller may use it at all. */
  mayUse(tool: string): boolean;
  /** The part of the site without which the tool can do nothing; undefined where it is set up. */
  lacks(tool: string): SitePart | undefined;
}

interface Asked {
  readonly meaning: Meaning;
  readonly rules: readonly Rule[];
  readonly context: RouteContext;
}

/** What a session may do on the likeness of words: it only tells. */
const HARMLESS: ReadonlySet<SessionOperation> = new Set(['help', 'tickets']);

/**
 * What the first rule that fits makes of a meaning. A rule whose condition does not hold and that has no `else` gives way to
 * the next, and so does one whose condition cannot be told and that has no `fallback`.
 */
export function routeByRules(meaning: Meaning, rules: readonly Rule[], context: RouteContext): Routed {
  const asked = { meaning, rules, context };
  for (const rule of rules) {
    if (!fits(rule, meaning, context)) continue;
    const routed = decide(rule, asked);
    if (routed !== undefined) return routed;
  }
  return { kind: 'none' };
}

function fits(rule: Rule, { intent, slots }: Meaning, { role, chosen }: RouteContext): boolean {
  if (!intentsOf(rule).includes(intent)) return false;
  const wanted = rule.when.role?.at_least;
  if (wanted !== undefined && ROLES.indexOf(role) < ROLES.indexOf(wanted)) return false;
  return Object.entries(rule.when.slots).every(([slot, test]) =>
    slotPasses(test, chosen[slot] ?? slots[slot]?.value),
  );
}

function slotPasses(test: SlotTest, value: JsonValue | undefined): boolean {
  if (typeof test === 'string') return (value !== undefined) === (test === 'present');
  return [test.equals].flat().some((each) => each === value);
}

/** Undefined when the rule gives way. */
function decide(rule: Rule, asked: Asked): Routed | undefined {
  const { meaning, context } = asked;
  if (rule.if === undefined) return carriedOut(rule, asked);
  const facts = {
    ...context,
    slots: meaning.slots,
    point: context.point.bind(context),
    fact: context.fact.bind(context),
  };
  const { truth, points, facts: unread } = evaluate(rule.if, facts);
  if (points.length + unread.length > 0 && !context.readsNoMore)
    return { kind: 'undecided', rule: rule.id, points, facts: unread };
  if (truth === 'true') return carriedOut(rule, asked);
  const otherwise = truth === 'false' ? rule.else : rule.fallback;
  return otherwise === undefined ? undefined : outcomeOf(otherwise, rule, asked);
}

function carriedOut(rule: Rule, asked: Asked): Routed | undefined {
  const routed = outcomeOf(rule.then, rule, asked);
  return routed?.kind === 'lacks' && rule.fallback !== undefined
    ? outcomeOf(rule.fallback, rule, asked)
    : routed;
}

function outcomeOf(outcome: RuleOutcome, rule: Rule, asked: Asked): Routed | undefined {
  const { meaning, rules, context } = asked;
  if ('say' in outcome) return { kind: 'say', rule: rule.id, phrase: outcome.say };
  if ('ask' in outcome)
    return { kind: 'ask', rule: rule.id, question: { slot: outcome.ask, why: 'missing' } };
  if ('rule' in outcome) {
    const next = rules.find(({ id }) => id === outcome.rule);
    return next === undefined ? undefined : decide(next, asked);
  }
  if ('session' in outcome)
    return context.understoodBy === 'keyword' && !HARMLESS.has(outcome.session)
      ? { kind: 'doubtful', rule: rule.id }
      : { kind: 'session', rule: rule.id, operation: outcome.session, slots: meaning.slots };
  return planOf(outcome, rule, asked);
}

function planOf(steps: readonly RuleStep[], rule: Rule, { meaning, context }: Asked): Routed {
  const unavailable = steps.find(({ tool }) => context.risk(tool) === undefined);
  if (unavailable !== undefined) return { kind: 'unavailable', rule: rule.id, tool: unavailable.tool };
  const denied = steps.find(({ tool }) => !context.mayUse(tool));
  if (denied !== undefined) return { kind: 'denied', rule: rule.id, tool: denied.tool };
  for (const { tool } of steps) {
    const part = context.lacks(tool);
    if (part !== undefined) return { kind: 'not_set_up', rule: rule.id, tool, part };
  }
  // The likeness of words carries nothing but reading.
  const isDoubtful =
    context.understoodBy === 'keyword' && steps.some(({ tool }) => context.risk(tool) !== 'none');
  const argumentContext: ArgumentContext = {
    slots: meaning.slots,
    slotConfidence: context.slotConfidence,
    chosen: context.chosen,
    caller: context.caller,
    ledger: context.ledger,
    people: context.people,
    when: (words) => context.when(words),
    command: (machine, action) => context.command(machine, action),
  };
  const planned: PlanStep[] = [];
  const entities: Record<string, Entity> = {};
  let fuzzyName = false;
  let continues = false;
  for (const step of steps) {
    const args: Record<string, JsonValue> = {};
    const fromSteps: Record<string, PlanStep['fromSteps'][string]> = {};
    const fromLedger: Record<string, Binding> = {};
    for (const [name, source] of Object.entries(step.args)) {
      const found = argumentOf(source, argumentContext);
      switch (found.kind) {
        case 'value': {
          args[name] = found.value;
          fuzzyName ||= found.fuzzy === true;
          continues ||= found.ofLedger === true;
          if (found.entity === undefined) break;
          const { slot, value, spoken, confidence } = found.entity;
          entities[slot] = { value, spoken, confidence };
          break;
        }
        case 'step':
          fromSteps[name] = { step: found.step, field: found.field };
          break;
        case 'ledger':
          fromLedger[name] = found.binding;
          continues = true;
          break;
        case 'left out':
          break;
        case 'lacks':
          return { kind: 'lacks', rule: rule.id, of: found.of };
        case 'ask':
          // Whoever named somebody that is not known is told so; nothing else is worth a question then.
          if (isDoubtful && found.question.why !== 'unknown_name') return { kind: 'doubtful', rule: rule.id };
          return { kind: 'ask', rule: rule.id, question: found.question };
      }
    }
    const needs = [...new Set([...step.needs, ...Object.values(fromSteps).map((each) => each.step)])];
    planned.push({ tool: step.tool, args, needs: needs.sort((a, b) => a - b), fromSteps, fromLedger });
  }
  if (isDoubtful) return { kind: 'doubtful', rule: rule.id };
  const source = context.understoodBy === 'keyword' ? 'keyword' : 'rule';
  return {
    kind: 'plan',
    rule: rule.id,
    plan: { source, rule: rule.id, continues, steps: planned },
    entities,
    fuzzyName,
  };
}
