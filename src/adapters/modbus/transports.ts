import type { ConnectionSettings } from '../../domain/plc/device-map-shape.ts';
import type { Endpoint } from './connect-socket.ts';
import type { Framing } from './framing.ts';
import type { LineSource } from './line.ts';
import { LineQuiet } from './line-quiet.ts';
import type { ModbusDependencies } from './link-keeper.ts';
import { MbapFraming } from './mbap-framing.ts';
import type { ModbusConnectionOptions } from './modbus-connection.ts';
import { ModbusLink } from './modbus-link.ts';
import { RtuFraming } from './rtu-framing.ts';
import { frameGapMs, serialSource } from './serial-line.ts';
import { socketSource } from './socket-line.ts';
import { TransactionIds } from './transaction-ids.ts';

/** Within 100 to 200 ms at 9600 baud and above (Modbus over Serial Line V1.02, section 2.4.1, "turnaround delay"). */
const TURNAROUND_MS = 150;
/** A repetition by a gateway or radio link follows the answer within this. */
const GATEWAY_SILENCE_MS = 20;

/** All of it outlives the links: an answer may turn up on the link after the one it was asked on. */
interface Transport {
  readonly source: LineSource;
  readonly framing: Framing;
  /** Undefined where a transaction id tells answers apart. */
  readonly quiet: LineQuiet | undefined;
}

/** How a connection of a plant file is made; `endpoint` says where it really is, when that is not where the file says. */
export function connectionOptions(
  id: string,
  settings: ConnectionSettings,
  endpoint: () => Endpoint | undefined,
  { clocks, scheduler }: ModbusDependencies,
): ModbusConnectionOptions {
  const timeoutMs = settings.timeout_ms;
  const { source, framing, quiet } = transportOf(settings, endpoint, { clocks, scheduler });
  return {
    id,
    where: source.where,
    open: async (signal) => {
      const where = source.where();
      const line = await source.open(timeoutMs, signal);
      return new ModbusLink({ line, framing, quiet, where, clocks, scheduler });
    },
    timeoutMs,
    pauseAfterConnectMs: settings.pause_after_connect_ms,
    pauseBetweenRequestsMs: settings.pause_between_requests_ms,
    turnaroundMs: TURNAROUND_MS,
    busyRetries: settings.busy_retries,
    closeAfterCycle: settings.close_after_cycle,
  };
}

function transportOf(
  settings: ConnectionSettings,
  endpoint: () => Endpoint | undefined,
  { scheduler }: Pick<ModbusDependencies, 'clocks' | 'scheduler'>,
): Transport {
  const timeoutMs = settings.timeout_ms;
  if (settings.transport === 'rtu') {
    const port = {
      path: settings.serial_path,
      baudRate: settings.baud_rate,
      parity: settings.parity,
      stopBits: settings.stop_bits ?? (settings.parity === 'none' ? 2 : 1),
    };
    return {
      source: serialSource(port, scheduler),
      framing: new RtuFraming(),
      quiet: new LineQuiet({ frameGapMs: frameGapMs(port), answerSilenceMs: 0, timeoutMs }),
    };
  }
  const { host, port } = settings;
  const source = socketSource(() => endpoint() ?? { host, port }, scheduler);
  if (settings.transport === 'rtu_over_tcp')
    return {
      source,
      framing: new RtuFraming(),
      // The gateway keeps the gaps of its line, but may hand on an answer twice.
      quiet: new LineQuiet({ frameGapMs: 0, answerSilenceMs: GATEWAY_SILENCE_MS, timeoutMs }),
    };
  return { source, framing: new MbapFraming(new TransactionIds()), quiet: undefined };
}
