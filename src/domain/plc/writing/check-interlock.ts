import { didYouMean } from '../../../runtime/nearest.ts';
import type { Spoken } from '../../language/language.ts';
import { isNumericType, type PointType } from '../point-encoding.ts';
import type { PointRef } from '../point-ref.ts';
import {
  type Arithmetic,
  type Comparison,
  type Expression,
  type ExpressionFault,
  isArithmetic,
  isComparison,
} from './interlock-expression.ts';
import { parseInterlock } from './parse-interlock.ts';

/** A condition whose names and types are known to be right. */
export type CheckedExpression =
  | { readonly kind: 'constant'; readonly value: number | boolean | string }
  | { readonly kind: 'point'; readonly ref: PointRef }
  /** Whether an enum point has, or has not, a value that is called so; `known` are all values with a text. */
  | {
      readonly kind: 'is';
      readonly ref: PointRef;
      readonly values: ReadonlySet<number>;
      readonly known: ReadonlySet<number>;
      readonly isNegated: boolean;
    }
  | { readonly kind: 'not' | 'negative'; readonly operand: CheckedExpression }
  | {
      readonly kind: 'binary';
      readonly operator: Comparison | Arithmetic | 'and' | 'or';
      readonly left: CheckedExpression;
      readonly right: CheckedExpression;
    };

/** A condition for a write, ready to be evaluated. */
export interface Interlock {
  /** As the plant file has it. */
  readonly text: string;
  readonly root: CheckedExpression;
  /** Every point it names, each once. */
  readonly refs: readonly PointRef[];
}

/** What a condition needs to know of a point. */
export interface InterlockPoint {
  readonly type: PointType;
  /** Empty when the point has no enum. */
  readonly texts: ReadonlyMap<number, Spoken>;
  readonly isReadable: boolean;
}

/** The points by machine and key. */
export type InterlockScope = ReadonlyMap<string, ReadonlyMap<string, InterlockPoint>>;

export type CheckedInterlock =
  | { readonly ok: true; readonly interlock: Interlock }
  | { readonly ok: false; readonly fault: ExpressionFault };

type Base = 'boolean' | 'number' | 'text';

interface Typed {
  readonly base: Base;
  /** A float is hardly ever exactly equal to anything. */
  readonly isFloat: boolean;
  readonly texts: ReadonlyMap<number, Spoken>;
  readonly checked: CheckedExpression;
}

const NO_TEXTS: ReadonlyMap<number, Spoken> = new Map();

/**
 * Parses and type-checks a condition for a point of `machine`. Enum texts of either language stand for their values.
 * Never throws.
 */
export function checkInterlock(text: string, machine: string, scope: InterlockScope): CheckedInterlock {
  const parsed = parseInterlock(text);
  if (!parsed.ok) return parsed;
  const checker = new Checker(machine, scope);
  try {
    return { ok: true, interlock: { text, ...checker.whole(parsed.expression) } };
  } catch (error) {
    if (error instanceof TypeFault) return { ok: false, fault: { at: error.at, message: error.message } };
    throw error;
  }
}

/** Stays within this file. */
class TypeFault extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

class Checker {
  readonly #machine: string;
  readonly #scope: InterlockScope;
  readonly #refs = new Map<string, PointRef>();

  constructor(machine: string, scope: InterlockScope) {
    this.#machine = machine;
    this.#scope = scope;
  }

