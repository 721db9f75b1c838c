const IN_A_WORD = /[\p{L}\p{N}]/u;
/** Scripts that are written without spaces: a name stands there between other characters. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Whether a text names any of `forms`: in any case, as whole words where the script has spaces between words. */
export function namesAnyOf(text: string, forms: readonly string[]): boolean {
  const folded = fold(text);
  return forms.some((form) => names(folded, fold(form)));
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function names(text: string, form: string): boolean {
  if (form === '') return false;
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    if (isEdge(text, at) && isEdge(text, at + form.length)) return true;
  }
  return false;
}

/** Whether a word may end or begin before the UTF-16 index `at`. */
function isEdge(text: string, at: number): boolean {
  const [before = ''] = [...text.slice(Math.max(0, at - 2), at)].slice(-1);
  const [after = ''] = text.slice(at, at + 2);
  return (
    ![before, after].every((side) => IN_A_WORD.test(side)) ||
    [before, after].some((side) => WITHOUT_SPACES.test(side))
  );
}
