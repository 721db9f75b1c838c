import { describe, expect, it } from 'vitest';
import { quoted } from '../../../tools/_shared/remembered.ts';

describe('what was remembered, read aloud', () => {
  it('is the text itself', () => {
    expect(quoted('the seal kits are in cabinet four.')).toBe('the seal kits are in cabinet four');
  });

  it('says that something was not kept, and never its hash', () => {
    expect(quoted('call [phone:0123456789abcdef] if pump three fails, code [secret]')).toEqual({
      kind: 'text',
      en: 'call a telephone number that I do not keep if pump three fails, code something secret that I do not keep',
      zh: 'call 一个未保存的电话号码 if pump three fails, code 一项未保存的密码',
    });
  });

  it('holds no sign that could end a quotation, and no more than two hundred characters', () => {
    expect(quoted('a” and “b')).toBe('a and b');
    expect([...String(quoted('x'.repeat(500)))].length).toBe(201);
  });
});
