import { afterEach, describe, expect, it } from 'vitest';
import { mbpoll, mbpollWrite, type PymodbusRequest, pymodbus } from '../../support/modbus-peers.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type StartedLine, startLine } from '../../support/simulated-line.ts';

const MEMORY = plantOf(`
connections: { line-1: { transport: tcp, host: 127.0.0.1 } }
devices: { press-plc: { connection: line-1, unit_id: 9, address_base: 0 } }
machines:
  press:
    names: { en: [press], zh: [压机] }
    device: press-plc
    points:
${Array.from({ length: 8 }, (_, at) => point(`r${at}`, `holding, address: ${at}, type: uint16, access: read_write`, at * 100)).join('\n')}
${Array.from({ length: 10 }, (_, at) => point(`c${at}`, `coil, address: ${at}, type: bool, access: read_write`, at % 2 === 1)).join('\n')}
${point('fixed', 'holding, address: 20, type: uint16', 7)}
${point('level', 'holding, address: 21, type: float32, access: read_write', 1.5)}
${point('secret', 'holding, address: 30, type: uint16, access: write', 5)}
`);

function point(key: string, where: string, value: number | boolean): string {
  return `      ${key}: { names: { en: [${key}], zh: [${key}] }, register: ${where}, simulated: { behaviour: constant, value: ${value} } }`;
}

describe('the devices of the simulated line', () => {
  const lines: StartedLine[] = [];
  const start = async (...options: Parameters<typeof startLine>) => {
    const started = await startLine(...options);
    lines.push(started);
    return started;
  };
  afterEach(async () => {
    for (const line of lines.splice(0)) await line.stop();
  });

  it('are read and written by pymodbus in every function it has', async () => {
    const { port } = await start({ plant: MEMORY });
    const answers = await pymodbus(
      port,
      [9, 'write_register', 0, 4711],
      [9, 'write_registers', 1, 815],
      [9, 'holding', 0, 4],
      [9, 'write_coil', 0, 1],
      [9, 'write_coils', 1, '001'],
      [9, 'coil', 0, 10],
      [9, 'mask', 3, '255:43520'],
      [9, 'holding', 3, 1],
      [9, 'read_write', 4, 99],
    );
    expect(answers).toEqual([
      'written',
      'written',
      [4711, 815, 815, 300],
      'written',
      'written',
      [1, 0, 0, 1, 0, 1, 0, 1, 0, 1],
      'written',
      [(300 & 255) | (43520 & ~255 & 0xffff)],
      [99, 500],
    ]);
  });

  it('are written by mbpoll, single and many', async () => {
    const { port } = await start({ plant: MEMORY });
    await mbpollWrite(port, 9, '4', 2, 31);
    await mbpollWrite(port, 9, '4', 5, 41, 42, 43);
    await mbpollWrite(port, 9, '0', 2, 1, 1, 1);
    await mbpollWrite(port, 9, '4:float', 21, 2.25);
    expect(await mbpoll(port, 9, '4', 0, 8)).toEqual([0, 100, 31, 300, 400, 41, 42, 43]);
    expect(await mbpoll(port, 9, '0', 0, 5)).toEqual([0, 1, 1, 1, 1]);
    expect(await mbpoll(port, 9, '4:float', 21, 1)).toEqual([2.25]);
  });

  it('refuse what they have not, may not and cannot', async () => {
    const { port } = await start({ plant: MEMORY });
    const requests: readonly PymodbusRequest[] = [
      [9, 'write_register', 20, 1],
      [9, 'write_registers', 7, 1],
      [9, 'write_coils', 9, '11'],
      [9, 'mask', 20, '0:1'],
      [9, 'read_write', 7, 1],
      [9, 'holding', 30, 1],
      [9, 'file_1', 0, 2],
    ];
    expect(await pymodbus(port, ...requests)).toEqual(requests.map(() => ({ exception: 2 })));
    // Half a float32 may be written; a half that makes it infinite may not.
    expect(await pymodbus(port, [9, 'write_register', 22, 0], [9, 'write_register', 21, 0x7f80])).toEqual([
      'written',
      { exception: 3 },
    ]);
    // What was refused in part was refused as a whole.
    expect(await pymodbus(port, [9, 'holding', 7, 1], [9, 'coil', 9, 1])).toEqual([[700], [1]]);
    expect(await pymodbus(port, [9, 'write_register', 30, 6])).toEqual(['written']);
  });

  it('let their setpoints be written, and follow them', async () => {
    const { port, pass } = await start();
    expect(await pymodbus(port, [1, 'write_register', 10, 1800], [1, 'write_register', 10, 2401])).toEqual([
      'written',
      { exception: 3 },
    ]);
    pass(60);
    const [speed = 0] = await mbpoll(port, 1, '4', 2, 1);
    expect(speed).toBeGreaterThan(1_750);
    expect(await pymodbus(port, [1, 'write_coil', 1, 0])).toEqual(['written']);
    pass(60);
    expect(await mbpoll(port, 1, '0', 0, 1)).toEqual([0]);
    expect((await mbpoll(port, 1, '4', 2, 1))[0]).toBeLessThan(5);
    expect(await pymodbus(port, [1, 'write_coil', 1, 1])).toEqual(['written']);
    pass(60);
    expect(await mbpoll(port, 1, '0', 0, 1)).toEqual([1]);
  });

  it('are mended by their maintenance coil, which springs back', async () => {
    const { port, pass } = await start();
    pass(3_600);
    const [[worn = 0] = []] = [await mbpoll(port, 1, '4', 11, 1)];
    expect(worn).toBeGreaterThan(135);
    expect(await pymodbus(port, [1, 'write_coil', 2, 1], [1, 'coil', 2, 1])).toEqual(['written', [1]]);
    pass(1);
    expect(await mbpoll(port, 1, '4', 11, 1)).toEqual([0]);
    expect(await mbpoll(port, 1, '0', 2, 1)).toEqual([0]);
  });
});
