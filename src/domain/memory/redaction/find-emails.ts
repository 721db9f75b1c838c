import { type Found, matchesOf } from './found.ts';

const DOMAIN = '(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z]{2,24}(?![a-z0-9])';
const TYPED = new RegExp(
  `(?:[a-z0-9](?:[a-z0-9._%+-]*[a-z0-9_%+-])?|\\p{Script=Han}{1,4}) ?@ ?${DOMAIN}`,
  'giu',
);
const TOP = 'com|cn|net|org|edu|gov|io|de|uk|eu|info|biz|hk|tw|jp|fr|it|es|us';
const SPOKEN = new RegExp(
  `(?<![a-z0-9])[a-z0-9]+(?: (?:dot|dash|underscore) [a-z0-9]+){0,3} at (?:[a-z0-9]+ (?:dot|dash) ){1,3}(?:${TOP})(?![a-z0-9])`,
  'giu',
);
const CHINESE = new RegExp(
  `[a-z0-9._-]+ ?(?:艾特|at) ?(?:[a-z0-9]+ ?[点.] ?){1,3}(?:${TOP})(?![a-z0-9])`,
  'giu',
);

/** E-mail addresses, typed or said. An id of the directory, such as `zhang-wei@maintenance`, is none. */
export function findEmails(form: string): readonly Found[] {
  return [TYPED, SPOKEN, CHINESE].flatMap((pattern) => matchesOf(form, pattern, 'email', plainEmail));
}

function plainEmail(text: string): string {
  return text
    .toLowerCase()
    .replace(/ dot | ?点 ?/gu, '.')
    .replace(/ dash /gu, '-')
    .replace(/ underscore /gu, '_')
    .replace(/ at | ?艾特 ?/gu, '@')
    .replace(/\s/gu, '');
}
