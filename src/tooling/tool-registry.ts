import { sortByDependencies } from '../domain/tool/dependencies.ts';
import type { ToolContract } from '../domain/tool/tool-contract.ts';
import type { Cancel, Scheduler } from '../runtime/clocks.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Health, Service } from '../runtime/service.ts';
import type { FoundPack, PackSource } from './pack-source-port.ts';
import type { PackTester } from './pack-tester.ts';
import type { ToolPack } from './sandbox-port.ts';
import type { TestCase } from './test-case.ts';
import {
  type Entry,
  entryOf,
  type LoadState,
  refuse,
  refuseByRelation,
  refuseDependents,
} from './tool-entry.ts';

/** One tool as it was loaded. */
export interface LoadedTool {
  readonly name: string;
  readonly origin: FoundPack['origin'];
  readonly folder: string;
  readonly state: LoadState;
  /** Why it is UNHEALTHY, a fault a line. */
  readonly faults: readonly string[];
  /** Undefined when `tool.yaml` could not be read. */
  readonly contract: ToolContract | undefined;
}

interface Parts {
  readonly source: PackSource;
  readonly tester: PackTester;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

/** A sandbox that had no worker free says nothing about the tool: its tests are run again, so often. */
const TESTS_AGAIN = 2;
const TEST_AGAIN_AFTER_MS = 1000;

/**
 * The tools of the node. A pack that contradicts itself, depends on one that is not there, is part of a circle or fails its
 * tests is UNHEALTHY and named with its faults; the others are used.
 */
export class ToolRegistry implements Service {
  readonly name = 'tool packs';
  readonly #parts: Parts;
  #entries: ReadonlyMap<string, Entry> = new Map();
  #isLoaded = false;
  #abort = new AbortController();
  #testing: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads every pack; nothing of them is run. Contracts are known from here on. */
  load(): void {
    this.#isLoaded = true;
    const entries = new Map<string, Entry>();
    const twice: Entry[] = [];
    for (const found of this.#parts.source.read()) {
      const entry = entryOf(found);
      const first = entries.get(found.name);
      if (first === undefined) entries.set(found.name, entry);
      else {
        refuse(entry, [`${found.folder}: ${first.found.folder} is a tool of that name: choose another`]);
        twice.push(entry);
      }
    }
    for (const entry of twice) entries.set(`${entry.found.name} (${entry.found.folder})`, entry);
    this.#entries = entries;
    refuseByRelation(entries);
    for (const entry of entries.values()) if (entry.state === 'UNHEALTHY') this.#report(entry);
  }

  /** Runs the tests of all packs behind the start of the daemon. */
  async start(): Promise<void> {
    if (!this.#isLoaded) this.load();
    this.#abort = new AbortController();
    this.#testing = this.#testAll(this.#abort.signal);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#testing;
  }

  health(): Health {
    const tools = this.all();
    const count = (state: LoadState): number => tools.filter((tool) => tool.state === state).length;
    const figures = { ready: count('READY'), testing: count('TESTING'), unhealthy: count('UNHEALTHY') };
    const bad = tools.filter(({ state }) => state === 'UNHEALTHY').map(({ name }) => name);
    if (bad.length > 0)
      return {
        status: 'degraded',
        detail: `not used: ${bad.join(', ')} (see hermes-edge tools list)`,
        figures,
      };
    if (figures.testing > 0)
      return { status: 'starting', detail: `${figures.testing} tools are being tested`, figures };
    return { status: 'ok', detail: `${figures.ready} tools`, figures };
  }

  all(): readonly LoadedTool[] {
    return [...this.#entries.values()].map(({ found, content, state, faults }) => ({
      name: found.name,
      origin: found.origin,
      folder: found.folder,
      state,
      faults,
      contract: content?.pack.contract,
    }));
  }

  /** The pack of a tool that is READY or TESTING. */
  pack(name: string): ToolPack | undefined {
    const entry = this.#entries.get(name);
    return entry === undefined || entry.state === 'UNHEALTHY' ? undefined : entry.content?.pack;
  }

  state(name: string): LoadState | undefined {
    return this.#entries.get(name)?.state;
  }

  /** Why a tool is not used. */
  faults(name: string): readonly string[] {
    return this.#entries.get(name)?.faults ?? [];
  }

  /** Tools that may be routed to. */
  names(): readonly string[] {
    return [...this.#entries.keys()].filter((name) => this.pack(name) !== undefined);
  }

  /** Waits until a tool is no longer TESTING, at most so long; its state then. */
  async whenTested(name: string, limitMs: number): Promise<LoadState | undefined> {
    const entry = this.#entries.get(name);
    if (entry?.state !== 'TESTING') return entry?.state;
    let cancel: Cancel = () => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.#parts.scheduler.after(limitMs, resolve);
    });
    await Promise.race([entry.tested, late]);
    cancel();
    return entry.state;
  }

  /** Whether the handler of a tool still does its first test: that its far side is there is not tested. */
  async isSound(name: string): Promise<boolean> {
    const content = this.#entries.get(name)?.content;
    if (content === undefined) return false;
    const failure = await this.#parts.tester.firstFailure(
      content.pack,
      content.cases.slice(0, 1),
      this.#abort.signal,
    );
    return failure === undefined && !this.#abort.signal.aborted;
  }

  async #testAll(signal: AbortSignal): Promise<void> {
    const needs = new Map(
      [...this.#entries].map(([name, { content }]) => [name, content?.pack.contract.depends_on ?? []]),
    );
    for (const name of sortByDependencies(needs).order) {
      const entry = this.#entries.get(name);
      if (signal.aborted) return;
      if (entry?.state !== 'TESTING' || entry.content === undefined) continue;
      const failure = await this.#test(entry.content.pack, entry.content.cases, signal).catch(messageOf);
      if (signal.aborted) return;
      if (failure === undefined) entry.state = 'READY';
      else {
        refuse(entry, [`${entry.found.folder}: ${failure}`]);
        this.#report(entry);
        refuseDependents(this.#entries, (refused) => this.#report(refused));
      }
      entry.settle();
    }
  }

  async #test(pack: ToolPack, cases: readonly TestCase[], signal: AbortSignal): Promise<string | undefined> {
    for (let again = 0; ; again += 1) {
      const failure = await this.#parts.tester.firstFailure(pack, cases, signal);
      const mayPass = failure !== undefined && /\bTOOL_(?:UNAVAILABLE|BUSY)\b/u.test(failure);
      if (!mayPass || again >= TESTS_AGAIN || signal.aborted) return failure;
      await new Promise<void>((resolve) => {
        const cancel = this.#parts.scheduler.after(TEST_AGAIN_AFTER_MS, resolve);
        signal.addEventListener(
          'abort',
          () => {
            cancel();
            resolve();
          },
          { once: true },
        );
      });
    }
  }

  #report({ found, faults }: Entry): void {
    this.#parts.logger.error(
      { tool: found.name, code: 'TOOL_VALIDATION', faults },
      'a tool is not used: it is UNHEALTHY',
    );
  }
}
