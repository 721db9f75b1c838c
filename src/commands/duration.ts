import { EdgeError } from '../runtime/edge-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `380ms`, `60s`, `5m` or `1h`. Throws EdgeError USAGE that names the option. */
export function parseDurationMs(text: string, option: string): number {
  const [, number = '', unit = ''] = /^(-?\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(number) * (UNIT_MS[unit] ?? Number.NaN);
  if (number !== '' && Number.isFinite(ms)) return ms;
  throw new EdgeError('USAGE', `${option} takes a time such as 380ms, 60s, 5m or 1h, not "${text}"`);
}
