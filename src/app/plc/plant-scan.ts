import {
  GATEWAY_PATH_UNAVAILABLE,
  GATEWAY_TARGET_SILENT,
  ILLEGAL_FUNCTION,
} from '../../domain/plc/modbus-error.ts';
import { isBitTable, MAX_BITS_PER_REQUEST } from '../../domain/plc/modbus-request.ts';
import {
  MAX_ADDRESS,
  MAX_REGISTERS_PER_REQUEST,
  REGISTER_TABLES,
  type RegisterTable,
} from '../../domain/plc/register-address.ts';
import {
  identificationOf,
  type ScanFindings,
  type TableFindings,
  type UnitFindings,
} from '../../domain/plc/scan/scan-findings.ts';
import type { Scheduler } from '../../runtime/clocks.ts';
import { isEdgeError } from '../../runtime/edge-error.ts';
import type { ModbusProbe, ProbeAnswer, ProbeQuestion } from '../ports/modbus-probe.ts';

export interface PlantScanOptions {
  /** For people. */
  readonly where: string;
  readonly units: readonly number[];
  readonly timeoutMs: number;
  /** Between an answer and the next question. */
  readonly pauseMs: number;
  readonly onProgress: (text: string) => void;
}

interface Parts {
  readonly probe: ModbusProbe;
  readonly scheduler: Scheduler;
}

/** Where devices mostly begin: 0 and 1, then the round numbers of manuals. As sent. */
const TRIED_ADDRESSES = [0, 1, 100, 200, 256, 500, 1000, 2000, 4096, 40_000] as const;
/** Hops of a full request along an area before it is taken to go on. */
const MOST_HOPS = 8;
const REQUESTS_PER_UNIT = 200;
const FEWEST_TO_JUDGE = 4;
/** Where every id answers, they are mostly one device, and a dozen of them tell. */
const MOST_LOOKED_AT = 16;

class ScanEnded extends Error {}

/** Finds out, by reading alone, which units answer and what they allow. Called by the command; ends early at `signal`. */
export class PlantScan {
  readonly #options: PlantScanOptions;
  readonly #parts: Parts;
  readonly #tookMs: number[] = [];
  #requests = 0;
  #timeouts = 0;
  #broken = 0;
  #foreign = 0;
  #unitRequests = 0;
  #signal: AbortSignal = new AbortController().signal;

