import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redact } from '../../../../src/domain/memory/redact.ts';

const hash = (kind: string, normalised: string): string =>
  createHmac('sha256', 'key of the test').update(`${kind}:${normalised}`).digest('hex').slice(0, 16);
const clean = (text: string): string => redact(text, hash).text;
const shown = (text: string): string => clean(text).replace(/:[0-9a-f]{16}\]/gu, ']');

/** Every digit of a text, typed or said, in any script that the tests write. */
function digitsIn(text: string): string {
  const words = 'zero one two three four five six seven eight nine'.split(' ');
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\[(?:phone|id|email|address|card):[0-9a-f]{16}\]/gu, '|')
    .replace(/\b(?:zero|one|two|three|four|five|six|seven|eight|nine)\b/gu, (word) =>
      String(words.indexOf(word)),
    )
    .replace(/[零幺一二三四五六七拐八九]/gu, (sign) =>
      String('零一二三四五六七八九'.indexOf(sign === '幺' ? '一' : sign === '拐' ? '七' : sign)),
    )
    .replace(/[^0-9|]/gu, '');
}

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((each) => each.join(''));
const mobile = fc
  .tuple(fc.constantFrom('13', '15', '17', '18', '19'), digits(9))
  .map((parts) => parts.join(''));
const luhnNumber = fc.tuple(fc.constantFrom('4', '5', '62'), digits(14)).map(([issuer, rest]) => {
  const body = `${issuer}${rest}`.slice(0, 15);
  const sum = [...body].reverse().reduce((total, sign, i) => {
    const digit = Number(sign) * (i % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
});
const chineseId = fc
  .tuple(
    digits(5),
    fc.integer({ min: 1950, max: 2010 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
    digits(3),
  )
  .map(([place, year, month, day, serial]) => {
    const body = `3${place}${year}${String(month).padStart(2, '0')}${String(day).padStart(2, '0')}${serial}`;
    const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const sum = weights.reduce((total, weight, i) => total + weight * Number(body[i]), 0);
    return `${body}${'10X98765432'[sum % 11]}`;
  });

const wide = (text: string): string =>
  [...text].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).join('');
const grouped = (separator: string) => (text: string) =>
  text.replace(/^(...)(....)(.*)$/u, `$1${separator}$2${separator}$3`);
const inChinese = (text: string): string =>
  [...text].map((sign) => '零幺二三四五六拐八九'[Number(sign)] ?? sign).join('');
const inEnglish = (text: string): string =>
  [...text]
    .map((sign) => 'zero one two three four five six seven eight nine'.split(' ')[Number(sign)])
    .join(' ');
const spelling = fc.constantFrom(
  (text: string) => text,
  grouped(' '),
  grouped('-'),
  (text: string) => `+86 ${text}`,
  wide,
  inChinese,
  inEnglish,
);
const sentence = fc.constantFrom(
  (middle: string) => `the fitter said ${middle} is his`,
  (middle: string) => `张工说，${middle}，二号泵坏了`,
  (middle: string) => middle,
  (middle: string) => `Call him: ${middle}.`,
  (middle: string) => `打${middle}找张伟`,
);

describe('what must not be kept', () => {
  it('a planted mobile number never survives, however it is written or said', () => {
    fc.assert(
      fc.property(mobile, spelling, sentence, (number, spell, say) => {
        expect(digitsIn(clean(say(spell(number))))).not.toContain(number.slice(0, 7));
      }),
    );
  });

  it('two spellings of one mobile number get one mark', () => {
    fc.assert(
      fc.property(mobile, spelling, (number, spell) => {
        expect(clean(spell(number))).toBe(`[phone:${hash('phone', number)}]`);
      }),
    );
  });

  it('a planted identity number or card never survives', () => {
    fc.assert(
      fc.property(
        fc.oneof(chineseId, luhnNumber),
        fc.constantFrom(
          (text: string) => text,
          wide,
          (text: string) => text.replace(/(....)/gu, '$1 ').trim(),
        ),
        sentence,
        (number, spell, say) => {
          expect(digitsIn(clean(say(spell(number))))).not.toContain(number.slice(0, 8));
        },
      ),
    );
  });

  it.each([
    ['ring 010-62345678 or (0755) 2345 6789', 'ring [phone] or [phone]'],
    ['+49 30 1234567, 5 bar', '[phone], 5 bar'],
    ['+1 212 555 0100', '[phone]'],
    ['(555) 234-1234', '[phone]'],
    ['call 62345678', 'call [phone]'],
    ['Tel:13800138000/13900139000', 'Tel:[phone]/[phone]'],
    ['phone one three eight double zero one three eight triple zero please', 'phone [phone] please'],
    ['幺三八，零零幺三，八零零零', '[phone]'],
    ['id 110105 19491231 002X ok', 'id [id] ok'],
    ['passport E12345678', 'passport [id]'],
    ['护照号是E12345678', '护照号是[id]'],
    ['123-45-6789', '[id]'],
    ['GB82 WEST 1234 5698 7654 32', '[card]'],
    ['卡号 6222 0212 3456 7890 123', '卡号 [card]'],
    ['zhang.wei@example.com now', '[email] now'],
    ['发到ｚｈａｎｇ＠ｑｑ．ｃｏｍ吧', '发到[email]吧'],
    ['zhang dot wei at example dot com', '[email]'],
    ['the kits go to 12 Oak Street', 'the kits go to [address]'],
    ['he lives at twelve main street', 'he lives at [address]'],
    ['5 Rose Lane, Springfield, IL 62704', '[address]'],
    ['Hauptstraße 12, 10115 Berlin', '[address]'],
    ['寄到北京市海淀区中关村大街27号', '寄到[address]'],
    ['张伟住在上海市浦东新区张江路100弄5号301室，记得', '张伟住在[address]，记得'],
    ['阳光花园5号楼2单元501室', '[address]'],
  ])('%s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['password is hunter2 and the seal leaks', 'password is [secret] and the seal leaks'],
    ['the password of the panel is tiger five nine. Next', 'the password of the panel is [secret]. Next'],
    ['the pin is 4711', 'the pin is [secret]'],
    ['"password": "abc def"', '"password": [secret]'],
    ['密码是1234记得', '密码是[secret]记得'],
    ['密码改成幺二三四', '密码改成[secret]'],
    ['口令：芝麻开门', '口令：[secret]'],
    ['Bearer abcdef123456', 'Bearer [secret]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def', '[secret]'],
    ['AKIAIOSFODNN7EXAMPLE', '[secret]'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[secret]'],
    ['mqtt://user:pa:ss@host:1883', 'mqtt://[secret]@host:1883'],
    ['http://x/y?a=1&token=abc123', 'http://x/y?a=1&token=[secret]'],
    ['aws_secret_access_key=abcd/efg+1', 'aws_secret_access_key=[secret]'],
  ])('a secret leaves no trace, not even a hash: %s', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it('tells how much of each kind was taken out', () => {
    expect(redact('13800138000, 13900139000, a@b.com, password is hunter2', hash).removed).toEqual([
      { kind: 'phone', count: 2 },
      { kind: 'email', count: 1 },
      { kind: 'secret', count: 1 },
    ]);
  });
});

describe('what is no secret of anybody', () => {
  const unit = fc.constantFrom('bar', 'rpm', 'degrees', 'pieces', '%', '度', '转', '件');
  const survivor = fc.oneof(
    fc.tuple(fc.constantFrom('E-', 'A', 'F0', 'AL-'), digits(3)).map((parts) => parts.join('')),
    fc.tuple(digits(3), digits(2)).map(([a, b]) => `6ES7 ${a}-1AG${b}`),
    fc.integer({ min: 0, max: 9999 }).map((offset) => `4${String(offset).padStart(4, '0')}`),
    fc.integer({ min: 0, max: 9999 }).map((offset) => `40001-4${String(offset).padStart(4, '0')}`),
    fc
      .tuple(fc.double({ min: -9999, max: 99999, noNaN: true }), unit)
      .map(([value, u]) => `${value.toFixed(2)} ${u}`),
    fc.tuple(fc.integer({ min: 0, max: 99_999_999 }), unit).map(([value, u]) => `${value} ${u}`),
    fc
      .date({ min: new Date('2001-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 16).replace('T', ' ')),
    fc.integer({ min: 1_500_000_000_000, max: 2_000_000_000_000 }).map(String),
    digits(6).map((number) => `WO-2026-${number}`),
    digits(11).map((number) => `SN-${number}`),
    digits(10).map((number) => `order ${number}`),
    digits(12).map((number) => `订单号${number}`),
    digits(8).map((number) => `料号${number}`),
    digits(3).map((number) => `192.168.10.${Number(number) % 256}`),
    digits(2).map((number) => `P${number}`),
    digits(4).map((number) => `DB${number}.DBX0.1`),
  );

  it('part numbers, codes, registers, readings, dates, times and order numbers always survive', () => {
    fc.assert(
      fc.property(
        fc.array(survivor, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(', ', ' and ', '，', '；'),
        fc.constantFrom('pump seven: ', '七号泵：', 'we read ', ''),
        (parts, separator, before) => {
          const text = before + parts.join(separator);
          expect(clean(text)).toBe(text);
        },
      ),
    );
  });

  it.each([
    'the password is wrong',
    'the password is missing, reset it',
    '密码是多少',
    '密码错了',
    'the pin is bent',
    'move 3 pallets out of the way of the 2 servo drive',
    '二号线路3号泵，管路3号阀，油路2号',
    '三号柜，四号泵，一百九十五度',
    'zhang-wei@maintenance replaced it',
    'values 12 13 14 15 16 17 18',
    'pressure 1.25 1.30 1.35 bar at 14:30:05',
    '一二三四五六七八九',
    'M8x40 ISO 4017',
    'E two zero three on pump seven',
    'part 555-234-1234',
    'the register address is 40001',
    'IP地址是192.168.1.10',
    'close the valve in 10 minutes drive',
    'readings 138 0013 8000 rpm',
  ])('%s', (text) => {
    expect(clean(text)).toBe(text);
  });

  it('a second time nothing more is taken out', () => {
    fc.assert(
      fc.property(mobile, spelling, sentence, (number, spell, say) => {
        const once = clean(say(spell(number)));
        expect(clean(once)).toBe(once);
      }),
    );
  });
});
