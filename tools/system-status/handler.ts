import type { JsonObject } from '../../src/domain/json.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { isObject, numberOf, objectsOf, textOf } from '../_shared/json.ts';

export const handle: Handle = async (_args, { use }) => {
  const answer = await use('node.status', {});
  const node = isObject(answer) ? answer : {};
  const parts = objectsOf(node['parts'], 'parts');
  const troubled = parts.filter(({ status }) => status === 'down' || status === 'degraded');
  const names = new Map(troubled.map((part) => namesOf(part)).map((name) => [name.en, name]));
  return {
    result: {
      status: textOf(node['status'], 'the status of the node'),
      version: textOf(node['version'], 'the version'),
      uptime_s: numberOf(node['uptime_s'], 'the uptime'),
      trouble: troubled.map(({ name = null, status = null, detail = null }) => ({ name, status, detail })),
    },
    say: [
      names.size === 0
        ? { phrase: 'well', values: {} }
        : {
            phrase: 'trouble',
            values: {
              parts: {
                kind: 'list',
                items: [...names.values()].map((name) => ({ phrase: 'part', values: { name } })),
              },
            },
          },
    ],
  };
};

function namesOf(part: JsonObject): { readonly kind: 'text'; readonly en: string; readonly zh: string } {
  const names = isObject(part['names']) ? part['names'] : {};
  return {
    kind: 'text',
    en: textOf(names['en'], 'the name of a part'),
    zh: textOf(names['zh'], 'the name of a part'),
  };
}
