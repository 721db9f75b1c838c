import type { ByteReader, ByteWriter } from './bytes.ts';

/** Process values have few decimals: most columns are whole numbers of 10^-n. */
const MAX_DECIMALS = 6;
const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];
/** The difference of two such numbers, less a third, still fits what `ByteWriter.signed` takes. */
const LARGEST_WHOLE = 2 ** 50;
const FLOAT32 = MAX_DECIMALS + 1;
const FLOAT64 = MAX_DECIMALS + 2;
/** So many differences, evenly spread, tell the usual one. */
const PROBES = 15;
/** In a column shorter than this the first, the middle and the last tell it. */
const SHORT = 32;

const scaled: number[] = [];

/**
 * Writes finite numbers so that `readNumbers` gives back exactly these. Decimals become whole numbers, and only how far
 * each step is from the usual step is kept, most of them one byte. What is no short decimal is kept as float32 where
 * that is exact, else as float64, each against the one before.
 */
export function writeNumbers(writer: ByteWriter, values: readonly number[], from: number, to: number): void {
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals += 1) {
    if (scale(values, from, to, POWERS[decimals] ?? 1)) {
      writer.byte(decimals);
      writeSteps(writer, scaled, 0, to - from);
      return;
    }
  }
  writeFloats(writer, values, from, to);
}

export function readNumbers(reader: ByteReader, count: number): number[] {
  const format = reader.byte();
  if (format > MAX_DECIMALS) return readFloats(reader, count, format);
  const values = readWhole(reader, count);
  const power = POWERS[format] ?? 1;
  if (power !== 1) for (let i = 0; i < count; i += 1) values[i] = (values[i] ?? 0) / power;
  return values;
}

/** Writes whole numbers of at most 2^50 in magnitude. */
export function writeWhole(writer: ByteWriter, values: readonly number[], from: number, to: number): void {
  writeSteps(writer, values, from, to);
}

export function readWhole(reader: ByteReader, count: number): number[] {
  const values: number[] = [];
  if (count === 0) return values;
  let value = reader.signed();
  values.push(value);
  if (count === 1) return values;
  const usual = reader.signed();
  for (let i = 1; i < count; i += 1) {
    value += usual + reader.signed();
    values.push(value);
  }
  return values;
}

function scale(values: readonly number[], from: number, to: number, power: number): boolean {
  for (let i = from; i < to; i += 1) {
    const value = values[i] ?? 0;
    const whole = Math.round(value * power);
    // Minus zero would come back as zero.
    if (whole / power !== value || Math.abs(whole) > LARGEST_WHOLE || (whole === 0 && Object.is(value, -0)))
      return false;
    scaled[i - from] = whole;
  }
  return true;
}

function writeSteps(writer: ByteWriter, values: readonly number[], from: number, to: number): void {
  if (from >= to) return;
  let before = values[from] ?? 0;
  writer.signed(before);
  if (to - from === 1) return;
  const usual = usualStep(values, from, to);
  writer.signed(usual);
  for (let i = from + 1; i < to; i += 1) {
    const value = values[i] ?? 0;
    writer.signed(value - before - usual);
    before = value;
  }
}

function usualStep(values: readonly number[], from: number, to: number): number {
  const step = (i: number): number => (values[i] ?? 0) - (values[i - 1] ?? 0);
  if (to - from < SHORT) {
    const [a, b, c] = [step(from + 1), step((from + to) >> 1), step(to - 1)];
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
  const steps: number[] = [];
  const stride = Math.floor((to - from - 1) / PROBES);
  for (let i = from + 1; i < to; i += stride) steps.push(step(i));
  steps.sort((a, b) => a - b);
  return steps[steps.length >> 1] ?? 0;
}

/** The bytes of the differences (exclusive or), all first bytes, then all second ones: equal ones lie together. */
function writeFloats(writer: ByteWriter, values: readonly number[], from: number, to: number): void {
  const isSingle = values.slice(from, to).every((value) => Object.is(Math.fround(value), value));
  const width = isSingle ? 4 : 8;
  writer.byte(isSingle ? FLOAT32 : FLOAT64);
  const count = to - from;
  const view = new DataView(new ArrayBuffer(width * count));
  for (let i = 0; i < count; i += 1) {
    const value = values[from + i] ?? 0;
    if (isSingle) view.setFloat32(i * width, value);
    else view.setFloat64(i * width, value);
  }
  for (let column = 0; column < width; column += 1) {
    for (let i = 0; i < count; i += 1) {
      const before = i === 0 ? 0 : view.getUint8((i - 1) * width + column);
      writer.byte(view.getUint8(i * width + column) ^ before);
    }
  }
}

function readFloats(reader: ByteReader, count: number, format: number): number[] {
  if (format !== FLOAT32 && format !== FLOAT64) throw new RangeError(`no column has the format ${format}`);
  const width = format === FLOAT32 ? 4 : 8;
  const view = new DataView(new ArrayBuffer(width * count));
  for (let column = 0; column < width; column += 1) {
    let byte = 0;
    for (let i = 0; i < count; i += 1) {
      byte ^= reader.byte();
      view.setUint8(i * width + column, byte);
    }
  }
  return Array.from({ length: count }, (_, i) =>
    format === FLOAT32 ? view.getFloat32(i * width) : view.getFloat64(i * width),
  );
}
