import type { ReadingReport } from '../app/turn-report.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import { isEdgeError } from '../runtime/edge-error.ts';
import { composeField } from './field.ts';
import { loadNodeOrDemo } from './node.ts';
import { createRuntime } from './runtime.ts';
import { controlSocketOf, loadPlant, type Site } from './site.ts';

/** The points of a plant that this process polls itself. */
export interface PlantWatch {
  start(): Promise<void>;
  points(): readonly ReadingReport[];
  readonly plant: PlantModel;
  stop(): Promise<void>;
}

/** Throws EdgeErrors that name file and line. */
export function composeWatch(files: readonly string[]): PlantWatch {
  const plant = loadPlant(files);
  const field = composeField(plant, createRuntime('silent'));
  return {
    plant,
    async start() {
      for (const service of field.services) await service.start(new AbortController().signal);
    },
    points: field.points,
    async stop() {
      for (const service of field.services.toReversed()) await service.stop(1000);
    },
  };
}

/** Where a daemon answers, if it runs, and the site that it serves. */
export interface FoundDaemon {
  readonly socket: string;
  readonly site: Site;
}

/** The daemon of a configuration, or else a running demo; undefined when there is neither. */
export async function findDaemon(config: string | undefined): Promise<FoundDaemon | undefined> {
  try {
    const site = await loadNodeOrDemo(config);
    return { socket: controlSocketOf(site.config), site };
  } catch (error) {
    if (config === undefined && isEdgeError(error, 'CONFIG_UNREADABLE')) return undefined;
    throw error;
  }
}