  whole(expression: Expression): Pick<Interlock, 'root' | 'refs'> {
    const { base, checked } = this.#typed(expression);
    if (base !== 'boolean')
      throw new TypeFault(expression.at, `a condition is true or false, this is a ${base}: compare it`);
    if (this.#refs.size === 0) throw new TypeFault(1, 'a condition without a point is always the same');
    return { root: checked, refs: [...this.#refs.values()] };
  }

  #typed(expression: Expression): Typed {
    switch (expression.kind) {
      case 'number':
        return plain('number', { kind: 'constant', value: Number(expression.digits) });
      case 'text':
        return plain('text', { kind: 'constant', value: expression.text });
      case 'boolean':
        return plain('boolean', { kind: 'constant', value: expression.value });
      case 'point':
        return this.#point(expression);
      case 'not':
        return plain('boolean', {
          kind: 'not',
          operand: this.#operand(expression.operand, 'boolean', 'not'),
        });
      case 'negative': {
        const typed = this.#typed(expression.operand);
        requireBase(typed, 'number', '-', expression.operand.at);
        return { ...plain('number', { kind: 'negative', operand: typed.checked }), isFloat: typed.isFloat };
      }
      case 'binary':
        return this.#binary(expression);
    }
  }

  #binary({ operator, left, right, at }: Expression & { kind: 'binary' }): Typed {
    if (isComparison(operator)) return this.#comparison(operator, left, right, at);
    if (isArithmetic(operator)) {
      const sides = [this.#typed(left), this.#typed(right)] as const;
      for (const [index, side] of sides.entries())
        requireBase(side, 'number', operator, index === 0 ? left.at : right.at);
      return {
        ...plain('number', { kind: 'binary', operator, left: sides[0].checked, right: sides[1].checked }),
        isFloat: sides.some(({ isFloat }) => isFloat),
      };
    }
    return plain('boolean', {
      kind: 'binary',
      operator,
      left: this.#operand(left, 'boolean', operator),
      right: this.#operand(right, 'boolean', operator),
    });
  }

  #operand(expression: Expression, base: Base, operator: string): CheckedExpression {
    const typed = this.#typed(expression);
    requireBase(typed, base, operator, expression.at);
    return typed.checked;
  }

  #comparison(operator: Comparison, left: Expression, right: Expression, at: number): Typed {
    const one = this.#typed(left);
    const other = this.#typed(right);
    if (right.kind === 'text' && one.texts.size > 0) return called(one, operator, right.text, right.at, at);
    if (left.kind === 'text' && other.texts.size > 0) return called(other, operator, left.text, left.at, at);
    if (one.base !== other.base)
      throw new TypeFault(at, `a ${one.base} cannot be compared with a ${other.base}${enumHint(one, other)}`);
    const isEquality = operator === '==' || operator === '!=';
    if (one.base !== 'number' && !isEquality)
      throw new TypeFault(at, `${operator} compares numbers; a ${one.base} is equal or not: == or !=`);
    if (isEquality && (one.isFloat || other.isFloat))
      throw new TypeFault(
        at,
        `a float is hardly ever exactly equal to anything: use < or > instead of ${operator}`,
      );
    if (one.texts.size > 0 && other.texts.size > 0 && !areSameTexts(one.texts, other.texts))
      throw new TypeFault(at, 'the two sides have different enums: compare each with a text');
    return plain('boolean', { kind: 'binary', operator, left: one.checked, right: other.checked });
  }

  #point({ machine = this.#machine, point, at }: Expression & { kind: 'point' }): Typed {
    const points = this.#scope.get(machine);
    if (points === undefined)
      throw new TypeFault(at, `no machine is called ${machine}.${didYouMean(machine, this.#scope.keys())}`);
    const found = points.get(point);
    if (found === undefined)
      throw new TypeFault(at, `${machine} has no point ${point}.${this.#meant(point, points)}`);
    if (!found.isReadable)
      throw new TypeFault(at, `${machine}.${point} has access: write and cannot be read for a condition`);
    const ref = { machine, point };
    this.#refs.set(`${machine}.${point}`, ref);
    return {
      base: baseOf(found.type),
      isFloat: found.type === 'float32' || found.type === 'float64',
      texts: found.texts,
      checked: { kind: 'point', ref },
    };
  }

  #meant(point: string, points: ReadonlyMap<string, InterlockPoint>): string {
    const dash = point.indexOf('-');
    return dash > 0 && points.has(point.slice(0, dash))
      ? ` For a subtraction put spaces around the -.`
      : didYouMean(point, points.keys());
  }
}

function baseOf(type: PointType): Base {
  if (isNumericType(type)) return 'number';
  return type === 'bool' ? 'boolean' : 'text';
}

function plain(base: Base, checked: CheckedExpression): Typed {
  return { base, isFloat: false, texts: NO_TEXTS, checked };
}

function requireBase({ base }: Typed, wanted: Base, operator: string, at: number): void {
  if (base !== wanted) throw new TypeFault(at, `${operator} takes a ${wanted}, this is a ${base}`);
}

/** Compares an enum point with one of its texts. */
function called(side: Typed, operator: Comparison, text: string, textAt: number, at: number): Typed {
  if (operator !== '==' && operator !== '!=')
    throw new TypeFault(at, `${operator} compares numbers; an enum text is equal or not: == or !=`);
  if (side.checked.kind !== 'point')
    throw new TypeFault(textAt, 'only a point can be compared with an enum text');
  const values = [...side.texts]
    .filter(([, { en, zh }]) => en === text || zh === text)
    .map(([value]) => value);
  if (values.length === 0) {
    const all = [...side.texts.values()].flatMap(({ en, zh }) => [en, zh]);
    const { machine, point } = side.checked.ref;
    throw new TypeFault(
      textAt,
      `${machine}.${point} is never "${text}".${didYouMean(text, all)} Its texts are ${[...new Set(all)].join(', ')}.`,
    );
  }
  return plain('boolean', {
    kind: 'is',
    ref: side.checked.ref,
    values: new Set(values),
    known: new Set(side.texts.keys()),
    isNegated: operator === '!=',
  });
}

function enumHint(one: Typed, other: Typed): string {
  if (one.base !== 'text' && other.base !== 'text') return '';
  return ': only a string point, or one with an enum, can be compared with a text';
}

function areSameTexts(one: ReadonlyMap<number, Spoken>, other: ReadonlyMap<number, Spoken>): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([value, { en, zh }]) => {
    const match = other.get(value);
    return match?.en === en && match.zh === zh;
  });
}
