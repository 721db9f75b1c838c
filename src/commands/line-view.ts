import { terminalLine } from './terminal-text.ts';

/** One machine as a line shows it; what `SimulatedLine.machines()` tells. */
interface ShownMachine {
  readonly machine: string;
  readonly state: string;
  readonly values: readonly {
    readonly point: string;
    readonly value: number | boolean | string;
    readonly unit?: string;
  }[];
  readonly faults: readonly ShownFault[];
}

interface ShownFault {
  readonly name: string;
  readonly target: string;
  readonly left_ms?: number;
}

interface ShownEvent {
  readonly machine: string;
  readonly name: string;
  readonly atS: number;
  readonly value: number;
}

const REFRESH_MS = 1_000;
const CLEAR_TO_END = '\u001b[J';
/** Where the width of the terminal is not known. */
const COLUMNS = 100;
const MOST_EVENTS = 5;

/**
 * What `simulate` shows: on a terminal one line a machine, drawn anew each second, with the latest events below; else a line
 * for each event. As JSON one object a line.
 */
export class LineView {
  readonly #out: NodeJS.WriteStream;
  readonly #json: boolean;
  readonly #latest: string[] = [];
  #drawn = 0;

  constructor(out: NodeJS.WriteStream, json: boolean) {
    this.#out = out;
    this.#json = json;
  }

  started(line: {
    readonly detail: string;
    readonly endpoint: { readonly host: string; readonly port: number } | undefined;
    readonly rtu: { readonly host: string; readonly port: number } | undefined;
    readonly serial: string | undefined;
    /** Puts a fault on this line, to be typed; undefined where none can be. */
    readonly faultCommand: string | undefined;
  }): void {
    if (this.#json) {
      const { endpoint, rtu, serial } = line;
      this.#write({
        event: 'up',
        ...endpoint,
        ...(rtu === undefined ? {} : { rtu_over_tcp_port: rtu.port }),
        ...(serial === undefined ? {} : { serial }),
      });
      return;
    }
    this.#out.write(`${line.detail}\n`);
    if (line.rtu !== undefined)
      this.#out.write(`frames of a serial line at ${line.rtu.host}:${line.rtu.port}\n`);
    if (line.serial !== undefined) this.#out.write(`and on ${line.serial}\n`);
    if (line.faultCommand !== undefined)
      this.#out.write(`Put a fault on it from another terminal: ${line.faultCommand}\n`);
    this.#out.write('Stop with Ctrl-C.\n');
  }

  event(event: ShownEvent): void {
    if (this.#json) {
      this.#write({
        event: event.name,
        machine: event.machine,
        value: event.value,
        at: new Date(event.atS * 1000).toISOString(),
      });
      return;
    }
    const time = new Date(event.atS * 1000).toISOString().slice(11, 19);
    const value = event.value === 0 ? '' : ` ${Number(event.value.toFixed(2))}`;
    const text = `${time}  ${event.machine}  ${event.name.replaceAll('_', ' ')}${value}`;
    if (!this.#out.isTTY) this.#out.write(`${terminalLine(text)}\n`);
    this.#latest.push(text);
    if (this.#latest.length > MOST_EVENTS) this.#latest.shift();
  }

  /** Looks at the line once a second, which also lets its time pass when nobody asks it anything. */
  watch(machines: () => readonly ShownMachine[]): { stop(): void } {
    const look = (): void => {
      const now = machines();
      if (this.#out.isTTY && !this.#json) this.#draw(now);
    };
    look();
    const timer = setInterval(look, REFRESH_MS);
    return { stop: () => clearInterval(timer) };
  }

  #draw(machines: readonly ShownMachine[]): void {
    const columns = this.#out.columns || COLUMNS;
    const lines = ['', ...machines.map(machineLine), '', ...this.#latest].map((line) =>
      terminalLine(line).slice(0, columns - 1),
    );
    const back = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A\r`;
    this.#out.write(`${back}${CLEAR_TO_END}${lines.join('\n')}\n`);
    this.#drawn = lines.length;
  }

  #write(result: unknown): void {
    this.#out.write(`${JSON.stringify(result)}\n`);
  }
}

function machineLine({ machine, state, values, faults }: ShownMachine): string {
  const suffering = faults.map((fault) => `[${faultText(fault)}]`).join(' ');
  const shown = values
    .filter(({ value }) => typeof value === 'number')
    .map(({ point, value, unit }) => `${point} ${value}${unit === undefined ? '' : ` ${unit}`}`);
  return [
    machine.padEnd(12),
    state.padEnd(8),
    ...(suffering === '' ? [] : [suffering]),
    shown.join('  '),
  ].join(' ');
}

/** A fault as a line of text: its name, and how long it stays. */
export function faultText({ name, target, left_ms }: ShownFault): string {
  const sensor = target.includes('.') ? ` ${target.slice(target.indexOf('.') + 1)}` : '';
  return `${name}${sensor}${left_ms === undefined ? '' : `, ${Math.ceil(left_ms / 1000)} s left`}`;
}
