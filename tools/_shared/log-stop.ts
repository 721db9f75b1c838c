import type { LogRecord } from './log-records.ts';

const STOP = /\b(?:stop(?:s|ped)?|halt(?:s|ed)?|trip(?:s|ped)?|shut ?down)\b|停止|停机|停车|急停|跳闸/iu;
const START = /\b(?:start(?:s|ed)?|restarted)\b|启动|开机/iu;
/** What has these words in it besides is no stop: "stop button released". */
const OVER = /\b(?:not|no|released|reset|cleared|recovered)\b|未|解除|复位|恢复/iu;
const SEVERITIES = ['low', 'medium', 'high', 'critical'];
/** What lies further back is hardly why. */
const JUST_BEFORE_MS = 15 * 60_000;

export interface LoggedStop {
  readonly stop: LogRecord;
  /** What came before it since the machine was started, the likeliest cause first: an alarm that still stood, else the newest. */
  readonly before: readonly LogRecord[];
}

/** The newest record that says a stop, by the words of its text; `records` oldest first. Undefined where none says one. */
export function newestStop(records: readonly LogRecord[]): LoggedStop | undefined {
  const at = records.findLastIndex(isStop);
  const stop = records[at];
  if (stop === undefined) return undefined;
  const began = records.findLastIndex(
    (record, index) => index < at && (isStop(record) || says(record, START)),
  );
  const stoppedMs = Date.parse(stop.at);
  const since = records
    .slice(began + 1, at)
    .filter((record) => stoppedMs - Date.parse(record.at) <= JUST_BEFORE_MS);
  const weighed = since.map((record, index) => ({
    record,
    index,
    weight: weightOf(record, since.slice(index)),
  }));
  return {
    stop,
    before: weighed.sort((a, b) => b.weight - a.weight || b.index - a.index).map(({ record }) => record),
  };
}

/** How likely a record is the cause: by its severity while it stood, and least of all where it says that something is over. */
function weightOf(record: LogRecord, from: readonly LogRecord[]): number {
  if (record.event === 'cleared') return -1;
  if (from.some(({ event }) => event === 'cleared')) return 0;
  return SEVERITIES.indexOf(record.severity ?? '') + 1;
}

function isStop(record: LogRecord): boolean {
  return record.event !== 'cleared' && says(record, STOP) && !says(record, OVER);
}

function says({ en, zh }: LogRecord, words: RegExp): boolean {
  return words.test(en ?? '') || words.test(zh ?? '');
}
