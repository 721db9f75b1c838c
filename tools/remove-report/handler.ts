import type { Handle } from '../../src/tooling/handler-api.ts';
import { isObject, textOf } from '../_shared/json.ts';

export const handle: Handle = async (args, { use }) => {
  const file = textOf(args['file'], 'file');
  const answer = await use('files.remove', { file });
  const removed = isObject(answer) && answer['removed'] === true;
  return { result: { file, removed }, say: [{ phrase: removed ? 'removed' : 'not_there', values: {} }] };
};
