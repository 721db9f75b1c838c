import { createServer } from 'node:net';
import { type FCallbackVal, type IServiceVector, ServerTCP } from 'modbus-serial';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import { MAX_REGISTERS_PER_REQUEST, type RegisterTable } from '../../domain/plc/register-address.ts';
import { EdgeError, isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Health, Service } from '../../runtime/service.ts';
import type { Endpoint } from './connect-socket.ts';
import type { ModbusDependencies } from './link-keeper.ts';
import { SimulatedImage } from './simulated-image.ts';

export interface SimulatedLineOptions {
  readonly plant: PlantModel;
  /** The connection of the plant whose machines are served, all their units on one port. */
  readonly connection: string;
  /** 0 takes any free port; the connection's own unless given. */
  readonly port?: number;
  /** The same seed gives the same noise. */
  readonly seed?: number;
  /** Asked for each request, milliseconds; the line answers at once unless given. */
  readonly responseDelayMs?: () => number;
}

/** Real machines are not on the loopback interface, and the simulated line is on no other. */
const HOST = '127.0.0.1';
const FREE_PORT_TRIES = 5;

const ILLEGAL_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
const ILLEGAL_VALUE = 3;

/** Thrown inside the server, which answers with the exception. */
class ModbusException extends Error {
  readonly modbusErrorCode: number;

  constructor(code: number) {
    super(`exception ${code}`);
    this.modbusErrorCode = code;
  }
}

/**
 * A Modbus TCP server on the loopback interface that behaves like the machines of a plant file: every point with a
 * `simulated` section is at its address. It only answers reads; whoever reads it sees time pass.
 */
export class SimulatedLine implements Service {
  readonly name = 'simulated line';
  readonly #options: SimulatedLineOptions;
  readonly #dependencies: ModbusDependencies;
  #image: SimulatedImage | undefined;
  #server: ServerTCP | undefined;
  #endpoint: Endpoint | undefined;
  #requests = 0;
  #isInRequest = false;
  #delay: Promise<void> | undefined;

  constructor(options: SimulatedLineOptions, dependencies: ModbusDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
  }

  /**
   * Throws EdgeError SIMULATED_LINE_PORT when the port is taken or may not be used, SIMULATED_LINE_EMPTY when the
   * connection has no machine to simulate.
   */
  async start(signal: AbortSignal): Promise<void> {
    const { plant, connection, seed } = this.#options;
    const image = new SimulatedImage(plant, connection, seed ?? 1, this.#dependencies.clocks.monotonicMs());
    if (image.machines === 0)
      throw new EdgeError('SIMULATED_LINE_EMPTY', `no machine on ${connection} has simulated points`, {
        hint: 'Add a simulated section to points of the plant file.',
      });
    this.#image = image;
    const settings = plant.connections.get(connection);
    const port = this.#options.port ?? (settings?.transport === 'tcp' ? settings.port : 0);
    if (port === 0) await this.#listenAnywhere();
    else await this.#listen(port);
    if (signal.aborted) await this.stop(0);
    else
      this.#dependencies.logger.info({ ...this.#endpoint, machines: image.machines }, 'simulated line is up');
  }

  async stop(_deadlineMs: number): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#endpoint = undefined;
    if (server !== undefined) await closed(server);
  }

