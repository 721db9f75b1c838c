import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DONE, FAMILIES, idsOf, REQUIREMENTS } from '../requirements.ts';

const TESTS = join(import.meta.dirname, '..');

/** The names given to `it` and `test` in a test file, as they are written. */
function namesIn(file: string): readonly string[] {
  const text = readFileSync(join(TESTS, file), 'utf8');
  return [
    ...text.matchAll(/\b(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/gu),
  ].map(([, quoted, raw]) => quoted ?? raw ?? '');
}

function invented(ids: readonly string[]): readonly string[] {
  const known = new Set(Object.keys(FAMILIES).flatMap(idsOf));
  return ids.filter((id) => !known.has(id));
}

function missing(family: string, ids: readonly string[]): readonly string[] {
  return idsOf(family).filter((id) => !ids.includes(id));
}

describe('the list of requirements', () => {
  it('holds no id that was invented', () => {
    expect(invented(Object.keys(REQUIREMENTS))).toEqual([]);
  });

  it.each(DONE)('misses none of %s', (family) => {
    expect(missing(family, Object.keys(REQUIREMENTS))).toEqual([]);
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

  it('notices an id that is missing, and one that was invented', () => {
    expect(invented(['S-01', 'S-21', 'S-1', 'E16', 'E17', 'E-01', 'X-01'])).toEqual([
      'S-21',
      'S-1',
      'E17',
      'E-01',
      'X-01',
    ]);
    expect(missing('MC', ['MC-01', 'MC-02', 'MC-04', 'MC-06'])).toEqual(['MC-03', 'MC-05']);
  });
});