  constructor(options: PlantScanOptions, parts: Parts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Rejects with EdgeError MODBUS_UNREACHABLE when the far side could never be reached. */
  async run(signal: AbortSignal): Promise<ScanFindings> {
    this.#signal = signal;
    const asked: number[] = [];
    const present: number[] = [];
    const units: UnitFindings[] = [];
    const gateway: { unit_id: number; exception: number }[] = [];
    let everyUnit = false;
    let endedEarly: string | null = null;
    try {
      for (const unit of this.#options.units) {
        this.#options.onProgress(`unit ${unit}: asking`);
        const found = await this.#find(unit);
        asked.push(unit);
        if (found === 'present') present.push(unit);
        else if (typeof found === 'number') gateway.push({ unit_id: unit, exception: found });
      }
      everyUnit = present.length === asked.length && asked.length >= FEWEST_TO_JUDGE;
      for (const unit of everyUnit ? present.slice(0, MOST_LOOKED_AT) : present)
        await this.#look(unit, units);
    } catch (error) {
      if (error instanceof ScanEnded) endedEarly = error.message;
      else if (isEdgeError(error) && this.#requests > 0) endedEarly = error.message;
      else throw error;
      for (const unit of present)
        if (!units.some(({ unit_id }) => unit_id === unit))
          units.push({ unit_id: unit, tables: [], identification: [] });
    }
    const isOneDevice = everyUnit && endedEarly === null && new Set(units.map(contentOf)).size === 1;
    const times = this.#tookMs.toSorted((one, other) => one - other);
    return {
      where: this.#options.where,
      asked,
      answering: present,
      // Such devices mostly document unit 1.
      units: isOneDevice
        ? units.filter(({ unit_id }, _, all) => unit_id === (all.some(isUnitOne) ? 1 : all[0]?.unit_id))
        : units,
      gateway_refused: gateway,
      answers_every_unit: everyUnit,
      is_one_device: isOneDevice,
      closes_after_answer: times.length >= 3 && this.#parts.probe.closedAfterAnswer >= times.length * 0.8,
      requests: this.#requests,
      timeouts: this.#timeouts,
      broken: this.#broken,
      foreign: this.#foreign,
      tried_addresses: TRIED_ADDRESSES,
      response_ms:
        times.length === 0
          ? null
          : { p50: round(times[Math.floor((times.length - 1) / 2)] ?? 0), max: round(times.at(-1) ?? 0) },
      ended_early: endedEarly,
    };
  }

  /** A second try with another function: a frame may be lost, and few devices are silent to a table they lack. */
  async #find(unit: number): Promise<'present' | 'absent' | number> {
    this.#unitRequests = 0;
    let refused: number | undefined;
    for (const table of ['holding', 'input'] as const) {
      const answer = await this.#ask(unit, { kind: 'read', table, address: 0, count: 1 });
      if (answer.kind === 'answer') return 'present';
      if (answer.kind !== 'refused') continue;
      if (!isGatewayWord(answer.exception)) return 'present';
      refused = answer.exception;
      break;
    }
    return refused ?? 'absent';
  }

  async #look(unit: number, units: UnitFindings[]): Promise<void> {
    this.#unitRequests = 0;
    const tables: TableFindings[] = [];
    const identification: string[] = [];
    // Listed first, so that what is found before an interruption counts.
    units.push({ unit_id: unit, tables, identification });
    for (const table of REGISTER_TABLES) {
      this.#options.onProgress(`unit ${unit}: ${table}`);
      tables.push(await this.#lookAtTable(unit, table));
    }
    const answer = await this.#ask(unit, { kind: 'identify' });
    if (answer.kind === 'answer') identification.push(...identificationOf(answer.pdu));
  }

  async #lookAtTable(unit: number, table: RegisterTable): Promise<TableFindings> {
    const exceptions: Record<string, number> = {};
    const reads = async (address: number, count: number): Promise<boolean> => {
      if (address < 0 || address + count - 1 > MAX_ADDRESS || this.#unitRequests >= REQUESTS_PER_UNIT)
        return false;
      const answer = await this.#ask(unit, { kind: 'read', table, address, count });
      if (answer.kind === 'refused') exceptions[answer.exception] = (exceptions[answer.exception] ?? 0) + 1;
      if (answer.kind === 'silent' || answer.kind === 'broken')
        exceptions[answer.kind] = (exceptions[answer.kind] ?? 0) + 1;
      return answer.kind === 'answer';
    };
    const outcomeOnly = (outcome: TableFindings['outcome']): TableFindings => ({
      register: table,
      outcome,
      area: null,
      most_per_request: null,
      exceptions,
    });
    let start: number | undefined;
    let below = -1;
    for (const address of TRIED_ADDRESSES) {
      if (await reads(address, 1)) {
        start = address;
        break;
      }
      if ((exceptions[ILLEGAL_FUNCTION] ?? 0) > 0) return outcomeOnly('unsupported');
      // Each costs a whole timeout: a table that says nothing twice is left alone.
      if ((exceptions['silent'] ?? 0) >= 2) return outcomeOnly('silent');
      below = address;
    }
    if (start === undefined) return outcomeOnly('no_address_found');
    const first = await lowest(below, start, (address) => reads(address, 1));
    const limit = isBitTable(table) ? MAX_BITS_PER_REQUEST : MAX_REGISTERS_PER_REQUEST;
    const most = await largest(limit, (count) => reads(first, count));
    let last = first + most - 1;
    const goesOn = await reads(last + 1, 1);
    if (!goesOn)
      return {
        ...outcomeOnly('readable'),
        area: { first, last, goes_on: false },
        most_per_request: most === limit ? limit : null,
      };
    last += 1;
    let hops = 0;
    while (hops < MOST_HOPS && (await reads(last + 1, most))) {
      last += most;
      hops += 1;
    }
    const isCut = hops === MOST_HOPS || this.#unitRequests >= REQUESTS_PER_UNIT;
    if (!isCut) last += await largestOrNone(most - 1, (count) => reads(last + 1, count));
    return {
      ...outcomeOnly('readable'),
      area: { first, last, goes_on: isCut },
      most_per_request: most,
    };
  }

  async #ask(unit: number, question: ProbeQuestion): Promise<ProbeAnswer> {
    if (this.#requests > 0) await this.#pause();
    if (this.#signal.aborted) throw new ScanEnded('interrupted');
    const answer = await this.#parts.probe.ask(unit, question, this.#options.timeoutMs);
    if (this.#signal.aborted) throw new ScanEnded('interrupted');
    this.#requests += 1;
    this.#unitRequests += 1;
    if (answer.kind === 'silent') this.#timeouts += 1;
    else if (answer.kind === 'broken') {
      this.#broken += 1;
      if (answer.isForeign) this.#foreign += 1;
    } else this.#tookMs.push(answer.tookMs);
    return answer;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#parts.scheduler.after(this.#options.pauseMs, end);
      this.#signal.addEventListener('abort', end);
    });
  }
}

function contentOf({ tables, identification }: UnitFindings): string {
  return JSON.stringify([tables.map(({ exceptions: _, ...content }) => content), identification]);
}

function isUnitOne({ unit_id }: UnitFindings): boolean {
  return unit_id === 1;
}

function isGatewayWord(exception: number): boolean {
  return exception === GATEWAY_PATH_UNAVAILABLE || exception === GATEWAY_TARGET_SILENT;
}

/** The lowest address that reads, above one that does not, if what reads is in one piece. */
async function lowest(
  below: number,
  start: number,
  reads: (address: number) => Promise<boolean>,
): Promise<number> {
  let bad = below;
  let good = start;
  while (good - bad > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await reads(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** The largest count up to `limit` that reads; 1 is known to. */
async function largest(limit: number, reads: (count: number) => Promise<boolean>): Promise<number> {
  if (await reads(limit)) return limit;
  let good = 1;
  let bad = limit;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await reads(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

async function largestOrNone(limit: number, reads: (count: number) => Promise<boolean>): Promise<number> {
  return limit >= 1 && (await reads(1)) ? largest(limit, reads) : 0;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
