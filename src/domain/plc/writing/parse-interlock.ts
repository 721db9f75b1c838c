import {
  type ARITHMETIC,
  COMPARISONS,
  type Expression,
  type ExpressionFault,
} from './interlock-expression.ts';
import { type Token, tokensOf } from './interlock-tokens.ts';

export type ParsedInterlock =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** How many parentheses, `not` and signs may stand inside each other. */
const MAX_DEPTH = 20;

/**
 * Reads a condition. From the loosest binding to the tightest: `or`, `and`, `not`, one comparison, `+ -`, `* /`, a sign.
 * Never throws.
 */
export function parseInterlock(text: string): ParsedInterlock {
  const lexed = tokensOf(text);
  if (!lexed.ok) return lexed;
  try {
    return { ok: true, expression: new Parser(lexed.tokens).whole() };
  } catch (error) {
    if (error instanceof SyntaxFault) return { ok: false, fault: { at: error.at, message: error.message } };
    throw error;
  }
}

/** Stays within this file. */
class SyntaxFault extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const expression = this.#or();
    const rest = this.#peek();
    if (rest.kind !== 'end') throw new SyntaxFault(rest.at, `${shown(rest)} is not expected here`);
    return expression;
  }

  #or(): Expression {
    return this.#leftToRight(['or'], () => this.#and());
  }

  #and(): Expression {
    return this.#leftToRight(['and'], () => this.#not());
  }

  #not(): Expression {
    const token = this.#take(['not']);
    if (token === undefined) return this.#comparison();
    return this.#deeper(token, () => ({ kind: 'not', operand: this.#not(), at: token.at }));
  }

  #comparison(): Expression {
    const left = this.#sum();
    const token = this.#take(COMPARISONS);
    if (token === undefined) return left;
    const compared: Expression = {
      kind: 'binary',
      operator: token.text,
      left,
      right: this.#sum(),
      at: token.at,
    };
    const chained = this.#take(COMPARISONS);
    if (chained !== undefined)
      throw new SyntaxFault(chained.at, 'comparisons cannot be chained: write a < b and b < c');
    return compared;
  }

  #sum(): Expression {
    return this.#leftToRight(['+', '-'], () => this.#product());
  }

  #product(): Expression {
    return this.#leftToRight(['*', '/'], () => this.#signed());
  }

  #signed(): Expression {
    const token = this.#take(['-']);
    if (token === undefined) return this.#primary();
    return this.#deeper(token, () => ({ kind: 'negative', operand: this.#signed(), at: token.at }));
  }

  #primary(): Expression {
    const token = this.#peek();
    const { at, text } = token;
    this.#next += 1;
    if (token.kind === 'number') return { kind: 'number', digits: text, at };
    if (token.kind === 'text') return { kind: 'text', text, at };
    if (token.kind === 'name') {
      const [first = '', second] = text.split('.');
      return second === undefined
        ? { kind: 'point', machine: undefined, point: first, at }
        : { kind: 'point', machine: first, point: second, at };
    }
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true', at };
    if (text !== '(') throw new SyntaxFault(at, `a point, a value or ( is expected, not ${shown(token)}`);
    const inner = this.#deeper(token, () => this.#or());
    if (this.#take([')']) === undefined) {
      const found = this.#peek();
      throw new SyntaxFault(
        found.at,
        `the ( of column ${at} needs its ) before ${found.kind === 'end' ? 'the end' : shown(found)}`,
      );
    }
    return inner;
  }

  #leftToRight<const O extends 'or' | 'and' | (typeof ARITHMETIC)[number]>(
    operators: readonly O[],
    operand: () => Expression,
  ): Expression {
    let left = operand();
    for (let token = this.#take(operators); token !== undefined; token = this.#take(operators))
      left = { kind: 'binary', operator: token.text, left, right: operand(), at: token.at };
    return left;
  }

  #deeper(token: Token | { readonly at: number }, inner: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new SyntaxFault(token.at, `nested deeper than ${MAX_DEPTH}`);
    const expression = inner();
    this.#depth -= 1;
    return expression;
  }

  /** The next token when it is one of these symbols, and then it is used up. */
  #take<const O extends string>(
    symbols: readonly O[],
  ): { readonly text: O; readonly at: number } | undefined {
    const token = this.#peek();
    const text = token.kind === 'symbol' ? symbols.find((symbol) => symbol === token.text) : undefined;
    if (text === undefined) return undefined;
    this.#next += 1;
    return { text, at: token.at };
  }

  #peek(): Token {
    return this.#tokens[Math.min(this.#next, this.#tokens.length - 1)] ?? { kind: 'end', text: '', at: 1 };
  }
}

function shown({ kind, text }: Token): string {
  if (kind === 'end') return 'the end';
  return kind === 'text' ? `"${text}"` : text;
}
