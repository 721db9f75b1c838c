import type { Meaning } from '../intent/meaning.ts';
import type { PointRef } from '../plc/point-ref.ts';
import type { KnownReading } from '../plc/reading.ts';
import { ROLES, type Role } from '../tool/tool-call.ts';
import type { Comparison, Condition, NameOrSlot, NodeFigure, Scalar } from './condition.ts';
import { isUsable, type LedgerView } from './ledger-view.ts';

/** A fact of memory, by what it is about. */
export interface FactRef {
  readonly subject: string;
  readonly attribute: string;
}

/** What conditions look at. */
export interface ConditionFacts {
  readonly role: Role;
  readonly slots: Meaning['slots'];
  /** Undefined when it has not been read yet. */
  point(ref: PointRef): KnownReading | undefined;
  /** Whether memory holds it, `unknown` when that cannot be told; undefined when it has not been looked up yet. */
  fact(ref: FactRef): boolean | 'unknown' | undefined;
  readonly node: Readonly<Partial<Record<NodeFigure, number>>>;
  readonly ledger: LedgerView;
}

/** `unknown` where something that counts is not known: neither the condition nor its negation holds then. */
export type Truth = 'true' | 'false' | 'unknown';

export interface Verdict {
  readonly truth: Truth;
  /** What has to be read before it can be told; empty when reading more would change nothing. */
  readonly points: readonly PointRef[];
  readonly facts: readonly FactRef[];
}

/** Kleene's three-valued logic: a point that is bad, stale or not read makes no condition true, nor its negation. */
export function evaluate(condition: Condition, facts: ConditionFacts): Verdict {
  const points: PointRef[] = [];
  const looked: FactRef[] = [];
  const truth = truthOf(condition, facts, { points, facts: looked });
  return truth === 'unknown' ? { truth, points, facts: looked } : { truth, points: [], facts: [] };
}

interface Unread {
  readonly points: PointRef[];
  readonly facts: FactRef[];
}

function truthOf(condition: Condition, facts: ConditionFacts, unread: Unread): Truth {
  if ('all' in condition) return every(condition.all.map((each) => truthOf(each, facts, unread)));
  if ('any' in condition)
    return negated(every(condition.any.map((each) => negated(truthOf(each, facts, unread)))));
  if ('not' in condition) return negated(truthOf(condition.not, facts, unread));
  if ('role' in condition) return known(ROLES.indexOf(facts.role) >= ROLES.indexOf(condition.role.at_least));
  if ('is' in condition)
    return known((facts.slots[condition.slot] !== undefined) === (condition.is === 'present'));
  if ('slot' in condition) return compare(facts.slots[condition.slot]?.value, condition.op, condition.value);
  if ('node' in condition) return compare(facts.node[condition.node], condition.op, condition.value);
  if ('ledger' in condition) {
    const { of, newer_than: others = [] } = condition.ledger;
    const newest = facts.ledger.newest([...of, ...others], isUsable);
    return known(newest !== undefined && of.includes(newest.tool));
  }
  if ('fact' in condition) {
    const subject = named(condition.fact.subject, facts);
    if (subject === undefined) return 'unknown';
    const ref = { subject, attribute: condition.fact.attribute };
    const found = facts.fact(ref);
    if (found === undefined) unread.facts.push(ref);
    return found === undefined || found === 'unknown' ? 'unknown' : known(found);
  }
  const machine = named(condition.point.machine, facts);
  const point = named(condition.point.point, facts);
  if (machine === undefined || point === undefined) return 'unknown';
  const reading = facts.point({ machine, point });
  if (reading === undefined) unread.points.push({ machine, point });
  return reading?.quality === 'good'
    ? compare(reading.value, condition.point.op, condition.point.value)
    : 'unknown';
}

function named(name: NameOrSlot, { slots }: ConditionFacts): string | undefined {
  if (typeof name === 'string') return name;
  const value = slots[name.slot]?.value;
  return typeof value === 'string' ? value : undefined;
}

function known(holds: boolean): Truth {
  return holds ? 'true' : 'false';
}

function negated(truth: Truth): Truth {
  if (truth === 'unknown') return truth;
  return truth === 'true' ? 'false' : 'true';
}

function every(truths: readonly Truth[]): Truth {
  if (truths.includes('false')) return 'false';
  return truths.includes('unknown') ? 'unknown' : 'true';
}

/** Values of different types are never equal, and only numbers have an order. */
function compare(left: Scalar | undefined, op: Comparison, right: Scalar): Truth {
  if (left === undefined || Number.isNaN(left)) return 'unknown';
  if (op === '=') return known(left === right);
  if (op === '!=') return known(left !== right);
  if (typeof left !== 'number' || typeof right !== 'number') return 'unknown';
  switch (op) {
    case '<':
      return known(left < right);
    case '<=':
      return known(left <= right);
    case '>':
      return known(left > right);
    case '>=':
      return known(left >= right);
  }
}
