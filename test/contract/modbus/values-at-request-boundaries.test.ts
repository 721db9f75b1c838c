import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LineProbe } from '../../../src/adapters/modbus/line-probe.ts';
import { socketSource } from '../../../src/adapters/modbus/socket-line.ts';
import { decodeRegistersAt } from '../../../src/domain/plc/decode.ts';
import { encodeRegisters } from '../../../src/domain/plc/encode.ts';
import type { PlantPoint } from '../../../src/domain/plc/plant-model.ts';
import { planReads } from '../../../src/domain/plc/polling/read-plan.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type PymodbusServer, startPymodbusServer } from '../../support/pymodbus-server.ts';

/** Values of one, two and four registers without a gap between them, so that every limit falls into some of them. */
const TYPES = ['float32', 'uint16', 'float64', 'int32', 'int64', 'uint16', 'uint16', 'float32'] as const;
const POINTS = 64;

function plantWith(limit: number) {
  const lines: string[] = [];
  let address = 0;
  for (let n = 0; n < POINTS; n += 1) {
    const type = TYPES[n % TYPES.length] ?? 'uint16';
    lines.push(
      `      p${n}: { names: { en: [p${n}], zh: [p${n}] }, register: holding, address: ${address}, type: ${type} }`,
    );
    address += type === 'uint16' ? 1 : type.endsWith('64') ? 4 : 2;
  }
  return plantOf(`
connections: { line: { transport: tcp, host: 127.0.0.1 } }
devices: { plc: { connection: line, unit_id: 1, address_base: 0, byte_order: CDAB, max_registers_per_request: ${limit} } }
machines:
  m:
    names: { en: [m], zh: [m] }
    device: plc
    points:
${lines.join('\n')}`);
}

const expectedOf = (index: number): number => (index * 1021) % 50_000;

describe('a value at the end of a request', () => {
  let server: PymodbusServer;
  beforeAll(async () => {
    server = await startPymodbusServer();
    for (const [index, point] of plantWith(125).points().entries()) {
      const encoded = encodeRegisters(expectedOf(index), point.encoding);
      if (!encoded.ok) throw new Error(encoded.reason);
      await server.set(1, 'holding', point.address, ...encoded.words);
    }
  });
  afterAll(() => server.stop());

  it.each([4, 5, 6, 7, 8, 9, 15, 16, 31, 32, 61, 125])(
    'is never split: %i registers a request',
    async (limit) => {
      const plant = plantWith(limit);
      const device = plant.device('plc');
      if (device === undefined) throw new Error('no device');
      const clocks = systemClocks();
      const probe = new LineProbe(
        {
          source: socketSource(() => ({ host: '127.0.0.1', port: server.port }), systemScheduler),
          framing: 'mbap',
          openTimeoutMs: 2000,
          signal: new AbortController().signal,
        },
        { clocks, scheduler: systemScheduler },
      );
      const read = new Map<PlantPoint, unknown>();
      for (const { span, points } of planReads(device, plant.points())) {
        expect(span.count).toBeLessThanOrEqual(limit);
        const answer = await probe.ask(1, { kind: 'read', ...span }, 2000);
        if (answer.kind !== 'answer') throw new Error(answer.kind);
        const bytes = Buffer.from(answer.pdu);
        const words = Array.from({ length: span.count }, (_, index) => bytes.readUInt16BE(2 + index * 2));
        for (const point of points) {
          expect(point.address).toBeGreaterThanOrEqual(span.address);
          expect(point.address + point.count).toBeLessThanOrEqual(span.address + span.count);
          read.set(point, decodeRegistersAt(words, point.address - span.address, point.encoding));
        }
      }
      await probe.close();
      for (const [index, point] of plant.points().entries())
        expect(read.get(point)).toEqual({ quality: 'good', value: expectedOf(index) });
    },
  );
});
