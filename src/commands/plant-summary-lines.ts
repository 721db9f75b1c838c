import type {
  DeviceSummary,
  PlantSummary,
  PointSummary,
  RequestSummary,
} from '../domain/plc/review/plant-summary.ts';
import { aligned } from './aligned.ts';

/** A plant for the eye of somebody with the PLC's manual in hand. */
export function plantSummaryLines(summary: PlantSummary): string[] {
  return [
    'Connections',
    ...aligned(
      summary.connections.map(({ id, transport, where, timeout_ms }) => [
        `  ${id}`,
        transport,
        where,
        `timeout ${timeout_ms} ms`,
      ]),
    ),
    ...summary.devices.flatMap(deviceLines),
  ];
}

function deviceLines(device: DeviceSummary): string[] {
  const { requests } = device;
  return [
    '',
    `Device ${device.id}: unit ${device.unit_id} of ${device.connection}`,
    `  addresses count ${baseText(device)}; byte order ${device.byte_order}; a request takes ${device.max_registers_per_request} registers or ${device.max_bits_per_request} bits at most, gaps up to ${device.max_gap}`,
    `  polled every ${device.poll_interval_ms} ms, stale after ${device.stale_after_ms} ms; ${requests.length} ${requests.length === 1 ? 'request' : 'requests'} a poll, about ${device.poll_estimate_ms} ms`,
    ...aligned(requests.map(requestCells)),
    `  ${device.points.length} ${device.points.length === 1 ? 'point' : 'points'}`,
    ...aligned([
      ['    manual', 'wire', 'register', 'type', 'order', 'scale', 'unit', 'access', 'point'],
      ...device.points.map(pointCells),
    ]),
  ];
}

function baseText({ address_base: base }: DeviceSummary): string {
  if (base === 'modicon') return 'as 40001 (modicon)';
  return `from ${base}`;
}

function requestCells({ register, first, last, wire_first, wire_last, points }: RequestSummary): string[] {
  const size = wire_last - wire_first + 1;
  return [
    `    ${register}`,
    range(first, last),
    `(on the wire ${range(wire_first, wire_last)})`,
    `${size} for ${points} ${points === 1 ? 'point' : 'points'}`,
  ];
}

function range(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}

function pointCells(point: PointSummary): string[] {
  const { machine, key, register, manual, wire, bit, registers, type, byte_order, scale, offset } = point;
  return [
    `    ${bit === null ? manual : `${manual}.${bit}`}`,
    registers > 1 ? `${wire}-${wire + registers - 1}` : String(wire),
    register,
    type,
    byte_order ?? '',
    scaleText(scale, offset),
    point.unit ?? '',
    point.access,
    `${machine}.${key}`,
  ];
}

function scaleText(scale: number, offset: number): string {
  const times = scale === 1 ? '' : `x ${scale}`;
  if (offset === 0) return times;
  return `${times} ${offset < 0 ? '-' : '+'} ${Math.abs(offset)}`.trim();
}
