import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { shipped } from '../config/shipped.ts';
import { type Clocks, type Scheduler, systemClocks, systemScheduler } from '../runtime/clocks.ts';
import { createLogger, type Logger, type LogLevel } from '../runtime/logger.ts';

/** What every part is built with. */
export interface Runtime {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

export function createRuntime(level: LogLevel): Runtime {
  return { clocks: systemClocks(), scheduler: systemScheduler, logger: createLogger(level) };
}

/** The version in package.json. */
export function programVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(shipped('package.json'), 'utf8')))
    .version;
}
