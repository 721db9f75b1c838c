import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Person } from '../../../../src/domain/people/person.ts';
import { personForms } from '../../../../src/domain/privacy/person-forms.ts';
import {
  erasing,
  pseudonymFrom,
  pseudonymise,
  shownWith,
} from '../../../../src/domain/privacy/pseudonymise.ts';

function person(id: string, en: string, zh: string, more: Partial<Person> = {}): Person {
  return { id, names: { en, zh }, also: { en: [], zh: [] }, title: {}, role: 'operator', ...more };
}

const WEI = person('zhang-wei@maintenance', 'Zhang Wei', '张伟', {
  title: { en: 'engineer', zh: '工程师' },
  email: 'zhang.wei@example.com',
  badge: '1007',
});
const NA = person('li-na@quality', 'Li Na', '李娜', {
  also: { en: ['Lina'], zh: ['娜姐'] },
  badge: 'Q-88124',
});
const LEI = person('wang', 'Wang Lei', '王磊');
/** A form where no letter or digit of a language with spaces stands beside it. */
function asWords(form: string): RegExp {
  const plain = form.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(`(?<![a-z0-9])${plain}(?![a-z0-9])`, 'u');
}

const PEOPLE = [WEI, NA, LEI];
const PSEUDONYMS = new Map([
  [WEI.id, 'person-00000001'],
  [NA.id, 'person-00000002'],
  [LEI.id, 'person-00000003'],
]);
const names = pseudonymise(PEOPLE, PSEUDONYMS, ['pump-7', 'Li Na pump', '张伟泵']);

describe('in a text of the audit', () => {
  it.each([
    ['zhang-wei@maintenance asked', 'person-00000001 asked'],
    ['mail to Zhang.Wei@Example.com', 'mail to person-00000001'],
    ['ZHANG WEI, Wei Zhang and zhangwei', 'person-00000001, person-00000001 and person-00000001'],
    ['告诉张伟和李娜', '告诉person-00000001和person-00000002'],
    ['Mr Zhang Wei and 张伟工程师', 'Mr person-00000001 and person-00000001工程师'],
    ['张工说，engineer Zhang said', 'person-00000001说，person-00000001 said'],
    ['call 138-0013-8000 or +44 20 7946 0958', 'call [phone] or [phone]'],
    ['Mr Wang and 王师傅', 'person-00000003 and person-00000003'],
    [
      'Lina, 娜姐, badge no. 1007, badge Q-88124',
      'person-00000002, person-00000002, badge no. person-00000001, badge person-00000002',
    ],
  ])('%s', (text, hidden) => {
    expect(names.inText(text)).toBe(hidden);
  });

  it.each([
    'Wang asked for the engineer',
    'set pump-7 to 1007 rpm',
    'the Li Na pump and 张伟泵 run',
    'linair and Zhangweiler are other words',
    '施工后小于5度',
    'counter 13800138000123, 1380013800-1, tr_13800138000',
    '2026-01-07T10:07:00.100Z 9c8e1007-1007-4007-8007-100710071007',
  ])('leaves alone: %s', (text) => {
    expect(names.inText(text)).toBe(text);
  });

  it('names all who share a form', () => {
    const namesake = person('zhang-wei@production', 'Zhang Wei', '张伟');
    const both = pseudonymise([WEI, namesake], new Map([...PSEUDONYMS, [namesake.id, 'person-00000009']]));
    expect(both.inValue({ text: '张伟', person: { id: namesake.id, name: 'Zhang Wei' } })).toEqual({
      text: 'person-00000001/person-00000009',
      person: { id: 'person-00000009', name: 'person-00000009' },
    });
  });

  it('leaves no form of anybody, whatever stands around it', () => {
    const around = fc.string({ unit: fc.constantFrom(...' .,;!?()"\'\n\t，。说的'), maxLength: 6 });
    const forms = PEOPLE.flatMap((each) => personForms(each))
      .filter(({ place }) => place === 'text' || place === 'titled')
      .map(({ text }) => text);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(around, fc.constantFrom(...forms)), { minLength: 1 }),
        around,
        (parts, end) => {
          const text = `${parts.map(([before, form]) => ` ${before} ${form}`).join(' ')} ${end}`;
          const hidden = names
            .inText(text)
            .toLowerCase()
            .replaceAll(/person-\d{8}/gu, '#');
          for (const form of forms) expect(hidden).not.toMatch(asWords(form));
        },
      ),
    );
  });

  it('changes nothing in what names nobody', () => {
    const word = fc.constantFrom(
      'pump-7',
      'hot',
      '温度',
      'sets',
      '80',
      'Wang',
      '1007',
      '°C',
      'E-203',
      '施工',
      'a.b@c.org',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join(' ');
        expect(names.inText(text)).toBe(text);
      }),
    );
  });
});

describe('in a value of the audit', () => {
  it('keeps keys, numbers and words that are people only in some fields', () => {
    expect(
      names.inValue({
        wang: 1007,
        by: 'wang',
        tool: 'wang',
        badge: '1007',
        count: '1007',
        caller: { id: 'wang', name: 'Wang Lei' },
      }),
    ).toEqual({
      wang: 1007,
      by: 'person-00000003',
      tool: 'wang',
      badge: 'person-00000001',
      count: '1007',
      caller: { id: 'person-00000003', name: 'person-00000003' },
    });
  });

  it('is the same object when nobody is named', () => {
    const value = { machine: 'pump-7', list: ['on', 3, null], more: { deep: ['x'] } };
    expect(names.inValue(value)).toBe(value);
  });
});

describe('what is shown of the audit', () => {
  it('has the names of those who still have a pseudonym', () => {
    const nameOf = (pseudonym: string) => (pseudonym === 'person-00000001' ? 'Zhang Wei' : undefined);
    expect(shownWith('person-00000001/person-00000002', nameOf)).toBe('Zhang Wei/person-00000002');
    expect(pseudonymFrom(new Uint8Array([0, 1, 254, 255]))).toBe('person-0001feff');
  });
});

describe('erasing a person', () => {
  const gone = erasing(
    { id: WEI.id, person: WEI, also: ['+86 138 0013 8000', 'Big Z'], pseudonym: 'person-00000001' },
    [NA.id, LEI.id],
  );

  it('takes out names, address, badge and telephone numbers, in words of the language of each', () => {
    expect(
      gone.inText('Zhang Wei 张伟 Big Z, 13800138000, 138-0013-8000, +86 138 0013 8000; 2138001380001'),
    ).toBe('[erased] 〔已删除〕 [erased], [erased], [erased], [erased]; 2138001380001');
  });

  it('leaves a namesake known by another id', () => {
    const other = { person: { id: NA.id, name: 'Zhang Wei' } };
    expect(gone.inValue(other)).toEqual(other);
    expect(gone.inValue({ person: { id: WEI.id, name: 'Zhang Wei' } })).toEqual({
      person: { id: '[erased]', name: '[erased]' },
    });
  });
});
