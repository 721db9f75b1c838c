/** A person at a station of their own, and what they say. */
export interface Talker {
  readonly station: string;
  readonly go: string;
  readonly execute: string;
  readonly nothingToConfirm: string;
  readonly nothingToContinue: string;
  /** What ends a question without anything being done, and how that is answered. */
  readonly refusals: readonly [string, ...string[]];
  readonly refused: string;
  readonly undo: string;
  /** Takes a number that no other write has. */
  readonly write: readonly [(value: number) => string, ...((value: number) => string)[]];
  readonly order: string;
  /** What has the newest report sent. */
  readonly send?: string;
  /** What no rule understands, so that the model plans it. */
  readonly plan?: string;
}

/** How it is told that a report is made. */
export const REPORT_TOLD = 'The report is ready';

export const TALKERS: readonly [Talker, Talker] = [
  {
    station: 'ask-a',
    go: 'continue',
    execute: 'confirm execute',
    nothingToConfirm: 'There is nothing to confirm.',
    nothingToContinue: 'There is nothing to continue.',
    refusals: ['no', 'cancel', 'cancel that'],
    refused: 'Cancelled.',
    undo: 'undo that',
    write: [
      (value) => `set the setpoint of machine twelve to ${value}`,
      (value) => `set the limit of machine twelve to ${value}`,
    ],
    order: 'create a work order for machine twelve',
    send: 'send it to Zhang Wei',
    plan: 'kindly do whatever is best just now',
  },
  {
    station: 'ask-b',
    go: '继续',
    execute: '确认执行',
    nothingToConfirm: '没有等待确认的操作。',
    nothingToContinue: '没有可以继续的操作。',
    refusals: ['不', '取消'],
    refused: '已取消。',
    undo: '撤销',
    write: [(value) => `把三号泵的设定值设为${value}`],
    order: '为三号泵创建工单',
  },
];

const CONSENTS: readonly { readonly asked: RegExp; readonly words?: string }[] = [
  { asked: /Say (confirm execute(?: \w+)?), or cancel\.$/u },
  { asked: /Say yes or no\.$/u, words: 'yes' },
  { asked: /请说(确认执行)，或者取消。$/u },
  { asked: /请说可以或者取消。$/u, words: '可以' },
];

/** The consent that an answer asks for with its last words; undefined when it asks for none. */
export function consentTo(answer: string): string | undefined {
  for (const { asked, words } of CONSENTS) {
    const match = asked.exec(answer);
    if (match !== null) return words ?? match[1];
  }
  return undefined;
}
