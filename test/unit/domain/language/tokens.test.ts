import { describe, expect, test } from 'vitest';
import type { Language } from '../../../../src/domain/language/language.ts';
import { tokenise } from '../../../../src/domain/language/tokens.ts';

const words = (text: string, language: Language = 'en') => tokenise(text, language).map(({ text }) => text);

describe('the tokens of a text', () => {
  test.each([
    ['Read the Temperature, please!', ['read', 'the', 'temperature', 'please']],
    ["What's machine 12's temperature?", ['what', 'is', 'machine', '12', 'temperature']],
    ['what’s wrong', ['what', 'is', 'wrong']],
    ["don't stop", ['do', 'not', 'stop']],
    ['ＰＵＭＰ　１２', ['pump', '12']],
    ['A12', ['a', '12']],
    ['set it to -5', ['set', 'it', 'to', '-5']],
    ['55.5% of 20 °C.', ['55.5', 'percent', 'of', '20', 'degrees']],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test.each(['12,5', '10:30', '1/2', '1.2.3'])(
    '%s stays one piece, so that no part of it becomes a number',
    (text) => {
      expect(words(text)).toEqual([text]);
    },
  );

  test('a raised digit does not become part of the number before it', () => {
    expect(words('5²')).toEqual(['5', '²']);
  });

  test('Chinese gives the same tokens typed and as recognised', () => {
    expect(words('读取12号机床的温度。', 'zh')).toEqual(words('读取 12 号 机床 的 温度', 'zh'));
    expect(words('Ａ１２机床', 'zh')).toEqual(['a', '12', '机', '床']);
    expect(words('设为50%', 'zh')).toEqual(['设', '为', '百', '分', '之', '50']);
  });

  test('a hyphen within a name is told from a sign', () => {
    expect(tokenise('pump-3', 'en')[1]).toEqual({ text: '-3', hyphenated: true });
    expect(tokenise('to -3', 'en')[1]).toEqual({ text: '-3', hyphenated: false });
  });

  test('the mark for an unknown sound stays whole', () => {
    expect(words('stop [unk]')).toEqual(['stop', '[unk]']);
  });
});
