import type { Handle } from '../../src/tooling/handler-api.ts';

const ROLE_NAMES: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  guest: { en: 'a guest', zh: '访客' },
  operator: { en: 'an operator', zh: '操作员' },
  maintainer: { en: 'a maintenance engineer', zh: '维修工程师' },
  supervisor: { en: 'a supervisor', zh: '主管' },
};

export const handle: Handle = async (_args, { use }) => {
  const caller = await use('caller.describe', {});
  if (!isCaller(caller)) throw new TypeError('caller.describe gave no caller');
  const { station, role, person } = caller;
  const names = ROLE_NAMES[role] ?? { en: role, zh: role };
  return {
    result: { station, role, person: person?.name ?? null },
    say: [
      {
        phrase: person === null ? 'unknown' : 'known',
        values: {
          role: { kind: 'text', ...names },
          ...(person === null ? {} : { person: person.name }),
        },
      },
    ],
  };
};

interface Described {
  readonly station: string;
  readonly role: string;
  readonly person: { readonly name: string } | null;
}

function isCaller(value: unknown): value is Described {
  return (
    typeof value === 'object' &&
    value !== null &&
    'station' in value &&
    typeof value.station === 'string' &&
    'role' in value &&
    typeof value.role === 'string' &&
    'person' in value
  );
}
