import { ModbusConnection } from '../../src/adapters/modbus/modbus-connection.ts';
import { connectionOptions } from '../../src/adapters/modbus/transports.ts';
import type { BusPriority } from '../../src/app/ports/plc-bus.ts';
import type { ConnectionSettings } from '../../src/domain/plc/device-map-shape.ts';
import type { RegisterSpan, RegisterWrite } from '../../src/domain/plc/modbus-request.ts';
import { type Clocks, systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';

/** A span of the device under one unit id. */
export interface UnitRead extends RegisterSpan {
  readonly unitId: number;
}

export interface BusKeys {
  readonly timeout_ms?: number;
  readonly pause_after_connect_ms?: number;
  readonly pause_between_requests_ms?: number;
  readonly close_after_cycle?: boolean;
  readonly busy_retries?: number;
}

const DEFAULTS = {
  timeout_ms: 200,
  pause_after_connect_ms: 0,
  pause_between_requests_ms: 0,
  close_after_cycle: false,
  busy_retries: 3,
};

export function socketSettings(
  transport: 'tcp' | 'rtu_over_tcp',
  port: number,
  keys: BusKeys = {},
): ConnectionSettings {
  return { transport, host: '127.0.0.1', port, ...DEFAULTS, ...keys };
}

export function serialSettings(path: string, keys: BusKeys = {}): ConnectionSettings {
  return { transport: 'rtu', serial_path: path, baud_rate: 115_200, parity: 'none', ...DEFAULTS, ...keys };
}

/** One bus of its own, as the daemon would have it, and short words for what is asked of it. */
export interface StartedConnection {
  readonly connection: ModbusConnection;
  read(request: UnitRead, deadlineMs: number, priority?: BusPriority): Promise<readonly number[]>;
  /** To unit 1 unless given. */
  write(
    write: RegisterWrite,
    deadlineMs: number,
    how?: { readonly unitId?: number; readonly alwaysMany?: boolean; readonly isBroadcast?: boolean },
  ): Promise<readonly number[]>;
  figure(name: string): number;
}

export async function startConnection(
  settings: ConnectionSettings,
  clocks: Clocks = systemClocks(),
): Promise<StartedConnection> {
  const dependencies = { logger: silentLogger(), clocks, scheduler: systemScheduler };
  const options = connectionOptions('line-1', settings, () => undefined, dependencies);
  const connection = new ModbusConnection(options, dependencies);
  await connection.start(new AbortController().signal);
  return {
    connection,
    read: ({ unitId, ...span }, deadlineMs, priority = 'answer') =>
      connection.ask({ kind: 'read', unitId, span }, { deadlineMs, priority }),
    write: (write, deadlineMs, { unitId = 1, alwaysMany = false, isBroadcast = false } = {}) =>
      connection.ask(
        { kind: 'write', unitId, write, alwaysMany, isBroadcast },
        { deadlineMs, priority: 'answer' },
      ),
    figure: (name) => connection.health().figures?.[name] ?? 0,
  };
}
