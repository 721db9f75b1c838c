import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DONE, DONE_BESIDE, FAMILIES, idsOf, REQUIREMENTS } from '../requirements.ts';

const TESTS = join(import.meta.dirname, '..');

/** A line that leaves a test out, or all others; the one above says why. */
const LEFT_OUT = /\b(?:describe|it|test)\b.*\.(?:skip|skipIf|runIf|todo|only)\b|\bskip: true\b/u;

function textOf(file: string): string {
  return readFileSync(join(TESTS, file), 'utf8');
}

/** The names given to `it` and `test` in a test file, as they are written; one that is commented out is none. */
function namesIn(text: string): readonly string[] {
  const code = text.replaceAll(/^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gmu, '');
  return [
    ...code.matchAll(/\b(?:it|test)(?:\.each\([\s\S]*?\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|`([^`]*)`)/gu),
  ].map(([, quoted, raw]) => quoted ?? raw ?? '');
}

/** The lines that leave a test out and do not say why. */
function leftOutIn(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line, at) => LEFT_OUT.test(line) && lines[at - 1]?.startsWith('// ') !== true);
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

  it('misses none of the pitfalls and mistakes that belong to them', () => {
    expect(invented(DONE_BESIDE)).toEqual([]);
    expect(DONE_BESIDE.filter((id) => REQUIREMENTS[id] === undefined)).toEqual([]);
  });

  it.each(Object.entries(REQUIREMENTS))('the proofs of %s exist', (_id, { whole, part, tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    expect(whole).toBe(part === undefined);
    for (const [file, name] of tests) {
      expect(existsSync(join(TESTS, file)), `${file} is missing`).toBe(true);
      expect(namesIn(textOf(file)), file).toContain(name);
      expect(leftOutIn(textOf(file)), file).toEqual([]);
    }
  });

  it('notices a test that does not exist', () => {
    const names = namesIn(textOf('unit/requirements.test.ts'));
    expect(names).toContain('notices a test that does not exist');
    expect(names).not.toContain('a test that nobody wrote');
  });

  it('notices a test that is commented out or left out', () => {
    const call = (name: string) => `  it('${name}', () => undefined);`;
    const commented = [`  // ${call('a')}`, '/*', call('b'), '*/', call('c')].join('\n');
    expect(namesIn(commented)).toEqual(['c']);
    const skip = "describe.skip('all', () => {";
    const aside = ['it.only', 'test.todo', 'describe.skipIf(isSlow)', 'it.each(EACH).skip'].map(
      (how) => `${how}('a', () => undefined);`,
    );
    expect(leftOutIn([skip, call('a'), '});', ...aside].join('\n'))).toEqual([skip, ...aside]);
    expect(leftOutIn(['// The broker of the box has no TLS.', skip].join('\n'))).toEqual([]);
    expect(leftOutIn(call('skips what it knows'))).toEqual([]);
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
