import { expect, it } from 'vitest';
import { LetterBox } from '../../../src/app/letter-box.ts';

it('lines wait for their own station, in their order, and are read once', async () => {
  const letters = new LetterBox();
  const told = [letters.keep('ask-1', 'first'), letters.keep('ask-1', 'second')];
  void letters.keep('ask-2', 'of another');
  const taken = letters.take('ask-1');
  expect(taken.lines).toEqual(['first', 'second']);
  taken.told({ heard: true });
  expect(await Promise.all(told)).toEqual([{ heard: true }, { heard: true }]);
  expect(letters.take('ask-1').lines).toEqual([]);
  expect(letters.take('ask-2').lines).toEqual(['of another']);
});

it('of many lines the newest twenty wait, and of many stations those told last; the others were not read', async () => {
  const letters = new LetterBox();
  const told = Array.from({ length: 21 }, (_, n) => letters.keep('ask-1', `${n}`));
  expect(await told[0]).toEqual({ heard: false, why: 'it gave way to newer lines' });
  const first = letters.keep('ask-2', 'early');
  for (let n = 0; n < 198; n += 1) void letters.keep(`ask-x${n}`, 'x');
  void letters.keep('ask-1', '21');
  void letters.keep('ask-new', 'new');
  expect(await first).toMatchObject({ heard: false });
  expect(letters.take('ask-2').lines).toEqual([]);
  expect(letters.take('ask-1').lines).toEqual(Array.from({ length: 20 }, (_, n) => `${n + 2}`));
});

it('lines that did not reach whoever asked wait on, before what came after them', async () => {
  const letters = new LetterBox();
  const first = letters.keep('ask-1', 'first');
  const taken = letters.take('ask-1');
  void letters.keep('ask-1', 'second');
  taken.told({ heard: false, why: 'gone' });
  const again = letters.take('ask-1');
  expect(again.lines).toEqual(['first', 'second']);
  again.told({ heard: true });
  expect(await first).toEqual({ heard: true });
});
