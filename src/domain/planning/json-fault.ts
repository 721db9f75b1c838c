type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

const TOKEN =
  /\s*(?:([[\]{}:,])|("(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.]))/uy;

/** Where a text stops being JSON (RFC 8259), counted in characters; its length when only its end is missing. */
export function jsonFaultAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    const start = at + (/^\s*/u.exec(text.slice(at, at + 1000))?.[0].length ?? 0);
    if (found === null) return start;
    const next = after(found, expected, open);
    if (next === undefined) return start;
    expected = next;
    at = TOKEN.lastIndex;
  }
}

/** What has to follow a token; undefined when it does not belong here. */
function after(
  [, sign, string]: RegExpExecArray,
  expected: Expected,
  open: ('{' | '[')[],
): Expected | undefined {
  const closed = (): Expected => {
    open.pop();
    return open.length === 0 ? 'nothing' : 'comma or end';
  };
  const takesValue = expected === 'value' || expected === 'value or end';
  const inside = open.at(-1);
  switch (sign) {
    case '{':
    case '[':
      if (!takesValue) return undefined;
      open.push(sign);
      return sign === '{' ? 'key or end' : 'value or end';
    case '}':
      return expected === 'key or end' || (expected === 'comma or end' && inside === '{')
        ? closed()
        : undefined;
    case ']':
      return expected === 'value or end' || (expected === 'comma or end' && inside === '[')
        ? closed()
        : undefined;
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case ',':
      if (expected !== 'comma or end') return undefined;
      return inside === '{' ? 'key' : 'value';
  }
  if (expected === 'key' || expected === 'key or end') return string === undefined ? undefined : 'colon';
  if (!takesValue) return undefined;
  return open.length === 0 ? 'nothing' : 'comma or end';
}
