import type { SayValue, Sentence } from '../../src/domain/tool/say.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { optionalText, textOf } from '../_shared/json.ts';
import { type LogRecord, recordItems, recordsOf } from '../_shared/log-records.ts';
import { type LoggedStop, newestStop } from '../_shared/log-stop.ts';
import { machineName } from '../_shared/readings.ts';

const MOST_SAID = 3;
const MOST_RECORDS = 20;
/** Among fewer records there may be no stop: a machine that works logs other things all day. */
const MOST_SEARCHED = 100;

export const handle: Handle = async (args, { use }) => {
  const machine = textOf(args['machine'], 'machine');
  const period = optionalText(args['period']);
  const asksStop = args['about'] === 'stop';
  const { records, raw } = recordsOf(
    await use('plclog.records', {
      machine,
      limit: typeof args['limit'] === 'number' ? args['limit'] : asksStop ? MOST_SEARCHED : MOST_RECORDS,
      ...(period === undefined ? {} : { period }),
    }),
  );
  const lost = records.reduce((sum, record) => sum + record.lost, 0);
  const named = records.filter(({ kind }) => kind === 'record');
  const id = raw.find((record) => typeof record['machine'] === 'string')?.['machine'];
  const name = machineName(typeof id === 'string' ? id : machine);
  const stopped = asksStop ? newestStop(named) : undefined;
  const say = stopped === undefined ? sayNewest(named, name) : sayStop(stopped, name);
  if (asksStop && stopped === undefined && named.length > 0)
    say.unshift({ phrase: 'no_stop', values: { machine: name } });
  if (lost > 0) say.push({ phrase: 'lost', values: { count: lost } });
  return {
    result: { machine: typeof id === 'string' ? id : machine, period: period ?? null, records: raw },
    say,
  };
};

function sayNewest(named: readonly LogRecord[], machine: SayValue): Sentence[] {
  const newest = named.slice(-MOST_SAID);
  if (newest.length === 0) return [{ phrase: 'none', values: { machine } }];
  const say: Sentence[] = [{ phrase: 'newest', values: { machine, list: recordItems(newest) } }];
  if (named.length > newest.length)
    say.push({ phrase: 'more', values: { count: named.length - newest.length } });
  return say;
}

function sayStop({ stop, before }: LoggedStop, machine: SayValue): Sentence[] {
  return [
    { phrase: 'stopped', values: { machine, list: recordItems([stop]) } },
    before.length === 0
      ? { phrase: 'nothing_before', values: {} }
      : { phrase: 'before', values: { list: recordItems(before.slice(0, MOST_SAID - 1)) } },
  ];
}
