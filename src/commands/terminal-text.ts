/** Moves the cursor, colours, reorders or hides text: C0, DEL and C1, format characters such as U+202E, U+2028 and U+2029. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const APART = /[\t\n\v\f\u0085\u2028\u2029]/u;

/** Text from outside for a terminal, where its line breaks are meant. */
export function terminalText(text: string): string {
  return text.split('\n').map(terminalLine).join('\n');
}

/** Text from outside for a place within a line: it cannot begin another. */
export function terminalLine(text: string): string {
  return text.replace(UNSEEN, (character) => (APART.test(character) ? ' ' : ''));
}
