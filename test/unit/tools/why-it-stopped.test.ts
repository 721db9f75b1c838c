import { describe, expect, it, test } from 'vitest';
import { plcLogRecords } from '../../../src/app/capabilities/plclog-records.ts';
import type { PlcLogEntry } from '../../../src/app/ports/plc-log-store.ts';
import { sayResult } from '../../../src/app/say-result.ts';
import type { Language } from '../../../src/domain/language/language.ts';
import { MACHINE_EVENTS, type MachineEventName } from '../../../src/domain/plc/simulation/machine-event.ts';
import { saySchema } from '../../../src/domain/tool/say.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { createCapabilityHost } from '../../../src/tooling/capability-host.ts';
import { newestStop } from '../../../tools/_shared/log-stop.ts';
import { demoPlant } from '../../support/plant-file.ts';
import { shippedPhrases } from '../../support/shipped-phrases.ts';
import { callOf } from '../../support/tool-pack.ts';
import { shippedPack } from '../../support/tool-packs.ts';

const plant = demoPlant();
const pack = await shippedPack('read-plc-log');
const said = {
  phrases: shippedPhrases(),
  plant,
  clocks: { ...systemClocks(), wall: () => new Date('2026-03-05T08:00:00Z') },
  timeZone: 'UTC',
};

type Logged = readonly [minute: number, event: MachineEventName];

/** Records as they are kept of the PLC of machine twelve, each a minute of the hour before. */
const entriesOf = (logged: readonly Logged[]): readonly PlcLogEntry[] =>
  logged.map(([minute, event], at) => ({
    id: at + 1,
    ref: { machine: 'machine-12', log: 'events' },
    arrivedAtMs: 0,
    bootId: 'b',
    seq: at + 1,
    atMs: Date.UTC(2026, 2, 5, 7, minute),
    kind: 'record',
    epoch: 0,
    position: at,
    slot: at,
    raw: '',
    atSource: 'plc',
    plcTime: null,
    plcAtMs: null,
    clockOffsetMs: null,
    correctedAtMs: null,
    sequence: at,
    code: MACHINE_EVENTS[event],
    values: { value: 0 },
    badFields: [],
  }));

async function why(logged: readonly Logged[], language: Language, args = { about: 'stop' }): Promise<string> {
  const records = plcLogRecords({
    plant,
    store: { latest: async ({ limit }) => entriesOf(logged).slice(-(limit ?? 20)) },
    periodOf: () => ({ fromMs: 0, toMs: 1 }),
  });
  const signal = new AbortController().signal;
  const host = createCapabilityHost([records]);
  const { say } = await pack.handle(
    { machine: 'machine-12', ...args },
    {
      signal,
      idempotencyKey: 'key-1',
      use: (name, given) => host(name, given, { call: callOf('any'), signal }),
    },
  );
  return sayResult(saySchema.parse(say ?? []), pack.contract.phrases, said, language);
}

const JAMMED: readonly Logged[] = [
  [2, 'jam'],
  [3, 'stop'],
  [4, 'recovered'],
  [10, 'start'],
  [46, 'batch_done'],
  [49, 'jam'],
  [50, 'written'],
  [51, 'stop'],
  [55, 'door_open'],
  [56, 'door_closed'],
  [57, 'batch_done'],
  [58, 'written'],
];

describe('why a machine stopped', () => {
  test.each([
    [
      'en',
      'machine twelve: at seven fifty one stopped. Before that: at seven forty nine jammed, at seven fifty value written.',
    ],
    ['zh', '十二号机床：七点五十一分停止。此前：七点四十九分卡住，七点五十分数值已写入。'],
  ] as const)(
    'begins with the stop, then the likeliest cause of what came before it (%s)',
    async (language, line) => {
      expect(await why(JAMMED, language)).toBe(line);
    },
  );

  it('is the newest of what came before where nothing in it is graver, and never what is over', async () => {
    const logged: readonly Logged[] = [
      [40, 'start'],
      [44, 'jam'],
      [45, 'recovered'],
      [50, 'door_open'],
      [50, 'stop'],
    ];
    expect(await why(logged, 'en')).toMatch(
      /stopped\. Before that: at seven fifty door open, at seven forty four jammed\.$/u,
    );
  });

  it('is not what came before an earlier stop, or long before', async () => {
    const logged: readonly Logged[] = [
      [1, 'overheat'],
      [2, 'stop'],
      [3, 'start'],
      [5, 'batch_done'],
      [51, 'stop'],
    ];
    expect(await why(logged, 'en')).toMatch(/stopped\. The log has nothing just before that\.$/u);
    expect(await why(logged, 'zh')).toMatch(/停止。日志中此前没有相关记录。$/u);
  });

  it('is not told by a log that has no stop; what it has is', async () => {
    expect(await why([[5, 'start']], 'en')).toMatch(
      /^The log of machine twelve has no stop\. The log of machine/u,
    );
    expect(await why([[5, 'start']], 'zh')).toMatch(/^十二号机床的日志里没有停机。/u);
    expect(await why([], 'en')).toBe('The log of machine twelve has no records.');
  });

  test.each([
    ['emergency stop', '急停', true],
    ['drive tripped', '驱动跳闸', true],
    ['Motor halted', '电机停止', true],
    ['stop button released', '停止按钮解除', false],
    ['stopper moved', '挡块移动', false],
    ['started', '启动', false],
  ])('is asked of a record that says a stop by its words: %s %s', (en, zh, isStop) => {
    const record = {
      kind: 'record',
      at: '2026-03-05T07:50:00Z',
      en,
      zh,
      lost: 0,
      severity: undefined,
      event: undefined,
    };
    expect(newestStop([record])?.stop === record).toBe(isStop);
  });
});
