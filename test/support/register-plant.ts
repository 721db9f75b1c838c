import type { PlantModel } from '../../src/domain/plc/plant-model.ts';
import { plantOf } from './plant-file.ts';

export interface WantedPoint {
  readonly register?: string;
  readonly address: number;
  readonly type?: string;
  readonly bit?: number;
}

/** One machine `m` on one device `plc` with the points p0, p1, …; `settings` are more keys of the device. */
export function registerPlant(points: readonly WantedPoint[], settings = '', port = 502): PlantModel {
  const lines = points.map(({ register = 'holding', address, type = 'uint16', bit }, index) => {
    const more = bit === undefined ? '' : `, bit: ${bit}`;
    return `      p${index}: { names: { en: [p${index}], zh: [p${index}] }, register: ${register}, address: ${address}, type: ${type}${more} }`;
  });
  const more = settings === '' ? '' : `, ${settings}`;
  return plantOf(`
connections: { line: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 300 } }
devices:
  plc: { connection: line, unit_id: 5, address_base: 0${more} }
machines:
  m:
    names: { en: [m], zh: [m] }
    device: plc
    points:
${lines.join('\n')}`);
}
