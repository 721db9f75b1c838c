import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A program and the arguments before those that the recogniser adds. */
export interface WorkerCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** The child allocates next to nothing in JavaScript: a small heap keeps its memory to libvosk's. */
const HEAP_LIMITS = ['--max-old-space-size=64', '--max-semi-space-size=1'];

/** This Node with the worker beside this file; run from the sources, it needs the TypeScript loader. */
export function ownWorkerCommand(): WorkerCommand {
  const fromSources = import.meta.url.endsWith('.ts');
  const worker = fileURLToPath(new URL(fromSources ? './worker.ts' : './worker.js', import.meta.url));
  const loader = fromSources
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : [];
  return { program: process.execPath, args: [...HEAP_LIMITS, ...loader, worker] };
}
