/** A number as people write it, with a decimal point or comma and either as thousands mark; undefined where it is none. */
export function listNumber(text: string): number | undefined {
  const trimmed = text.trim().replace(/[\s\u00a0']/gu, '');
  const comma = trimmed.lastIndexOf(',');
  const point = trimmed.lastIndexOf('.');
  const plain =
    comma > point
      ? trimmed.replaceAll('.', '').replace(',', '.')
      : point > comma && comma !== -1
        ? trimmed.replaceAll(',', '')
        : trimmed;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/iu.test(plain) ? Number(plain) : undefined;
}

/** A scale as lists write it: `0,1`, `x0.1`, `*0.1`, `1/10`, `/10`, `1:10`. */
export function listScale(text: string): number | undefined {
  const fraction = /^(.*?)\s*[/:÷]\s*(.+)$/u.exec(text.trim());
  if (fraction !== null) {
    const above = fraction[1] === '' ? 1 : listNumber(fraction[1] ?? '');
    const below = listNumber(fraction[2] ?? '');
    return above === undefined || below === undefined || below === 0 ? undefined : above / below;
  }
  return listNumber(text.trim().replace(/^[x×*]\s*/iu, ''));
}
