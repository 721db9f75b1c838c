import type { ReadingReport } from '../app/turn-report.ts';
import { isEdgeError } from '../runtime/edge-error.ts';
import { composeField } from './field.ts';
import { loadNodeOrDemo } from './node.ts';
import { createRuntime } from './runtime.ts';
import { controlSocketOf, loadPlant } from './site.ts';

/** The points of a plant that this process polls itself. */
export interface PlantWatch {
  start(): Promise<void>;
  points(): readonly ReadingReport[];
  stop(): Promise<void>;
}

/** Throws EdgeErrors that name file and line. */
export function composeWatch(files: readonly string[]): PlantWatch {
  const field = composeField(loadPlant(files), createRuntime('silent'));
  return {
    async start() {
      for (const service of field.services) await service.start(new AbortController().signal);
    },
    points: field.points,
    async stop() {
      for (const service of field.services.toReversed()) await service.stop(1000);
    },
  };
}

/** Where the daemon of a configuration, or else a running demo, answers; undefined when there is neither. */
export async function findDaemon(config: string | undefined): Promise<string | undefined> {
  try {
    return controlSocketOf((await loadNodeOrDemo(config)).config);
  } catch (error) {
    if (config === undefined && isEdgeError(error, 'CONFIG_UNREADABLE')) return undefined;
    throw error;
  }
}
