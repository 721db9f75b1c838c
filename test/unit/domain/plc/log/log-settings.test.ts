import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadYaml } from '../../../../../src/config/load-yaml.ts';
import { deviceMapSchema } from '../../../../../src/domain/plc/device-map.ts';
import { messageOf } from '../../../../../src/runtime/edge-error.ts';
import { plantOf } from '../../../../support/plant-file.ts';

const RING = {
  kind: 'ring',
  register: 'holding',
  head: 100,
  head_counts: 'slot',
  first_record: 110,
  capacity: 50,
  record_registers: 8,
  fields: { timestamp: { at: 0, format: 'unix_s' } },
};

/** A plant file whose only log is the ring with these changes, as JSON, which is YAML too. */
function plantText(log: Record<string, unknown>, device: Record<string, unknown> = {}): string {
  const names = { en: ['pump'], zh: ['泵'] };
  return JSON.stringify(
    {
      connections: { 'line-1': { transport: 'tcp', host: '10.0.0.7' } },
      devices: { plc: { connection: 'line-1', unit_id: 1, address_base: 0, ...device } },
      machines: {
        pump: {
          names,
          device: 'plc',
          points: {
            speed: {
              names: { en: ['speed'], zh: ['转速'] },
              register: 'holding',
              address: 600,
              type: 'float32',
            },
          },
          logs: { events: { ...RING, ...log } },
        },
      },
    },
    undefined,
    1,
  );
}

function issuesOf(log: Record<string, unknown>, device: Record<string, unknown> = {}): string[] {
  const result = deviceMapSchema.safeParse(parse(plantText(log, device)));
  return result.success
    ? []
    : result.error.issues.map(({ path, message }) => `${path.slice(3).join('.')}: ${message}`);
}

describe('the event logs of a plant file', () => {
  it('are accepted with only what they must say, and get names in both languages', () => {
    const [log] = plantOf(plantText({})).logs();
    expect(log).toMatchObject({
      ref: { machine: 'pump', log: 'events' },
      names: { en: ['event log'], zh: ['事件日志'] },
      device: 'plc',
      head: { table: 'holding', address: 100, count: 1 },
      area: { kind: 'ring', table: 'holding', address: 110 },
      layout: {
        capacity: 50,
        headCounts: 'slot',
        headPointsTo: 'next',
        settleRecords: 1,
        onFirstStart: 'all',
      },
      timestamp: { zone: 'utc' },
    });
  });

  it('take addresses as the manual counts, and zones as hours from UTC', () => {
    const [log] = plantOf(
      plantText(
        {
          head: 40_101,
          first_record: 40_111,
          fields: { timestamp: { at: 0, format: 'bcd_datetime', time_zone: '-03:30' } },
        },
        { address_base: 'modicon' },
      ).replace('"address": 600', '"address": 40601'),
    ).logs();
    expect(log).toMatchObject({ head: { address: 100 }, area: { address: 110 }, timestamp: { zone: -210 } });
  });

  it.each([
    [{ capacity: 70 }, 'events.first_record: overlaps point speed of pump, from address 600 to 601 as sent'],
    [
      { first_record: 95 },
      'events.first_record: overlaps the head of log events of pump, from address 100 to 100 as sent',
    ],
    [{ first_record: 65_300 }, 'events.first_record: 400 registers from 65300 run over the last address'],
    [{ device: 'plcc' }, 'events.device: no device is called plcc; did you mean plc?'],
    [{ head_counts: 'records' }, 'events.capacity: a uint16 count of records wraps at 65536'],
    [{ settle_records: 26 }, 'events.settle_records: at most half of the capacity (50)'],
    [{ codes: { 1: { en: 'a', zh: '甲' } } }, 'events.codes: codes need fields.code'],
    [
      { fields: { timestamp: { at: 6, format: 'bcd_datetime' } } },
      'events.fields.timestamp.at: 4 registers from 6 run over the record of 8',
    ],
    [
      { fields: { ...RING.fields, values: { load: { at: 2, type: 'string' } } } },
      'events.fields.values.load.type: a string needs length',
    ],
    [
      { fields: { ...RING.fields, values: { load: { at: 2, type: 'uint16', scale: 0 } } } },
      'events.fields.values.load.scale: scale 0',
    ],
  ])('are refused for %j', (log, expected) => {
    expect(issuesOf(log).join('\n')).toContain(expected);
  });

  it('are refused when the file is shorter than they are', () => {
    const text = plantText({ kind: 'file', file: 4, capacity: 2_000 }).replace(/"first_record": \d+,/, '');
    const result = deviceMapSchema.safeParse(parse(text));
    expect(result.error?.issues.map(({ message }) => message).join()).toContain(
      '2000 records of 8 registers from 0 run over the last of a file, 9999',
    );
  });

  it('are refused with file, line and the nearest word', () => {
    const directory = mkdtempSync(join(tmpdir(), 'hermes-log-settings-'));
    const file = join(directory, 'plant.yaml');
    const text = plantText({ fields: { timestamp: { at: 0, format: 'unix_sec' } } });
    writeFileSync(file, text);
    const line = text.split('\n').findIndex((each) => each.includes('unix_sec')) + 1;
    try {
      loadYaml(file, deviceMapSchema);
      throw new Error('it was accepted');
    } catch (error) {
      expect(messageOf(error)).toContain(`plant.yaml:${line}`);
      expect(messageOf(error)).toContain('Did you mean "unix_s"?');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
