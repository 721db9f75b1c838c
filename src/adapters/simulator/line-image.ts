import { ILLEGAL_ADDRESS, ILLEGAL_VALUE } from '../../domain/plc/modbus-error.ts';
import type { PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import { REGISTER_TABLES, type RegisterTable } from '../../domain/plc/register-address.ts';
import type { MachineFault } from '../../domain/plc/simulation/simulated-behaviour.ts';
import type { Cells, CellsOrException, ServedArea } from './cells.ts';
import { ServedLog } from './served-log.ts';
import { type LoggedEvent, SimulatedPlc, type SimulatedTime } from './simulated-plc.ts';

/** What lies in one register or bit. */
interface Cell {
  readonly plc: SimulatedPlc;
  readonly point: PlantPoint;
  /** Which of the point's registers. */
  readonly offset: number;
}

/** The registers, bits and logs of all simulated machines of one connection, as they are now. Called by SimulatedLine. */
export class LineImage {
  readonly plcs: ReadonlyMap<string, SimulatedPlc>;
  readonly units: ReadonlySet<number>;
  /** By unit, table and address; several points may be bits of one register. */
  readonly #cells = new Map<number, Cell[]>();
  readonly #logs: ServedLog[] = [];
  readonly #areas = new Map<number, { readonly area: ServedArea; readonly offset: number }>();

  /** Simulates those points of the machines that are behind `connection`. */
  constructor(
    plant: PlantModel,
    connection: string,
    options: {
      readonly seed: number;
      readonly time: SimulatedTime;
      readonly onEvent: (event: LoggedEvent) => void;
    },
  ) {
    const plcs = new Map<string, SimulatedPlc>();
    const units = new Set<number>();
    for (const machine of plant.machines.values()) {
      const points = [...machine.points.values()].filter(
        (point) => point.simulated !== undefined && plant.device(point.device)?.connection === connection,
      );
      if (points.length === 0) continue;
      const seed = options.seed + plcs.size;
      const plc = new SimulatedPlc(machine, points, { ...options, seed });
      plcs.set(machine.id, plc);
      for (const point of points) {
        const unitId = plant.device(point.device)?.unitId ?? 0;
        units.add(unitId);
        this.#place(plc, point, unitId);
      }
      for (const log of machine.logs.values()) {
        const device = plant.device(log.device);
        if (device?.connection !== connection) continue;
        const served = new ServedLog(plc, log, device.unitId);
        units.add(device.unitId);
        this.#logs.push(served);
        for (const area of served.areas()) this.#serve(area);
      }
    }
    this.plcs = plcs;
    this.units = units;
  }

  /** Lets the time pass; values change here and by writes alone, so one answer is of one moment. */
  advance(sinceStartS: number, faultsOf: (machine: string) => readonly MachineFault[]): void {
    for (const [id, plc] of this.plcs) plc.advance(sinceStartS, faultsOf(id));
  }

  point(ref: PointRef): { readonly plc: SimulatedPlc; readonly point: PlantPoint } | undefined {
    const plc = this.plcs.get(ref.machine);
    const point = plc?.points.find((candidate) => candidate.ref.point === ref.point);
    return plc === undefined || point === undefined ? undefined : { plc, point };
  }

  /** Pins a point to a value, or lets it go with undefined. Returns false when the point is not simulated. */
  hold(ref: PointRef, value: PointValue | undefined): boolean {
    const found = this.point(ref);
    found?.plc.hold(ref.point, value);
    return found !== undefined;
  }

  /** Exception 2 where nothing is mapped, or only for writing. */
  read(unitId: number, table: RegisterTable, address: number, count: number): CellsOrException {
    const cells: number[] = [];
    for (let at = address; at < address + count; at += 1) {
      const word = this.#word(cellKey(unitId, table, at));
      if (word === undefined) return { exception: ILLEGAL_ADDRESS };
      cells.push(word);
    }
    return { cells };
  }

  /** Writes all or nothing. Exception 2 where the map allows no write, 3 for a value that the PLC does not take. */
  write(
    unitId: number,
    table: 'coil' | 'holding',
    address: number,
    values: Cells,
  ): { readonly exception: number } | undefined {
    const changes = new Map<SimulatedPlc, Map<PlantPoint, number[]>>();
    for (const [index, value] of values.entries()) {
      const cells = this.#cells.get(cellKey(unitId, table, address + index));
      if (cells === undefined || cells.some(({ point }) => point.access === 'read'))
        return { exception: ILLEGAL_ADDRESS };
      for (const { plc, point, offset } of cells) {
        const ofPlc = changes.get(plc) ?? new Map<PlantPoint, number[]>();
        const words = ofPlc.get(point) ?? [...plc.words(point)];
        words[offset] = value;
        ofPlc.set(point, words);
        changes.set(plc, ofPlc);
      }
    }
    const writes: (() => void)[] = [];
    for (const [plc, ofPlc] of changes) {
      const write = plc.prepareWrite(ofPlc);
      if (write === undefined) return { exception: ILLEGAL_VALUE };
      writes.push(write);
    }
    for (const write of writes) write();
    return undefined;
  }

  /** Registers of a file (function 20); exception 2 where there is no such file or record. */
  readFile(unitId: number, file: number, record: number, count: number): CellsOrException {
    for (const log of this.#logs) {
      const found = log.unitId === unitId ? log.readFile(file, record, count) : undefined;
      if (found !== undefined) return found;
    }
    return { exception: ILLEGAL_ADDRESS };
  }

  #serve(area: ServedArea): void {
    for (let offset = 0; offset < area.count; offset += 1)
      this.#areas.set(cellKey(area.unitId, area.table, area.address + offset), { area, offset });
  }

  #place(plc: SimulatedPlc, point: PlantPoint, unitId: number): void {
    for (let offset = 0; offset < point.count; offset += 1) {
      const key = cellKey(unitId, point.table, point.address + offset);
      const cell = { plc, point, offset };
      const others = this.#cells.get(key);
      if (others === undefined) this.#cells.set(key, [cell]);
      else others.push(cell);
    }
  }

  #word(key: number): number | undefined {
    const cells = this.#cells.get(key);
    if (cells === undefined) {
      const served = this.#areas.get(key);
      return served?.area.word(served.offset);
    }
    let word = 0;
    for (const { plc, point, offset } of cells) {
      if (point.access === 'write') return undefined;
      // Points that are bits of one register add up in it.
      word |= plc.words(point)[offset] ?? 0;
    }
    return word;
  }
}

function cellKey(unitId: number, table: RegisterTable, address: number): number {
  return (unitId * REGISTER_TABLES.length + REGISTER_TABLES.indexOf(table)) * 65_536 + address;
}
