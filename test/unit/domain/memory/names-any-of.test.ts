import { expect, it } from 'vitest';
import { namesAnyOf } from '../../../../src/domain/memory/names-any-of.ts';

it.each([
  ['Li replaced the seal', ['Li']],
  ['ask LI.', ['Li']],
  ['the seal was replaced by zhang wei', ['Zhang Wei']],
  ['found by ＬＩ today', ['Li']],
  ['昨天张伟换了密封', ['张伟']],
  ['请li看一下', ['Li']],
  ['li@maintenance did it', ['li@maintenance']],
])('%s names %j', (text, forms) => {
  expect(namesAnyOf(text, forms)).toBe(true);
});

it.each([
  ['line 2 is listed', ['Li']],
  ['Olivier', ['Li']],
  ['li2 is a code', ['Li']],
  ['王伟换了密封', ['张伟']],
  ['anything', ['']],
  ['anything', []],
])('%s does not name %j', (text, forms) => {
  expect(namesAnyOf(text, forms)).toBe(false);
});
