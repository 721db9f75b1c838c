import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAMILIES, REQUIREMENTS } from '../requirements.ts';

const TESTS = join(import.meta.dirname, '..');

/** The names given to `it` in a test file, as they are written. */
function namesIn(file: string): readonly string[] {
  const text = readFileSync(join(TESTS, file), 'utf8');
  return [...text.matchAll(/\bit(?:\.each\([\s\S]*?\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/gu)].map(
    ([, quoted, raw]) => quoted ?? raw ?? '',
  );
}

describe('the list of requirements', () => {
  it.each(Object.keys(REQUIREMENTS))('%s is a requirement that exists', (id) => {
    const [, family = '', number = ''] = /^([A-Z]+)-(\d\d)$/u.exec(id) ?? [];
    expect(Number(number)).toBeGreaterThanOrEqual(1);
    expect(Number(number)).toBeLessThanOrEqual(FAMILIES[family] ?? 0);
  });

  it.each(Object.entries(REQUIREMENTS))('the proofs of %s exist', (_id, { whole, part, tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    expect(whole).toBe(part === undefined);
    for (const [file, name] of tests) {
      expect(existsSync(join(TESTS, file)), `${file} is missing`).toBe(true);
      expect(namesIn(file), file).toContain(name);
    }
  });

  it('notices a test that does not exist', () => {
    expect(namesIn('unit/requirements.test.ts')).toContain('notices a test that does not exist');
    expect(namesIn('unit/requirements.test.ts')).not.toContain('a test that nobody wrote');
  });
});
