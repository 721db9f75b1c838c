import type { PointRef } from '../point-ref.ts';
import type { BadReason, KnownReading, PointValue } from '../reading.ts';
import type { CheckedExpression, Interlock } from './check-interlock.ts';
import type { Arithmetic, Comparison } from './interlock-expression.ts';

/** What a condition saw of one point. */
export type SeenPoint =
  | { readonly ref: PointRef; readonly value: PointValue }
  | { readonly ref: PointRef; readonly bad: BadReason | 'stale' | 'missing' };

export interface InterlockVerdict {
  readonly text: string;
  /** `unknown` when any of its points has no present value, or a number comes out infinite; then it is not met. */
  readonly verdict: 'met' | 'unmet' | 'unknown';
  readonly saw: readonly SeenPoint[];
}

/**
 * Whether a condition holds, over readings made just now. Every point that it names has to be good, also where the rest
 * would decide alone: a condition that cannot be seen whole is not met.
 */
export function evaluateInterlock(
  { text, root, refs }: Interlock,
  readings: readonly KnownReading[],
): InterlockVerdict {
  const saw = refs.map((ref) => seen(ref, readings));
  const values = new Map<string, PointValue>();
  for (const point of saw) if ('value' in point) values.set(keyOf(point.ref), point.value);
  const result = evaluate(root, (ref) => values.get(keyOf(ref)));
  if (result === undefined) return { text, verdict: 'unknown', saw };
  return { text, verdict: result === true ? 'met' : 'unmet', saw };
}

function seen(ref: PointRef, readings: readonly KnownReading[]): SeenPoint {
  const reading = readings.find(
    (candidate) => candidate.ref.machine === ref.machine && candidate.ref.point === ref.point,
  );
  if (reading === undefined) return { ref, bad: 'missing' };
  if (reading.quality === 'good') return { ref, value: reading.value };
  return { ref, bad: reading.quality === 'stale' ? 'stale' : reading.reason };
}

function keyOf({ machine, point }: PointRef): string {
  return `${machine}.${point}`;
}

type Look = (ref: PointRef) => PointValue | undefined;

/** Undefined is unknown, and whatever has an unknown part is unknown. */
function evaluate(node: CheckedExpression, look: Look): PointValue | undefined {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'point':
      return look(node.ref);
    case 'is': {
      const value = Number(look(node.ref) ?? Number.NaN);
      // A state without a name is none that the author of the condition had in mind.
      if (!node.known.has(value)) return undefined;
      return node.values.has(value) !== node.isNegated;
    }
    case 'not': {
      const value = evaluate(node.operand, look);
      return typeof value === 'boolean' ? !value : undefined;
    }
    case 'negative': {
      const value = evaluate(node.operand, look);
      return typeof value === 'number' ? -value : undefined;
    }
    case 'binary':
      return combine(node.operator, evaluate(node.left, look), evaluate(node.right, look));
  }
}

function combine(
  operator: Comparison | Arithmetic | 'and' | 'or',
  left: PointValue | undefined,
  right: PointValue | undefined,
): PointValue | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (operator === '==') return typeof left === typeof right ? left === right : undefined;
  if (operator === '!=') return typeof left === typeof right ? left !== right : undefined;
  if (typeof left === 'boolean' && typeof right === 'boolean') {
    if (operator === 'and') return left && right;
    return operator === 'or' ? left || right : undefined;
  }
  return typeof left === 'number' && typeof right === 'number' ? calculate(operator, left, right) : undefined;
}

function calculate(operator: string, left: number, right: number): number | boolean | undefined {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '+':
      return exact(left + right);
    case '-':
      return exact(left - right);
    case '*':
      return exact(left * right);
    case '/':
      return exact(left / right);
    default:
      return undefined;
  }
}

/** Fifteen digits, as readings have: 0.1 + 0.2 is 0.3. A division by zero has no value. */
function exact(result: number): number | undefined {
  return Number.isFinite(result) ? Number(result.toPrecision(15)) : undefined;
}
