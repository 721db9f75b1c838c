import { describe, expect, it } from 'vitest';
import { readProcedures } from '../../../../src/adapters/files/procedure-files.ts';
import { shipped } from '../../../../src/config/shipped.ts';
import { parseProcedure } from '../../../../src/domain/procedures/procedure.ts';
import { ProcedureLibrary } from '../../../../src/domain/procedures/procedure-library.ts';

const library = new ProcedureLibrary(readProcedures(shipped('config/procedures')));

describe('a procedure', () => {
  it('is title, keywords and steps of a Markdown file', () => {
    const text =
      '# Change **it**\n\nKeywords: one, two\n\n1. First\n   and more.\n2. [Second](http://x)\n\nDone.\n';
    expect(parseProcedure(text)).toEqual({
      title: 'Change it',
      keywords: ['one', 'two'],
      steps: ['First and more.', 'Second'],
    });
  });

  it('is none without a heading or without steps', () => {
    expect(parseProcedure('1. First\n')).toBeUndefined();
    expect(parseProcedure('# Title\n\nWords.\n')).toBeUndefined();
  });
});

describe('the procedures of a site', () => {
  it.each([
    ['change-bearing', 'change-bearing'],
    ['change a bearing', 'change-bearing'],
    ['更换轴承', 'change-bearing'],
    ['bearings', 'change-bearing'],
    ['the pump tripped', 'restart-pump'],
    ['泵跳停了怎么办', 'restart-pump'],
  ])('are found by "%s"', (words, id) => {
    expect(library.find(words, 3)[0]?.id).toBe(id);
  });

  it('are not found by words that none of them has', () => {
    expect(library.find('quantum', 3)).toEqual([]);
    expect(library.find('the of', 3)).toEqual([]);
  });

  it('are named by their titles', () => {
    expect(library.spokenList()).toContainEqual({
      value: 'change-bearing',
      spoken: { en: ['change a bearing'], zh: ['更换轴承'] },
    });
  });
});
