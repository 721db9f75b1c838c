import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shipped } from '../../../../src/config/shipped.ts';
import { PeopleDirectory, spokenForms } from '../../../../src/domain/people/directory.ts';
import { parsePeople } from '../../../../src/domain/people/people-file.ts';

const people = parsePeople(readFileSync(shipped('config/people.csv'), 'utf8'), 'people.csv');
const directory = new PeopleDirectory(people);

const ids = (spoken: string): readonly string[] => {
  const found = directory.find(spoken);
  if (found.kind === 'one') return [found.person.id];
  return found.kind === 'many' ? found.candidates.map(({ id }) => id) : [];
};

describe('the directory of people', () => {
  it.each([
    'zhang-wei@maintenance',
    'Zhang Wei',
    'zhang wei',
    'engineer Zhang',
    'Engineer Zhang Wei',
    '张伟',
    '张工',
    '张工程师',
    '张伟工程师',
  ])('knows one person as "%s"', (spoken) => {
    expect(directory.find(spoken)).toMatchObject({
      kind: 'one',
      exact: true,
      person: { id: 'zhang-wei@maintenance' },
    });
  });

  it.each(['Zhang', '小张', '老张'])('gives both of two people for "%s", and chooses neither', (spoken) => {
    expect(directory.find(spoken).kind).toBe('many');
    expect(ids(spoken)).toEqual(['zhang-wei@maintenance', 'zhang-min@production']);
  });

  it('marks a person that was only found by likeness', () => {
    expect(directory.find('Lina Li')).toMatchObject({ kind: 'none' });
    expect(directory.find('Wang Leung')).toMatchObject({ kind: 'none', nearest: 'wanglei' });
    expect(directory.find('Wang Lai')).toMatchObject({
      kind: 'one',
      exact: false,
      person: { id: 'wang-lei@maintenance' },
    });
  });

  it('gives all that a misheard name is like', () => {
    expect(directory.find('Zheng')).toMatchObject({ kind: 'many' });
  });

  it('knows nobody by a name that is like none', () => {
    expect(directory.find('Qwertyuiop')).toEqual({ kind: 'none', nearest: undefined });
    expect(directory.find('').kind).toBe('none');
  });

  it('finds the person of a badge', () => {
    expect(directory.withBadge('1012')?.id).toBe('zhang-min@production');
    expect(directory.withBadge('9999')).toBeUndefined();
  });

  it('lists everybody with all that they may be called, without digits, which a recogniser does not know', () => {
    const list = directory.spokenList();
    expect(list.map(({ value }) => value)).toEqual(people.map(({ id }) => id));
    for (const { spoken } of list)
      for (const name of [...spoken.en, ...spoken.zh]) expect(name).toMatch(/^[\p{L} ]+$/u);
  });

  it('takes a family name of two characters as one', () => {
    const [first] = people;
    if (first === undefined) throw new Error('the shipped file has people');
    const ouyang = { ...first, names: { en: 'Ouyang Hua', zh: '欧阳华' } };
    expect(spokenForms(ouyang, 'zh')).toContain('欧阳工');
    expect(spokenForms(ouyang, 'zh')).not.toContain('欧工');
  });
});
