import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ModbusPlcBus } from '../../../src/adapters/modbus/modbus-plc-bus.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { eventually } from '../../support/eventually.ts';
import { plantOf } from '../../support/plant-file.ts';
import { type SerialLine, startSerialLine } from '../../support/serial-line.ts';

const run = promisify(execFile);

// A pseudo terminal keeps the speed and the stop bits that it is given, and takes no parity: that needs a real port.
describe('the settings of a serial port', () => {
  let line: SerialLine;
  beforeEach(async () => {
    line = await startSerialLine();
  });
  afterEach(() => line.remove());

  it.each([
    ['parity: none', 'speed 19200 baud', 'cstopb'],
    ['parity: even', 'speed 19200 baud', '-cstopb'],
    ['parity: even, stop_bits: 2, baud_rate: 9600', 'speed 9600 baud', 'cstopb'],
    ['parity: none, stop_bits: 1, baud_rate: 115200', 'speed 115200 baud', '-cstopb'],
  ])('are those of the plant file, or of the specification: %s', async (settings, speed, stopBits) => {
    const plant = plantOf(`
connections: { line: { transport: rtu, serial_path: ${line.path}, ${settings} } }
devices: { plc: { connection: line, unit_id: 1, address_base: 0 } }
machines: {}`);
    const dependencies = { logger: silentLogger(), clocks: systemClocks(), scheduler: systemScheduler };
    const bus = new ModbusPlcBus({ plant }, dependencies);
    try {
      await bus.start(new AbortController().signal);
      await eventually('the port is open', () => bus.health().status === 'ok');
      const { stdout } = await run('stty', ['-F', line.path, '-a']);
      expect(stdout).toContain(speed);
      expect(stdout.split(/[\s;]+/u)).toContain(stopBits);
    } finally {
      await bus.stop(1_000);
    }
  });
});
