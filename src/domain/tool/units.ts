/**
 * Units of arguments. Factors are exact by definition: SI prefixes and units accepted with the SI (SI Brochure, 9th edition,
 * tables 7 and 8); bar, inch, pound and pound-force per square inch as NIST SP 811 (2008), appendix B.8, defines them;
 * degrees Celsius and Fahrenheit as ibid., 4.2.1.1 and B.9. 1 of a unit is `factor` times (1 + `offset`) of its quantity's first unit.
 */
interface Unit {
  readonly quantity: string;
  readonly factor: number;
  /** Added before the factor is applied; only of temperatures. */
  readonly offset: number;
  readonly symbol: string;
}

const PSI_IN_PA = (0.45359237 * 9.80665) / (0.0254 * 0.0254);

const FACTORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  pressure: { Pa: 1, mbar: 100, hPa: 100, kPa: 1000, bar: 100_000, MPa: 1_000_000, psi: PSI_IN_PA },
  time: { ms: 0.001, s: 1, min: 60, h: 3600, d: 86_400 },
  length: { um: 0.000001, mm: 0.001, cm: 0.01, m: 1, km: 1000, in: 0.0254 },
  rate: { Hz: 1, kHz: 1000, rpm: 1 / 60 },
  share: { '1': 1, '%': 0.01, permille: 0.001, ppm: 0.000001 },
  volume: { ml: 0.001, l: 1, m3: 1000 },
  'volume flow': {
    'l/s': 1,
    'l/min': 1 / 60,
    'l/h': 1 / 3600,
    'm3/s': 1000,
    'm3/min': 1000 / 60,
    'm3/h': 1000 / 3600,
  },
  mass: { g: 0.001, kg: 1, t: 1000, lb: 0.45359237 },
  'mass flow': { 'kg/s': 1, 'kg/min': 1 / 60, 'kg/h': 1 / 3600, 't/h': 1000 / 3600 },
  speed: { 'mm/s': 0.001, 'm/s': 1, 'm/min': 1 / 60, 'km/h': 1000 / 3600 },
  current: { mA: 0.001, A: 1 },
  voltage: { mV: 0.001, V: 1, kV: 1000 },
  power: { W: 1, kW: 1000, MW: 1_000_000 },
  energy: { J: 1, kJ: 1000, MJ: 1_000_000, Wh: 3600, kWh: 3_600_000, MWh: 3_600_000_000 },
  force: { N: 1, kN: 1000 },
  torque: { 'N.m': 1 },
  angle: { deg: 1 },
  data: { byte: 1, kB: 1000, MB: 1_000_000 },
};

const TEMPERATURES: Readonly<Record<string, { readonly factor: number; readonly offset: number }>> = {
  K: { factor: 1, offset: 0 },
  degC: { factor: 1, offset: 273.15 },
  degF: { factor: 5 / 9, offset: 459.67 },
};

/** Other spellings of a symbol; case counts, since MPa is not mPa. */
const SPELLINGS: Readonly<Record<string, string>> = {
  '°C': 'degC',
  '℃': 'degC',
  C: 'degC',
  celsius: 'degC',
  摄氏度: 'degC',
  '°F': 'degF',
  '℉': 'degF',
  F: 'degF',
  fahrenheit: 'degF',
  华氏度: 'degF',
  kelvin: 'K',
  巴: 'bar',
  千帕: 'kPa',
  兆帕: 'MPa',
  sec: 's',
  second: 's',
  seconds: 's',
  秒: 's',
  minute: 'min',
  minutes: 'min',
  分钟: 'min',
  hour: 'h',
  hours: 'h',
  小时: 'h',
  day: 'd',
  days: 'd',
  天: 'd',
  毫秒: 'ms',
  µm: 'um',
  μm: 'um',
  毫米: 'mm',
  厘米: 'cm',
  米: 'm',
  '1/min': 'rpm',
  'r/min': 'rpm',
  转: 'rpm',
  转每分钟: 'rpm',
  '1/s': 'Hz',
  赫兹: 'Hz',
  percent: '%',
  百分之: '%',
  '‰': 'permille',
  L: 'l',
  升: 'l',
  'm³': 'm3',
  立方米: 'm3',
  'L/min': 'l/min',
  升每分钟: 'l/min',
  'L/h': 'l/h',
  'm³/h': 'm3/h',
  安: 'A',
  amps: 'A',
  伏: 'V',
  volts: 'V',
  千瓦: 'kW',
  千克: 'kg',
  公斤: 'kg',
  吨: 't',
  Nm: 'N.m',
  '°': 'deg',
};

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...Object.entries(FACTORS).flatMap(([quantity, units]) =>
    Object.entries(units).map(([symbol, factor]): [string, Unit] => [
      symbol,
      { quantity, factor, offset: 0, symbol },
    ]),
  ),
  ...Object.entries(TEMPERATURES).map(([symbol, { factor, offset }]): [string, Unit] => [
    symbol,
    { quantity: 'temperature', factor, offset, symbol },
  ]),
]);

/** Digits that a conversion keeps: binary fractions beyond them are noise (0.1 bar is 10 kPa, not 10.000000000000002). */
const SIGNIFICANT_DIGITS = 12;

function unitOf(name: string): Unit | undefined {
  return UNITS.get(name) ?? UNITS.get(Object.hasOwn(SPELLINGS, name) ? (SPELLINGS[name] ?? '') : '');
}

/** Every symbol, for whoever has to choose one. */
export function knownUnits(): readonly string[] {
  return [...UNITS.keys()];
}

export function isKnownUnit(name: string): boolean {
  return unitOf(name) !== undefined;
}

/** Symbols of the same quantity, the unit itself among them; empty for an unknown unit. */
export function unitsLike(name: string): readonly string[] {
  const unit = unitOf(name);
  return unit === undefined
    ? []
    : [...UNITS.values()].filter(({ quantity }) => quantity === unit.quantity).map(({ symbol }) => symbol);
}

/** The value in another unit of the same quantity; undefined when a unit is not known or measures something else. */
export function convertUnit(value: number, from: string, to: string): number | undefined {
  const source = unitOf(from);
  const target = unitOf(to);
  if (source === undefined || target === undefined || source.quantity !== target.quantity) return undefined;
  if (source === target) return value;
  // Before the offset is taken off as well: 32 degF is 0 degC and not what is left of 273.15.
  const absolute = rounded(((value + source.offset) * source.factor) / target.factor);
  return rounded(absolute - target.offset);
}

function rounded(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
