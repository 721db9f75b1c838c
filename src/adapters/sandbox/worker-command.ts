import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How a worker is started: a program and its arguments. */
export interface WorkerCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Little memory, and garbage collected early: without a small first size, V8 lets 64 MB of garbage gather before it
 * looks. The old space may grow to the contract's largest limit; the daemon watches each tool's own.
 */
const SMALL_NODE = [
  '--max-semi-space-size=1',
  '--initial-old-space-size=8',
  '--max-old-space-size=1024',
  '--v8-pool-size=1',
  '--optimize-for-size',
  '--no-warnings',
];

/**
 * This Node with a worker: the built one by Node's permission model, which leaves it the reading of its own code and of
 * `readable` (directories), and no writing, processes, threads, native modules or inspector. The TypeScript loader
 * cannot run under it, so a worker from the sources does without.
 */
export function workerCommand(worker: string, readable: readonly string[]): WorkerCommand {
  if (worker.endsWith('.ts')) {
    const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    return { program: process.execPath, args: [...SMALL_NODE, '--import', loader, worker] };
  }
  const directories = [dirname(dirname(worker)), ...readable];
  // Modules are read by their real paths.
  const allowed = new Set([
    ...directories,
    ...directories.filter(existsSync).map((each) => realpathSync(each)),
  ]);
  return {
    program: process.execPath,
    args: [
      ...SMALL_NODE,
      '--experimental-permission',
      ...[...allowed].map((directory) => `--allow-fs-read=${directory}/*`),
      worker,
    ],
  };
}

/** The worker beside this file. */
export function ownWorker(): string {
  const name = import.meta.url.endsWith('.ts') ? './worker/worker.ts' : './worker/worker.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
