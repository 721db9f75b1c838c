import type { Sentence } from '../../src/domain/tool/say.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { optionalText, textOf } from '../_shared/json.ts';
import { recordItems, recordsOf } from '../_shared/log-records.ts';
import { machineName } from '../_shared/readings.ts';

const MOST_SAID = 3;

export const handle: Handle = async (args, { use }) => {
  const machine = textOf(args['machine'], 'machine');
  const period = optionalText(args['period']);
  const { records, raw } = recordsOf(
    await use('plclog.records', {
      machine,
      limit: typeof args['limit'] === 'number' ? args['limit'] : 20,
      ...(period === undefined ? {} : { period }),
    }),
  );
  const lost = records.reduce((sum, record) => sum + record.lost, 0);
  const named = records.filter(({ kind }) => kind === 'record');
  const newest = named.slice(-MOST_SAID);
  const id = raw.find((record) => typeof record['machine'] === 'string')?.['machine'];
  const name = machineName(typeof id === 'string' ? id : machine);
  const say: Sentence[] = [
    newest.length === 0
      ? { phrase: 'none', values: { machine: name } }
      : { phrase: 'newest', values: { machine: name, list: recordItems(newest) } },
  ];
  if (named.length > newest.length)
    say.push({ phrase: 'more', values: { count: named.length - newest.length } });
  if (lost > 0) say.push({ phrase: 'lost', values: { count: lost } });
  return {
    result: { machine: typeof id === 'string' ? id : machine, period: period ?? null, records: raw },
    say,
  };
};
