import { describe, expect, test } from 'vitest';
import { parseTemplate } from '../../../../src/domain/intent/template.ts';

const scope = {
  lists: new Set(['machine', 'quantity']),
  rules: new Map([
    ['read', '(read|show [me])'],
    ['again', '<and_again>'],
    ['and_again', 'more <again>'],
  ]),
};
const parse = (text: string) => parseTemplate(text, 'intents.x sentence 1', scope);

describe('a sentence template', () => {
  test('is words, alternatives, optional parts, lists and rules', () => {
    expect(parse('<read> [the|a] {quantity:what} of {machine}')).toEqual({
      kind: 'sequence',
      parts: [
        {
          kind: 'choice',
          options: [
            { kind: 'word', text: 'read' },
            {
              kind: 'sequence',
              parts: [
                { kind: 'word', text: 'show' },
                { kind: 'optional', part: { kind: 'word', text: 'me' } },
              ],
            },
          ],
        },
        {
          kind: 'optional',
          part: {
            kind: 'choice',
            options: [
              { kind: 'word', text: 'the' },
              { kind: 'word', text: 'a' },
            ],
          },
        },
        { kind: 'list', list: 'quantity', slot: 'what' },
        { kind: 'word', text: 'of' },
        { kind: 'list', list: 'machine', slot: 'machine' },
      ],
    });
  });

  test.each([
    ['read {machin}', 'column 6: there is no list "machin"', 'did you mean "machine"?'],
    ['<reed> it', 'column 1: there is no expansion rule "reed"', 'did you mean "read"?'],
    ['say {xyzxyz}', 'column 5: there is no list "xyzxyz"', undefined],
    ['read (the|a', 'column 6: "(" is never closed', undefined],
    ['read [the)', 'column 10: ")" closes nothing', undefined],
    ['read the]', 'column 9: "]" closes nothing', undefined],
    ['read {machine', 'column 6: "{" is never closed', undefined],
    ['read >', 'column 6: ">" closes nothing', undefined],
    ['read (the|)', 'column 11: words are missing here', undefined],
    ['   ', 'column 1: words are missing here', undefined],
    ['line 3', 'column 6: write the number in "3" as a word', undefined],
    ['read - it', 'column 6: "-" is no word', undefined],
    ['{machine:The One}', 'column 1: "The One" is no name for a slot', undefined],
    ['<again>', 'the rule contains itself: again > and_again > again', undefined],
  ])('%s is refused with its place', (text, problem, hint) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'SENTENCES_INVALID',
        message: expect.stringContaining(problem),
        hint,
      }),
    );
  });

  test('an error names the file key and the sentence', () => {
    expect(() => parse('read {machin}')).toThrow('intents.x sentence 1, "read {machin}", column 6');
  });

  test('brackets without end are refused, not followed until the stack is full', () => {
    expect(() => parse('('.repeat(100_000))).toThrow('nested too deeply');
  });
});
