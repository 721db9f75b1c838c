import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { isObject, objectsOf, optionalText, textOf } from '../_shared/json.ts';

/** Words for any report at all. */
const ANY_KIND = ['report', 'document', 'file', '报告', '报表', '文件'];

export const handle: Handle = async (args, { use }) => {
  const period = optionalText(args['period']);
  const wanted = optionalText(args['kind']);
  const kind = wanted === undefined || ANY_KIND.includes(wanted) ? undefined : wanted;
  const format = optionalText(args['format']);
  const answer = await use('files.read', {
    find: { limit: 20, ...(period === undefined ? {} : { period }), ...(kind === undefined ? {} : { kind }) },
  });
  const files = objectsOf(isObject(answer) ? answer['files'] : undefined, 'files').filter(
    (file) => format === undefined || file['format'] === format,
  );
  const [newest] = files;
  if (newest === undefined)
    throw fault(
      'INPUT_INVALID',
      `period: no report${period === undefined ? '' : ` of ${period}`} was found`,
      {
        say: [{ phrase: 'none', values: {} }],
      },
    );
  const at = textOf(newest['created_at'], 'the time of a report');
  const title = textOf(newest['title'], 'the title of a report');
  return {
    result: { file: textOf(newest['file'], 'the name of a report'), files },
    say: [
      { phrase: 'found', values: { title, time: { kind: 'time', at } } },
      ...(files.length > 1 ? [{ phrase: 'more', values: { count: files.length - 1 } }] : []),
    ],
  };
};
