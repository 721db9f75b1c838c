import {
  DEVICE_BUSY,
  DEVICE_FAILURE,
  GATEWAY_TARGET_SILENT,
  ILLEGAL_ADDRESS,
} from '../../domain/plc/modbus-error.ts';
import { BROADCAST_UNIT } from '../../domain/plc/modbus-request.ts';
import type { PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import {
  type FaultRequest,
  faultName,
  type LineFault,
  resolveFault,
} from '../../domain/plc/simulation/line-fault.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { Health, Service } from '../../runtime/service.ts';
import { answerRequest, type DeviceMemory, exceptionAnswer } from './device-answers.ts';
import { type Framing, type RequestFrame, rtuFraming, tcpFraming } from './framing.ts';
import type { Reply } from './line-client.ts';
import { LineFaults } from './line-faults.ts';
import { LineImage } from './line-image.ts';
import { shownValue } from './point-words.ts';
import { SerialListener, type SerialSettings } from './serial-listener.ts';
import type { LoggedEvent, SimulatedPlc } from './simulated-plc.ts';
import { HOST, TcpListener } from './tcp-listener.ts';

export interface SimulatedLineOptions {
  readonly plant: PlantModel;
  /** The connection of the plant whose machines are served, all their units on one port. */
  readonly connection: string;
  /** 0 takes any free port; the connection's own unless given. */
  readonly port?: number;
  /** Serves the frames of a serial line as well, on a port of its own; 0 takes any free one. */
  readonly rtuOverTcpPort?: number;
  /** Serves a serial port or pseudo terminal as well. */
  readonly serial?: SerialSettings;
  /** The same seed gives the same noise, scrap and doors. */
  readonly seed?: number;
  /** How many times faster than the clock on the wall the physics run; 1 unless given. */
  readonly speed?: number;
  /** Faults from the start. */
  readonly faults?: readonly FaultRequest[];
  /** Asked for each request, milliseconds; the line answers at once unless given. */
  readonly responseDelayMs?: () => number;
  /** Told what the machines log, when it is worked out: at the next request. */
  readonly onEvent?: (event: LoggedEvent) => void;
}

export interface LineDependencies {
  readonly logger: Logger;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

export interface LineEndpoint {
  readonly host: string;
  readonly port: number;
}

/** One fault that is on. */
export interface FaultStatus {
  readonly name: string;
  readonly target: string;
  /** Until it goes by itself, milliseconds. */
  readonly left_ms?: number;
}

/** One machine as the engineer at the simulator sees it. */
export interface MachineStatus {
  readonly machine: string;
  readonly state: 'running' | 'stopped' | 'fault';
  readonly values: readonly { readonly point: string; readonly value: PointValue; readonly unit?: string }[];
  readonly faults: readonly FaultStatus[];
}

interface LogFeed {
  readonly plc: SimulatedPlc;
  readonly perS: number;
  readonly sinceMs: number;
  fed: number;
}

/** Codes of records that are fed for their number alone. */
const FED_CODE = 100;
const DECIMALS = 2;

/**
 * A production line on the loopback interface that behaves like the machines of a plant file: every point with a `simulated`
 * section is at its address. In: Modbus requests (functions 1 to 6, 15, 16, 20, 22, 23) over TCP, and over serial frames
 * where asked for. Time passes when somebody asks; what a machine did meanwhile is worked out then.
 */
export class SimulatedLine implements Service {
  readonly name = 'simulated line';
  readonly #options: SimulatedLineOptions;
  readonly #dependencies: LineDependencies;
  readonly #memories = new Map<number, DeviceMemory>();
  readonly #feeds = new Map<string, LogFeed>();
  #faults = new LineFaults(1);
  #image: LineImage | undefined;
  #startMs = 0;
  #tcp: TcpListener | undefined;
  #rtu: TcpListener | undefined;
  #serial: SerialListener | undefined;
  #endpoint: LineEndpoint | undefined;
  #rtuEndpoint: LineEndpoint | undefined;
  #requests = 0;

  constructor(options: SimulatedLineOptions, dependencies: LineDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  /**
   * Throws EdgeError SIMULATED_LINE_PORT when the port is taken or may not be used, SIMULATED_LINE_SERIAL for a serial port,
   * SIMULATED_LINE_EMPTY when the connection has no machine to simulate, USAGE for a fault that cannot be.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { plant, connection, seed = 1, speed = 1, onEvent } = this.#options;
    const { clocks, logger } = this.#dependencies;
    const time = { startWallS: clocks.wall().getTime() / 1000, speed };
    const image = new LineImage(plant, connection, {
      seed,
      time,
      onEvent: (event) => onEvent?.(event),
    });
    if (image.plcs.size === 0)
      throw new EdgeError('SIMULATED_LINE_EMPTY', `no machine on ${connection} has simulated points`, {
        hint: 'Add a simulated section to points of the plant file.',
      });
    this.#image = image;
    this.#startMs = clocks.monotonicMs();
    this.#faults = new LineFaults(seed);
    for (const fault of this.#options.faults ?? []) this.fault(fault);
    try {
      await this.#listen();
    } catch (error) {
      await this.stop(0);
      throw error;
    }
    if (signal.aborted) await this.stop(0);
    else logger.info({ ...this.#endpoint, machines: image.plcs.size }, 'simulated line is up');
  }

  async stop(_deadlineMs: number): Promise<void> {
    const open = [this.#tcp?.close(), this.#rtu?.close(), this.#serial?.close()];
    this.#tcp = undefined;
    this.#rtu = undefined;
    this.#serial = undefined;
    this.#endpoint = undefined;
    this.#rtuEndpoint = undefined;
    await Promise.all(open);
  }

  health(): Health {
    const clients = (this.#tcp?.clients ?? 0) + (this.#rtu?.clients ?? 0);
    const figures = { requests_total: this.#requests, open_connections: clients };
    return this.#endpoint === undefined
      ? { status: 'off', detail: 'not started', figures }
      : { status: 'ok', detail: `simulated machines at ${HOST}:${this.#endpoint.port}`, figures };
  }

  /** Where it listens, or undefined while it does not. */
  endpoint(): LineEndpoint | undefined {
    return this.#endpoint;
  }

  /** Where it listens for the frames of a serial line. */
  rtuEndpoint(): LineEndpoint | undefined {
    return this.#rtuEndpoint;
  }

  /** Pins a simulated point to a value, or lets it go with undefined. Returns false when there is no such point. */
  hold(ref: PointRef, value: PointValue | undefined): boolean {
    return this.#image?.hold(ref, value) ?? false;
  }

  /** Puts a fault on the line. Throws EdgeError USAGE that names the nearest fault, machine or point. */
  fault(request: FaultRequest): FaultStatus {
    const fault = resolveFault(request, this.#options.plant, this.#options.connection);
    const nowMs = this.#advance();
    const untilMs = fault.forMs === undefined ? undefined : nowMs + fault.forMs;
    this.#feel(fault, true);
    this.#faults.set(fault, untilMs);
    this.#dependencies.logger.info(
      { fault: fault.name, target: fault.target },
      'fault on the simulated line',
    );
    return statusOf(fault, untilMs, nowMs);
  }

  /**
   * Takes away the faults of a name, of a target, or all; returns those that are gone. Throws EdgeError USAGE for a fault
   * that there is not.
   */
  clearFaults(name?: string, target?: string): FaultStatus[] {
    const known = name === undefined ? undefined : faultName(name);
    const nowMs = this.#advance();
    const gone = this.#faults.clear(known, target);
    for (const fault of gone) this.#feel(fault, false);
    return gone.map((fault) => statusOf({ ...fault, forMs: undefined }, undefined, nowMs));
  }

  faults(): FaultStatus[] {
    const nowMs = this.#advance();
    return this.#faults.list().map(({ fault, untilMs }) => statusOf(fault, untilMs, nowMs));
  }

  /** Has a machine's log filled at a rate from now on, records a second; 0 ends it. Their values count up from 1. */
  feedLog(machine: string, perS: number): void {
    const plc = this.#plc(machine);
    const nowMs = this.#advance();
    this.#feeds.set(machine, { plc, perS, sinceMs: nowMs, fed: 0 });
  }

  /** Writes records to a machine's log at once. */
  appendLog(machine: string, code: number, ...values: readonly number[]): void {
    const plc = this.#plc(machine);
    this.#advance();
    for (const value of values) plc.append(code, value);
  }

  /** The machines as they are now; a running line may be looked at as often as one likes. */
  machines(): MachineStatus[] {
    const image = this.#image;
    if (image === undefined) return [];
    const faults = this.faults();
    return [...image.plcs.values()].map((plc) => ({
      machine: plc.machine.id,
      state: plc.isFaulty ? 'fault' : plc.isRunning ? 'running' : 'stopped',
      values: plc.points.map((point) => this.#shown(plc, point)),
      faults: faults.filter(({ target }) => this.#concerns(target, plc)),
    }));
  }

  async #listen(): Promise<void> {
    const { plant, connection, rtuOverTcpPort, serial } = this.#options;
    const answer = (frame: RequestFrame, framing: Framing['name']): Reply => this.#answer(frame, framing);
    const settings = plant.connections.get(connection);
    const port = this.#options.port ?? (settings?.transport === 'tcp' ? settings.port : 0);
    const tcp = new TcpListener(tcpFraming, answer, this.#dependencies);
    this.#tcp = tcp;
    const bound = await tcp.listen(port);
    if (rtuOverTcpPort !== undefined) {
      const rtu = new TcpListener(rtuFraming, answer, this.#dependencies);
      this.#rtu = rtu;
      this.#rtuEndpoint = { host: HOST, port: await rtu.listen(rtuOverTcpPort) };
    }
    if (serial !== undefined) {
      const listener = new SerialListener(serial, answer, this.#dependencies);
      await listener.open();
      this.#serial = listener;
    }
    this.#endpoint = { host: HOST, port: bound };
  }

  #answer({ unitId, request }: RequestFrame, framing: Framing['name']): Reply {
    this.#requests += 1;
    this.#advance();
    const silent: Reply = { answer: undefined, delayMs: 0, noise: undefined, closes: false };
    const units = this.#image?.units;
    if (units === undefined) return silent;
    if (!units.has(unitId)) {
      if (framing === 'tcp')
        return { ...silent, answer: exceptionAnswer(request[0] ?? 0, GATEWAY_TARGET_SILENT) };
      // All devices of a serial line obey a broadcast, and none answers.
      if (unitId === BROADCAST_UNIT) for (const each of units) this.#carryOut(request, each);
      return silent;
    }
    const effects = this.#faults.onWire(unitId);
    if (effects.isDead) return silent;
    const answer = effects.isBusy
      ? exceptionAnswer(request[0] ?? 0, DEVICE_BUSY)
      : this.#carryOut(request, unitId);
    const delayMs = (this.#options.responseDelayMs?.() ?? 0) + effects.delayMs;
    return { answer, delayMs, noise: effects.noise, closes: effects.closes };
  }

  #carryOut(request: Buffer, unitId: number): Buffer {
    try {
      return answerRequest(request, this.#memoryOf(unitId));
    } catch (error) {
      this.#dependencies.logger.error({ detail: messageOf(error) }, 'the simulated device failed');
      return exceptionAnswer(request[0] ?? 0, DEVICE_FAILURE);
    }
  }

  #memoryOf(unitId: number): DeviceMemory {
    const known = this.#memories.get(unitId);
    if (known !== undefined) return known;
    const nothing = { exception: ILLEGAL_ADDRESS };
    const refused = (exception: number | undefined) => (exception === undefined ? undefined : { exception });
    const memory: DeviceMemory = {
      read: (table, address, count) =>
        refused(this.#faults.refuses(unitId, table, address, count)) ??
        this.#image?.read(unitId, table, address, count) ??
        nothing,
      write: (table, address, values) => {
        const refusal = refused(this.#faults.refuses(unitId, table, address, values.length));
        return (
          refusal ?? (this.#image === undefined ? nothing : this.#image.write(unitId, table, address, values))
        );
      },
      readFile: (file, record, count) => this.#image?.readFile(unitId, file, record, count) ?? nothing,
    };
    this.#memories.set(unitId, memory);
    return memory;
  }

  /** Lets time pass until now, faults ending at their moment on the way; returns now. */
  #advance(): number {
    const nowMs = this.#dependencies.clocks.monotonicMs();
    for (;;) {
      const endMs = this.#faults.nextEndMs(nowMs);
      if (endMs === undefined) break;
      this.#advanceTo(endMs);
      for (const { fault, untilMs } of this.#faults.list()) {
        if (untilMs !== endMs) continue;
        this.#faults.clear(fault.name, fault.target);
        this.#feel(fault, false);
      }
    }
    this.#advanceTo(nowMs);
    return nowMs;
  }

  #advanceTo(atMs: number): void {
    this.#image?.advance(Math.max(0, atMs - this.#startMs) / 1000, (machine) =>
      this.#faults.ofMachine(machine),
    );
    for (const feed of this.#feeds.values()) {
      const due = Math.floor(((atMs - feed.sinceMs) / 1000) * feed.perS);
      for (; feed.fed < due; feed.fed += 1) feed.plc.append(FED_CODE, feed.fed + 1);
    }
  }

  /** What a fault does to the machines at the moment it comes and goes; the rest is asked for as it matters. */
  #feel({ effect }: LineFault, isOn: boolean): void {
    const image = this.#image;
    if (effect.on === 'sensor') {
      const found = image?.point(effect.ref);
      found?.plc.stick(found.point, isOn);
    }
    if (effect.on === 'clock') {
      const plc = image?.plcs.get(effect.machine);
      if (plc !== undefined) plc.clockFaultS = isOn ? effect.offsetS : 0;
    }
  }

  #shown(plc: SimulatedPlc, point: PlantPoint): MachineStatus['values'][number] {
    // As whoever reads the registers sees it, stuck sensors and all.
    const value = shownValue(point, plc.words(point));
    const shown = typeof value === 'number' ? Number(value.toFixed(point.decimals ?? DECIMALS)) : value;
    const unit = point.unit?.en;
    return { point: point.ref.point, value: shown, ...(unit === undefined ? {} : { unit }) };
  }

  #concerns(target: string, plc: SimulatedPlc): boolean {
    const { id } = plc.machine;
    return target === id || target.startsWith(`${id}.`) || plc.points.some(({ device }) => device === target);
  }

  #plc(machine: string): SimulatedPlc {
    const plcs = this.#image?.plcs;
    const plc = plcs?.get(machine);
    if (plc !== undefined) return plc;
    throw new EdgeError(
      'USAGE',
      `no simulated machine is called "${machine}".${didYouMean(machine, plcs?.keys() ?? [])}`,
    );
  }
}

function statusOf({ name, target }: LineFault, untilMs: number | undefined, nowMs: number): FaultStatus {
  return {
    name,
    target,
    ...(untilMs === undefined ? {} : { left_ms: Math.max(0, Math.round(untilMs - nowMs)) }),
  };
}
