import { SerialPort } from 'serialport';
import type { Scheduler } from '../../runtime/clocks.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import { rtuFraming } from './framing.ts';
import { type Answerer, LineClient } from './line-client.ts';

export interface SerialSettings {
  readonly path: string;
  /** Bits per second; 19200, even parity and 1 stop bit unless given (Modbus over Serial Line V1.02, section 2.5.1). */
  readonly baudRate?: number;
  readonly parity?: 'none' | 'even' | 'odd';
  readonly stopBits?: 1 | 2;
}

/** Answers on a serial port or a pseudo terminal. */
export class SerialListener {
  readonly #settings: SerialSettings;
  readonly #answer: Answerer;
  readonly #dependencies: { readonly logger: Logger; readonly scheduler: Scheduler };
  #port: SerialPort | undefined;

  constructor(
    settings: SerialSettings,
    answer: Answerer,
    dependencies: { readonly logger: Logger; readonly scheduler: Scheduler },
  ) {
    this.#settings = settings;
    this.#answer = answer;
    this.#dependencies = dependencies;
  }

  /** Throws EdgeError SIMULATED_LINE_SERIAL. */
  async open(): Promise<void> {
    const { path, baudRate = 19_200, parity = 'even', stopBits } = this.#settings;
    const { logger, scheduler } = this.#dependencies;
    const port = new SerialPort({
      path,
      baudRate,
      parity,
      stopBits: stopBits ?? (parity === 'none' ? 2 : 1),
      autoOpen: false,
    });
    // An adapter that is pulled out says so by an error.
    port.on('error', (error) => logger.warn({ detail: messageOf(error) }, 'the serial port failed'));
    await new Promise<void>((resolve, reject) => {
      port.open((error) => {
        if (error === null || error === undefined) resolve();
        else
          reject(
            new EdgeError('SIMULATED_LINE_SERIAL', `cannot open ${path}: ${messageOf(error)}`, {
              hint: 'Give the path of a serial port or pseudo terminal that no other program uses; the user needs the group dialout.',
              cause: error,
            }),
          );
      });
    });
    this.#port = port;
    new LineClient(port, rtuFraming, this.#answer, scheduler).listen((error) =>
      logger.error({ detail: messageOf(error) }, 'a request of the simulated line failed'),
    );
  }

  async close(): Promise<void> {
    const port = this.#port;
    this.#port = undefined;
    if (port === undefined || !port.isOpen) return;
    await new Promise<void>((resolve) => port.close(() => resolve()));
  }
}
