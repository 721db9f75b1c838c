import type { ConnectionSettings } from '../device-map-shape.ts';
import { isBitTable } from '../modbus-request.ts';
import type { PlantDevice, PlantModel, PlantPoint } from '../plant-model.ts';
import { type PlannedRead, planReads } from '../polling/read-plan.ts';

/** What most PLCs need to answer one request over Ethernet, or add to the time on a serial line. */
export const TYPICAL_ANSWER_MS = 20;

/** What one poll of a device asks for. */
export interface PollLoad {
  readonly device: PlantDevice;
  readonly points: readonly PlantPoint[];
  readonly requests: readonly PlannedRead[];
  /** Of all its requests one after the other, with a device that answers each in `TYPICAL_ANSWER_MS`. */
  readonly cycleMs: number;
}

/** The polls of all devices of a plant; points that can only be written are not polled. */
export function pollLoads(plant: PlantModel): PollLoad[] {
  const byDevice = new Map<string, PlantPoint[]>();
  for (const point of plant.points()) {
    const list = byDevice.get(point.device);
    if (list === undefined) byDevice.set(point.device, [point]);
    else list.push(point);
  }
  return [...plant.devices.values()].map((device) => {
    const points = byDevice.get(device.id) ?? [];
    const polled = device.isBroadcast ? [] : points.filter(({ access }) => access !== 'write');
    const requests = planReads(device, polled);
    const connection = plant.connections.get(device.connection);
    const cycleMs = requests.reduce((sum, request) => sum + requestMs(request, connection), 0);
    return { device, points, requests, cycleMs };
  });
}

function requestMs({ span }: PlannedRead, connection: ConnectionSettings | undefined): number {
  const pauseMs = connection?.pause_between_requests_ms ?? 0;
  return TYPICAL_ANSWER_MS + pauseMs + lineMs(answerBytes(span.table, span.count), connection);
}

const REQUEST_BYTES = 8;
/** Unit, function, byte count and checksum. */
const ANSWER_FRAME_BYTES = 5;
/** Silence before and after each frame (Modbus over Serial Line V1.02, section 2.5.1.1). */
const SILENCE_CHARACTERS = 7;
/** Start, eight data bits, parity or second stop bit, stop (the same, section 2.5.1). */
const BITS_PER_CHARACTER = 11;

function answerBytes(table: PlannedRead['span']['table'], count: number): number {
  return ANSWER_FRAME_BYTES + (isBitTable(table) ? Math.ceil(count / 8) : count * 2);
}

function lineMs(bytes: number, connection: ConnectionSettings | undefined): number {
  if (connection?.transport !== 'rtu') return 0;
  return ((REQUEST_BYTES + bytes + SILENCE_CHARACTERS) * BITS_PER_CHARACTER * 1000) / connection.baud_rate;
}
