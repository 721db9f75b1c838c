import { decodeRegisters } from '../../domain/plc/decode.ts';
import { encodeRegisters, valueRange } from '../../domain/plc/encode.ts';
import { isBitTable } from '../../domain/plc/modbus-request.ts';
import type { PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import type { SimulatedValue } from '../../domain/plc/simulation/simulated-behaviour.ts';

/** A simulated value in the registers, or the bit, of its point. */
export function wordsFor(point: PlantPoint, value: SimulatedValue): readonly number[] {
  if (isBitTable(point.table)) return [value ? 1 : 0];
  const encoded = encodeRegisters(fitted(point, value), point.encoding);
  return encoded.ok ? encoded.words : new Array<number>(point.count).fill(0);
}

/** What a reader makes of the registers; text where it makes nothing of them. */
export function shownValue(point: PlantPoint, words: readonly number[]): PointValue {
  if (isBitTable(point.table)) return words[0] === 1;
  const decoded = decodeRegisters(words, point.encoding);
  return decoded.quality === 'good' ? decoded.value : decoded.reason;
}

/** What somebody wrote, for the physics; undefined for what is no value of the point. */
export function decodedWords(point: PlantPoint, words: readonly number[]): number | boolean | undefined {
  if (isBitTable(point.table)) return words[0] === 1;
  const decoded = decodeRegisters(words, point.encoding);
  if (decoded.quality !== 'good' || typeof decoded.value === 'string') return undefined;
  const { simulated } = point;
  if (simulated?.behaviour === 'running' && typeof decoded.value === 'number')
    return decoded.value !== simulated.stopped_value;
  return decoded.value;
}

/** What a sensor shows ends where its registers do, and a machine's numbers are bits where a point is a bool. */
function fitted({ encoding, simulated }: PlantPoint, value: SimulatedValue): SimulatedValue {
  if (encoding.type === 'bool') return Boolean(value);
  if (typeof value === 'boolean' && simulated?.behaviour === 'running')
    return value ? simulated.running_value : simulated.stopped_value;
  if (typeof value === 'string') return value;
  const { min, max } = valueRange(encoding);
  return Math.min(max, Math.max(min, Number(value)));
}
