import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SessionContext } from '../app/engine/session-context.ts';
import { shipped } from '../config/shipped.ts';
import { type Clocks, type Scheduler, systemClocks, systemScheduler } from '../runtime/clocks.ts';
import { createLogger, type Logger, type LogLevel } from '../runtime/logger.ts';

/** What every part is built with. */
export interface Runtime {
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  /** On whose behalf something runs: each log line says so. */
  readonly context: SessionContext;
}

export function createRuntime(level: LogLevel): Runtime {
  const context = new SessionContext();
  return {
    clocks: systemClocks(),
    scheduler: systemScheduler,
    logger: createLogger(level, () => context.fields()),
    context,
  };
}

/** The version in package.json. */
export function programVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(shipped('package.json'), 'utf8')))
    .version;
}
