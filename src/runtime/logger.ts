import { type Logger as PinoLogger, pino } from 'pino';

/** Structured log: fields first, a constant sentence second. A transcript or payload is a field, never part of the sentence. */
export type Logger = Pick<PinoLogger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'> & {
  child(bindings: Record<string, unknown>): Logger;
};

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** JSON lines to stderr, so that stdout stays for results. `fields` are put into each, as they are when it is written. */
export function createLogger(
  level: LogLevel,
  fields: () => Readonly<Record<string, string>> = () => ({}),
): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, mixin: () => ({ ...fields() }) },
    pino.destination({ fd: 2, sync: true }),
  );
}

export function silentLogger(): Logger {
  return pino({ level: 'silent' });
}