  health(): Health {
    const figures = { requests_total: this.#requests, open_connections: this.#server?.socks.size ?? 0 };
    return this.#endpoint === undefined
      ? { status: 'off', detail: 'not started', figures }
      : { status: 'ok', detail: `simulated machines at ${HOST}:${this.#endpoint.port}`, figures };
  }

  /** Where it listens, or undefined while it does not. */
  endpoint(): Endpoint | undefined {
    return this.#endpoint;
  }

  /** Pins a simulated point to a value, or lets it go with undefined. Returns false when there is no such point. */
  hold(ref: PointRef, value: PointValue | undefined): boolean {
    return this.#image?.hold(ref, value) ?? false;
  }

  /** modbus-serial takes port 0 for 502, so a free port is found first; another program may be quicker. */
  async #listenAnywhere(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      try {
        await this.#listen(port);
        return;
      } catch (error) {
        if (attempt === FREE_PORT_TRIES || !isEdgeError(error, 'SIMULATED_LINE_PORT')) throw error;
      }
    }
  }

  async #listen(port: number): Promise<void> {
    const server = new ServerTCP(this.#services(), { host: HOST, port });
    server.on('socketError', (error) =>
      this.#dependencies.logger.debug({ detail: messageOf(error) }, 'client left'),
    );
    try {
      await new Promise<void>((resolve, reject) => {
        server.on('initialized', () => resolve());
        server.on('serverError', (error) => reject(portError(port, error)));
      });
    } catch (error) {
      await closed(server);
      throw error;
    }
    this.#server = server;
    this.#endpoint = { host: HOST, port };
  }

  #services(): IServiceVector {
    const refuse = (): never => {
      throw new ModbusException(ILLEGAL_FUNCTION);
    };
    const many =
      (table: RegisterTable) =>
      (address: number, count: number, unitId: number, answer: FCallbackVal<number[]>): void => {
        // The library looks into the values even beside an error.
        this.#answer(unitId, table, address, count).then(
          (cells) => answer(null, cells),
          (error: Error) => answer(error, []),
        );
      };
    const one = (table: RegisterTable) => async (address: number, unitId: number) =>
      (await this.#answer(unitId, table, address, 1))[0] ?? 0;
    const bit = (table: RegisterTable) => async (address: number, unitId: number) =>
      (await this.#answer(unitId, table, address, 1))[0] === 1;
    return {
      getCoil: bit('coil'),
      getDiscreteInput: bit('discrete_input'),
      getHoldingRegister: one('holding'),
      getInputRegister: one('input'),
      getMultipleHoldingRegisters: many('holding'),
      getMultipleInputRegisters: many('input'),
      setCoil: refuse,
      setRegister: refuse,
      setRegisterArray: refuse,
    };
  }

  async #answer(unitId: number, table: RegisterTable, address: number, count: number): Promise<number[]> {
    this.#beginRequest();
    const cells: number[] = [];
    if (count > MAX_REGISTERS_PER_REQUEST) throw new ModbusException(ILLEGAL_VALUE);
    for (let offset = 0; offset < count; offset += 1) {
      const cell = this.#image?.cell(unitId, table, address + offset);
      if (cell === undefined) throw new ModbusException(ILLEGAL_ADDRESS);
      cells.push(cell);
    }
    await this.#delay;
    return cells;
  }

  /** modbus-serial asks for the bits of one request one by one, all in one turn: they share its moment and its delay. */
  #beginRequest(): void {
    if (this.#isInRequest) return;
    this.#isInRequest = true;
    queueMicrotask(() => {
      this.#isInRequest = false;
    });
    this.#requests += 1;
    this.#image?.advance(this.#dependencies.clocks.monotonicMs());
    const delayMs = this.#options.responseDelayMs?.() ?? 0;
    this.#delay =
      delayMs > 0
        ? new Promise((resolve) => {
            this.#dependencies.scheduler.after(delayMs, resolve);
          })
        : undefined;
  }
}

function portError(port: number, error: unknown): EdgeError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new EdgeError('SIMULATED_LINE_PORT', `port ${port} is already in use`, {
      hint: `Stop the program that listens on port ${port}, or give the simulated line another port.`,
      cause: error,
    });
  return new EdgeError('SIMULATED_LINE_PORT', `cannot listen on port ${port}: ${messageOf(error)}`, {
    hint:
      code === 'EACCES'
        ? 'Ports below 1024 need a privilege: use 1502.'
        : 'Give the simulated line another port.',
    cause: error,
  });
}

/** Also closes what its clients hold open. */
function closed(server: ServerTCP): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(portError(0, error)));
    probe.listen(0, HOST, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
