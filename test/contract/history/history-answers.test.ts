import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HistoryAnswers } from '../../../src/app/history/history-answers.ts';
import { NO_SHIFTS } from '../../../src/domain/history/shift-calendar.ts';
import { HistorySite } from '../../support/history-site.ts';
import { plantOf } from '../../support/plant-file.ts';

const plant = plantOf(`
connections: { line-1: { transport: tcp, host: plc.local } }
devices:
  plc: { connection: line-1, unit_id: 1, address_base: 0, byte_order: ABCD }
machines:
  oven:
    names: { en: [oven twelve], zh: [十二号烤炉] }
    device: plc
    points:
      temperature:
        { names: { en: [heat], zh: [温度] }, register: holding, address: 0, type: float32, unit: °C, decimals: 1 }
      mode:
        names: { en: [mode], zh: [模式] }
        register: holding
        address: 2
        type: uint16
        enum: { 0: { en: stopped, zh: 停止 }, 1: { en: running, zh: 运行 } }
`);

let site: HistorySite;
beforeEach(() => {
  site = new HistorySite();
});
afterEach(() => site.remove());

async function answersOf(): Promise<{ readonly answers: HistoryAnswers; stop(): Promise<void> }> {
  const store = await site.open();
  store.append([site.sample(218.37), site.sample(1, { ref: { machine: 'oven', point: 'mode' } })]);
  site.advance(60_000);
  const answers = new HistoryAnswers({
    plant,
    store,
    clocks: {
      monotonicMs: () => site.monotonicMs,
      wall: () => new Date(site.nowMs),
      bootId: 'boot 1',
      nextSeq: () => 0,
    },
    timeZone: 'Asia/Shanghai',
    shifts: NO_SHIFTS,
    clockState: () => 'synced',
  });
  return { answers, stop: () => store.stop() };
}

describe('what is asked of history', () => {
  it('is found by key or by any name, and is told unrounded with how a person wants it', async () => {
    const { answers, stop } = await answersOf();
    for (const [machine, point] of [
      ['oven', 'temperature'],
      ['12号烤炉', '温度'],
      ['Oven 12', 'heat'],
    ] as const)
      expect(await answers.over(machine, point, 'last hour')).toMatchObject([
        {
          machine: 'oven',
          point: 'temperature',
          decimals: 1,
          time_zone: 'Asia/Shanghai',
          last: { value: 218.37 },
        },
      ]);
    await stop();
  });

  it('is told with what a value is called', async () => {
    const { answers, stop } = await answersOf();
    expect(await answers.over('oven', 'mode', 'last hour')).toMatchObject([
      { last: { value: 1, meaning: 'running' } },
    ]);
    await stop();
  });

  it('is refused with what there is', async () => {
    const { answers, stop } = await answersOf();
    await expect(answers.over('ovn', undefined, 'today')).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining('oven (oven twelve, 十二号烤炉)'),
    });
    await expect(answers.over('oven', 'temprature', 'today')).rejects.toMatchObject({
      message: expect.stringContaining('Did you mean "temperature"?'),
    });
    await stop();
  });
});

describe('the values themselves', () => {
  it('come page by page, each once, oldest first, good ones only', async () => {
    const { answers, stop } = await answersOf();
    const store = await site.open();
    await stop();
    for (const value of [219, 220, 221]) {
      store.append([site.sample(value)]);
      site.advance(60_000);
    }
    store.append([site.sample(undefined, { quality: 'bad', reason: 'timeout' })]);
    site.advance(60_000);
    const paged = new HistoryAnswers({
      plant,
      store,
      clocks: {
        monotonicMs: () => site.monotonicMs,
        wall: () => new Date(site.nowMs),
        bootId: 'boot 1',
        nextSeq: () => 0,
      },
      timeZone: 'Asia/Shanghai',
      shifts: NO_SHIFTS,
      clockState: () => 'synced',
    });
    const values: unknown[] = [];
    let next: number | undefined;
    let pages = 0;
    do {
      const page = await paged.samplesOver('Oven 12', 'heat', 'last hour', 2, next);
      values.push(...page.samples.map(({ value }) => value));
      next = page.next;
      pages += 1;
    } while (next !== undefined && pages < 10);
    expect(values.slice(-3)).toEqual([219, 220, 221]);
    expect(new Set(values).size).toBe(values.length);
    expect(pages).toBeLessThan(10);
    await expect(answers.samplesOver('oven', 'haet', 'last hour', 2)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    await store.stop();
  });
});
