import { describe, expect, it } from 'vitest';
import { parsePeople } from '../../../../src/domain/people/people-file.ts';

const HEAD = 'id,name_en,name_zh,also_en,also_zh,title_en,title_zh,role,email,badge';

describe('a file of people', () => {
  it('reads names, other names, title, role, e-mail and badge', () => {
    const text = `${HEAD}\nli-na,Li Na,李娜,Lina|Nana,小娜,technician,技师,operator,li.na@example.com,12\n`;
    expect(parsePeople(text, 'people.csv')).toEqual([
      {
        id: 'li-na',
        names: { en: 'Li Na', zh: '李娜' },
        also: { en: ['Lina', 'Nana'], zh: ['小娜'] },
        title: { en: 'technician', zh: '技师' },
        role: 'operator',
        email: 'li.na@example.com',
        badge: '12',
      },
    ]);
  });

  it('reads the data that somebody is kept to; nothing said is all of it', () => {
    const text = 'id,name_en,name_zh,role,scope\na,A A,甲,operator,plant|history\nb,B B,乙,operator,\n';
    const [kept, free] = parsePeople(text, 'people.csv');
    expect(kept?.scope).toEqual(['plant', 'history']);
    expect(free?.scope).toBeUndefined();
  });

  it('reads what Excel writes: a byte order mark, semicolons, CRLF', () => {
    const text = `\uFEFFid;name_en;name_zh;role\r\nli-na;Li Na;李娜;operator\r\n`;
    expect(parsePeople(text, 'people.csv')).toMatchObject([{ id: 'li-na', role: 'operator' }]);
  });

  it.each([
    ['id,name_en,name_zh,roll\n', /people\.csv:1 there is no column "roll"\. Did you mean "role"\?/u],
    ['id,name_en\n', /people\.csv:1 the column name_zh is missing/u],
    [`${HEAD}\nLi Na,Li Na,李娜,,,,,operator,,\n`, /people\.csv:2 id: lower-case letters/u],
    [`${HEAD}\nli-na,Li Na,,,,,,operator,,\n`, /people\.csv:2 name_zh/u],
    [`${HEAD}\nli-na,Li Na,李娜,,,,,boss,,\n`, /people\.csv:2 role/u],
    [`${HEAD}\nli-na,Li Na,李娜,,,,,operator,nobody,\n`, /people\.csv:2 email: an e-mail address/u],
    [
      `${HEAD}\nli-na,Li Na,李娜,,,,,operator,"a@example.com\r\nBcc: b@example.com",\n`,
      /people\.csv:2 email: an e-mail address/u,
    ],
    [
      `${HEAD}\na,A A,甲,,,,,operator,,7\nb,B B,乙,,,,,operator,,7\n`,
      /people\.csv:3 badge 7 is already in line 2/u,
    ],
    [
      'id,name_en,name_zh,role,scope\na,A A,甲,operator,plant|histroy\n',
      /people\.csv:2 scope: "histroy" is no data scope: plant, .*, node\. Did you mean "history"\?/u,
    ],
    ['', /people\.csv:1 the file is empty/u],
  ])('names line and column of a fault (%#)', (text, message) => {
    expect(() => parsePeople(text, 'people.csv')).toThrow(message);
  });
});
