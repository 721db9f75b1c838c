import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { TurnReport } from '../../src/app/turn-report.ts';
import { type AssistantSetting, assistantSaidSchema } from './assistant-lines.ts';

const CHILD = fileURLToPath(new URL('./assistant-child.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Makes one file of the program and its modules, which read one by one would take most of the time of a start. It stands in
 * the tree of the project, so that packages are found; each module finds its own files as if it stood where it was written.
 */
export async function buildAssistant(): Promise<string> {
  const outfile = join(ROOT, 'dist', `assistant-child-${process.pid}.mjs`);
  await build({
    entryPoints: [CHILD],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    plugins: [OWN_PLACE],
  });
  return outfile;
}

const OWN_PLACE: Plugin = {
  name: 'own-place',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }));
  },
};

/** It ended before it had answered. */
export class AssistantGone extends Error {
  constructor() {
    super('the assistant has ended');
  }
}

/** A whole assistant in a process of its own, from `assistant-child.ts`. */
export class AssistantProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #gone: Promise<unknown>;
  readonly #waiting = new Map<number, { give(report: TurnReport): void; gone(error: Error): void }>();
  readonly #ready: Promise<void>;
  #turns = 0;
  #wasReady = false;
  /** What it told unasked. */
  readonly told: string[] = [];

  get isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** It took turns. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** Loads a program of `buildAssistant`, and waits for `begin`. */
  constructor(program: string) {
    this.#child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#gone = once(this.#child, 'close');
    // A line on the way to a process that is killed is lost, and that is what is wanted.
    this.#child.stdin.on('error', () => undefined);
    this.#ready = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const said = assistantSaidSchema.parse(JSON.parse(line));
        if (said.kind === 'ready') {
          this.#wasReady = true;
          resolve();
        } else if (said.kind === 'told') this.told.push(said.told);
        else this.#waiting.get(said.turn)?.give(said.report);
      });
      void this.#gone.then(() => {
        const error = new AssistantGone();
        reject(error);
        for (const { gone } of this.#waiting.values()) gone(error);
      });
    });
    // Of one that ends without being waited for nothing is to be said.
    this.#ready.catch(() => undefined);
  }

  /** Resolves when it takes turns; rejects with AssistantGone. */
  begin(setting: AssistantSetting): Promise<void> {
    this.#write(setting);
    return this.#ready;
  }

  /** Rejects with AssistantGone when it ends before it has answered. */
  ask(station: string, text: string): Promise<TurnReport> {
    this.#turns += 1;
    const turn = this.#turns;
    const answered = new Promise<TurnReport>((give, gone) => {
      if (this.isGone) gone(new AssistantGone());
      this.#waiting.set(turn, { give, gone });
    });
    this.#write({ turn, station, text });
    return answered;
  }

  /** `kill -9`; resolves when everything that it had said is here. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    await this.#gone;
  }

  #write(line: object): void {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }
}
