import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A program and the arguments before those that the recogniser adds. */
export interface WorkerCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** The child runs little JavaScript: measured, these save it 8 MB and cost no time. */
const SMALL_NODE = [
  '--max-old-space-size=64',
  '--max-semi-space-size=1',
  '--v8-pool-size=1',
  '--optimize-for-size',
  '--lite-mode',
];

/** This Node with the worker beside this file; run from the sources, it needs the TypeScript loader. */
export function ownWorkerCommand(): WorkerCommand {
  const fromSources = import.meta.url.endsWith('.ts');
  const worker = fileURLToPath(new URL(fromSources ? './worker.ts' : './worker.js', import.meta.url));
  const loader = fromSources
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : [];
  return { program: process.execPath, args: [...SMALL_NODE, ...loader, worker] };
}
