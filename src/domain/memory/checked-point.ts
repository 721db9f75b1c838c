import { LANGUAGES } from '../language/language.ts';
import type { NamedEntry, PlantMachine, PlantModel, PlantPoint } from '../plc/plant-model.ts';
import type { PointValue } from '../plc/reading.ts';
import { isKnownUnit, knownUnits } from '../tool/units.ts';
import type { Fact } from './fact.ts';
import type { CheckPlan, SystemValue } from './verification.ts';

type ComparedFact = Pick<Fact, 'value' | 'unit'>;
type PlcPlan = Extract<CheckPlan, { readonly by: 'plc' }>;

const SETPOINT = ['setpoint', 'setvalue', 'target', '设定值', '设定点', '设定', '设点', '目标', '目标值'];
const HIGHEST = [
  'limit',
  'highlimit',
  'upperlimit',
  'max',
  'maximum',
  '上限',
  '限值',
  '极限',
  '最高',
  '最大',
];
const LOWEST = ['lowlimit', 'lowerlimit', 'min', 'minimum', '下限', '最低', '最小'];
const STATES = ['state', 'status', '状态', '运行状态'];
/** What a plant without a state calls the nearest to it. */
const MODES = ['mode', '模式'];
const LOWER = /^min\./u;
const DEGREES = ['degree', 'degrees', '度'];
/** Of a float32: 2^-23 of the value. */
const FLOAT32_STEP = 2 ** -23;

/**
 * The one point of the plant that a fact is of; undefined where there is none, or more than one. Limits and set-points are points
 * of their own, by what they are called: what may be written to a point is no limit of the machine.
 */
export function checkedPoint(
  plant: PlantModel,
  { machine: id, kind, quantity }: PlcPlan,
): PlantPoint | undefined {
  const machine = plant.machine(id);
  if (machine === undefined) return undefined;
  const points = [...machine.points.values()].filter(
    ({ access, device }) => access !== 'write' && plant.device(device)?.isBroadcast === false,
  );
  if (kind === 'value') return only(called(points, [quantity]));
  if (kind === 'state') return only(called(points, STATES)) ?? only(called(points, MODES));
  const of = namesOf(plant.quantityList(), quantity.replace(LOWER, ''));
  if (kind === 'limit') return only(called(points, joined(of, LOWER.test(quantity) ? LOWEST : HIGHEST)));
  return only(called(points, joined(of, SETPOINT))) ?? plainSetpoint(machine, points, of);
}

/** A fact with its unit as units are converted by. */
export function withKnownUnit({ value, unit }: ComparedFact): ComparedFact {
  return unit === undefined ? { value } : { value, unit: canonical(unit) };
}

/** What a point's value says, to be compared with a fact `withKnownUnit`. */
export function saidByPoint(point: PlantPoint, value: PointValue, fact: ComparedFact): SystemValue {
  const base = { value, unit: unitFor(point, fact.unit), tolerance: toleranceOf(point, value) };
  if (point.enumTexts.size === 0 || typeof fact.value !== 'string') return base;
  const texts = (isPresent: boolean): readonly string[] =>
    [...point.enumTexts].flatMap(([raw, text]) =>
      (raw === Number(value)) === isPresent ? LANGUAGES.map((language) => text[language]) : [],
    );
  const present = texts(true);
  const others = texts(false).filter((text) => !present.includes(text));
  // A switch is told by its words.
  return { ...base, value: present[0] ?? Number(value), words: { present, others } };
}

/** "setpoint" alone is that of the quantity in whose unit it is. */
function plainSetpoint(
  { points: all }: PlantMachine,
  points: readonly PlantPoint[],
  of: readonly string[],
): PlantPoint | undefined {
  const unit = only(called([...all.values()], of))?.unit?.en;
  return unit === undefined
    ? undefined
    : only(called(points, SETPOINT).filter((point) => point.unit?.en === unit));
}

function called(points: readonly PlantPoint[], names: readonly string[]): readonly PlantPoint[] {
  const wanted = new Set(names.map(squeezed));
  return points.filter(({ ref, names: own }) =>
    [ref.point, ...LANGUAGES.flatMap((language) => own[language])].some((name) => wanted.has(squeezed(name))),
  );
}

function only<T>([first, ...others]: readonly T[]): T | undefined {
  return others.length === 0 ? first : undefined;
}

function namesOf(quantities: readonly NamedEntry[], quantity: string): readonly string[] {
  const same = quantities.filter(({ value, spoken }) =>
    [value, ...LANGUAGES.flatMap((language) => spoken[language])].some(
      (name) => squeezed(name) === squeezed(quantity),
    ),
  );
  return [
    quantity,
    ...same.flatMap(({ value, spoken }) => [value, ...LANGUAGES.flatMap((each) => spoken[each])]),
  ];
}

function joined(quantities: readonly string[], words: readonly string[]): readonly string[] {
  return quantities.flatMap((quantity) => words.flatMap((word) => [quantity + word, word + quantity]));
}

function squeezed(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, '');
}

/** The unit of the plant that both can be converted between. */
function unitFor({ unit }: PlantPoint, claimed: string | undefined): string | undefined {
  if (unit === undefined) return undefined;
  const spellings = [canonical(unit.en), canonical(unit.zh)];
  return spellings.find((each) => each === claimed) ?? spellings.find(isKnownUnit) ?? unit.en;
}

function canonical(unit: string): string {
  if (DEGREES.includes(unit)) return 'degC';
  if (isKnownUnit(unit)) return unit;
  const [only, ...others] = knownUnits().filter((known) => known.toLowerCase() === unit.toLowerCase());
  return only !== undefined && others.length === 0 ? only : unit;
}

/** What is said of a value is rounded as it is shown. */
function toleranceOf({ report, decimals, encoding }: PlantPoint, value: PointValue): number {
  const shown = decimals === undefined ? 0 : 10 ** -decimals / 2;
  const step = encoding.type === 'float32' && typeof value === 'number' ? Math.abs(value) * FLOAT32_STEP : 0;
  return Math.max(report.deadband, shown, step);
}
