import { personForms } from '../privacy/person-forms.ts';
import type { PersonNames } from '../privacy/person-names.ts';
import type { ErasedPerson } from '../privacy/pseudonymise.ts';
import { type KeyedHash, MARK, redact } from './redact.ts';

const BADGE_WORDS = [
  'badge',
  'badge number',
  'badge no.',
  'card',
  'card number',
  '工牌',
  '胸卡',
  '工号',
  '卡号',
];
const BEHIND_WORD = ['', ' ', ': ', '：', '是', ' is '];
const TELEPHONE = /^\+?[\d ().-]{7,}$/u;

/**
 * Everything that a remembered text may name somebody by: names, id, address, badge, telephone numbers, and the marks that stand
 * in place of what was redacted, which are equal for equal numbers.
 */
export function formsOfPerson(
  { id, person, also }: ErasedPerson,
  names: PersonNames,
  hash: KeyedHash,
): readonly string[] {
  const known = person === undefined ? [] : personForms(person);
  // What only looks like a name, such as that of a machine, names nobody.
  const written = [...known.map(({ text }) => text), ...also, id].filter(
    (text) => names.inText(text) !== text,
  );
  const badges = known
    .filter(({ place }) => place === 'badge')
    .flatMap(({ text }) =>
      BADGE_WORDS.flatMap((word) => BEHIND_WORD.map((between) => word + between + text)),
    );
  const numbers = also.filter((each) => TELEPHONE.test(each)).flatMap(grouped);
  const marks = [...written, ...also, ...numbers].flatMap((text) =>
    [text, `phone ${text}`, `id card ${text}`].flatMap((each) => redact(each, hash).text.match(MARK) ?? []),
  );
  return [...new Set([...written, ...badges, ...also, ...numbers, ...marks])].filter(
    (form) => form !== '[secret]',
  );
}

function grouped(number: string): readonly string[] {
  const digits = number.replaceAll(/\D/gu, '');
  const mobile = /^(?:86)?(1\d{2})(\d{4})(\d{4})$/u.exec(digits);
  return [digits, ...(mobile === null ? [] : ['', '-', ' '].map((between) => mobile.slice(1).join(between)))];
}
