import type { PlantLog } from '../../domain/plc/log/plant-log.ts';
import { ILLEGAL_ADDRESS } from '../../domain/plc/modbus-error.ts';
import { headWords, recordWords, timeWords } from '../../domain/plc/simulation/log-registers.ts';
import type { LogRing } from '../../domain/plc/simulation/log-ring.ts';
import type { CellsOrException, ServedArea } from './cells.ts';
import type { SimulatedPlc } from './simulated-plc.ts';

/** An event log of a machine in the registers and files of its device. */
export class ServedLog {
  readonly unitId: number;
  readonly #plc: SimulatedPlc;
  readonly #log: PlantLog;
  readonly #ring: LogRing;
  /** The record at a slot, by how many had been written when it was laid out. */
  readonly #laid = new Map<number, { readonly sequence: number; readonly words: readonly number[] }>();

  constructor(plc: SimulatedPlc, log: PlantLog, unitId: number) {
    this.#plc = plc;
    this.#log = log;
    this.#ring = plc.keepLog(log.layout.capacity);
    this.unitId = unitId;
  }

  /** Head, clock and the records of a ring. */
  areas(): ServedArea[] {
    const { head, clock, area, layout } = this.#log;
    const unitId = this.unitId;
    const areas: ServedArea[] = [
      { unitId, ...head, word: (offset) => headWords(this.#ring, this.#log)[offset] ?? 0 },
    ];
    if (clock !== undefined)
      areas.push({
        unitId,
        ...clock.span,
        word: (offset) => timeWords(this.#plc.clockS(), clock.time, this.#plc.startedS)[offset] ?? 0,
      });
    if (area.kind === 'ring')
      areas.push({
        unitId,
        table: area.table,
        address: area.address,
        count: layout.capacity * layout.recordRegisters,
        word: (offset) => this.#word(offset),
      });
    return areas;
  }

  /** Registers of a file; undefined when this log has no such file, exception 2 outside of it. */
  readFile(file: number, record: number, count: number): CellsOrException | undefined {
    const { area, layout } = this.#log;
    if (area.kind !== 'file' || area.file !== file) return undefined;
    const first = record - area.record;
    if (first < 0 || first + count > layout.capacity * layout.recordRegisters)
      return { exception: ILLEGAL_ADDRESS };
    return { cells: Array.from({ length: count }, (_, index) => this.#word(first + index)) };
  }

  #word(offset: number): number {
    const { recordRegisters } = this.#log.layout;
    const slot = Math.floor(offset / recordRegisters);
    const entry = this.#ring.at(slot);
    const known = this.#laid.get(slot);
    const sequence = entry?.sequence ?? 0;
    if (known !== undefined && known.sequence === sequence) return known.words[offset % recordRegisters] ?? 0;
    const words = recordWords(entry, this.#log, this.#plc.startedS);
    this.#laid.set(slot, { sequence, words });
    return words[offset % recordRegisters] ?? 0;
  }
}
