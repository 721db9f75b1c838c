/** A condition of a plant file as it was written, before anything is known of the points it names. */

export const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const ARITHMETIC = ['+', '-', '*', '/'] as const;
export type Arithmetic = (typeof ARITHMETIC)[number];

export type BinaryOperator = Comparison | Arithmetic | 'and' | 'or';

interface Placed {
  /** Column in the text, the first being 1. */
  readonly at: number;
}

export type Expression = Placed &
  (
    | { readonly kind: 'number'; readonly digits: string }
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'boolean'; readonly value: boolean }
    /** Without a machine: a point of the machine whose point the condition guards. */
    | { readonly kind: 'point'; readonly machine: string | undefined; readonly point: string }
    | { readonly kind: 'not' | 'negative'; readonly operand: Expression }
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
  );

/** What is wrong with a condition and where. */
export interface ExpressionFault extends Placed {
  readonly message: string;
}

export function isComparison(operator: string): operator is Comparison {
  return COMPARISONS.some((known) => known === operator);
}

export function isArithmetic(operator: string): operator is Arithmetic {
  return ARITHMETIC.some((known) => known === operator);
}
