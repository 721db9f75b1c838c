import type { Expression } from '../../src/domain/plc/writing/interlock-expression.ts';

/** The condition as text, with a parenthesis around everything that has parts. */
export function interlockText(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return expression.digits;
    case 'text':
      return `"${expression.text.replace(/["\\]/g, '\\$&')}"`;
    case 'boolean':
      return String(expression.value);
    case 'point':
      return expression.machine === undefined
        ? expression.point
        : `${expression.machine}.${expression.point}`;
    case 'not':
      return `(not ${interlockText(expression.operand)})`;
    case 'negative':
      return `(-${interlockText(expression.operand)})`;
    case 'binary':
      return `(${interlockText(expression.left)} ${expression.operator} ${interlockText(expression.right)})`;
  }
}
