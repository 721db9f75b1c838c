import type { EdgeError } from '../../runtime/edge-error.ts';

export interface LineEvents {
  readonly onBytes: (bytes: Buffer) => void;
  /** The far side, or the line itself, is gone; nothing follows. */
  readonly onLost: (cause: EdgeError) => void;
}

/** Bytes to and from devices, from open to gone; never reopened. */
export interface Line {
  /** Begins to receive; what came before is not lost. Called once. */
  listen(events: LineEvents): void;

  /** `onSent` is called when the bytes have left; not at all when they could not, which `onLost` tells. */
  write(bytes: Buffer, onSent?: () => void): void;

  /** Resolves when another may open the same; `onLost` is not called any more. */
  release(): Promise<void>;
}

/** Where a line leads and how it is opened. */
export interface LineSource {
  /** For people: a host and port, or the path of a serial port; asked again each time, since it may move. */
  where(): string;

  /** Rejects with EdgeError MODBUS_UNREACHABLE or MODBUS_STOPPED. */
  open(timeoutMs: number, signal: AbortSignal): Promise<Line>;
}
