import { ProcessSandbox, SANDBOX_DEFAULTS } from '../adapters/sandbox/process-sandbox.ts';
import type { ToolRunner } from '../app/ports/tool-runner.ts';
import { shipped } from '../config/shipped.ts';
import type { NameLookup } from '../domain/tool/check-arguments.ts';
import type { SitePart } from '../domain/tool/site-part.ts';
import type { Service } from '../runtime/service.ts';
import type { Admit } from '../tooling/admission.ts';
import { Breakers } from '../tooling/breakers.ts';
import { CannedCapabilities } from '../tooling/canned-capabilities.ts';
import type { Capability } from '../tooling/capability.ts';
import { createCapabilityHost } from '../tooling/capability-host.ts';
import { EffectWatch } from '../tooling/effect-watch.ts';
import { HandlerRuns } from '../tooling/handler-runs.ts';
import { nestedCallCapability } from '../tooling/nested-call.ts';
import type { PackSource } from '../tooling/pack-source-port.ts';
import { PackTester } from '../tooling/pack-tester.ts';
import { PackToolRunner } from '../tooling/pack-tool-runner.ts';
import type { TicketOpener } from '../tooling/ticket-opener-port.ts';
import { ToolFigures } from '../tooling/tool-figures.ts';
import { ToolLog } from '../tooling/tool-log.ts';
import { ToolRegistry } from '../tooling/tool-registry.ts';
import { type ToolSummary, toolSummaries } from '../tooling/tool-summary.ts';
import type { Runtime } from './runtime.ts';
import { shippedPacks } from './tool-packs.ts';

export interface ToolsSetting {
  readonly packs: PackSource;
  /** The site's own packs, which handlers may read too. */
  readonly siteDirectory: string | undefined;
  /** All but `tools.call`, which is added here. */
  readonly capabilities: readonly Capability[];
  readonly admit: Admit;
  readonly tickets: TicketOpener;
  readonly stateHash: (sessionId: string) => string | undefined;
  readonly names: NameLookup;
  /** What this site has not set up. */
  readonly lacking: ReadonlySet<SitePart>;
  /** Calls at a time. */
  readonly workers?: number;
  readonly built?: BuiltTools | undefined;
}

/** A worker and shipped packs as they were built, for a program that itself runs from its sources. */
export interface BuiltTools {
  /** The module that is run as a worker. */
  readonly worker: string;
  /** The directory of the packs. */
  readonly packs: string;
}

/** The tools of a node, under their contracts. */
export interface Tools {
  readonly runner: ToolRunner;
  readonly registry: ToolRegistry;
  summaries(): readonly ToolSummary[];
  /** In the order of their start. */
  readonly services: readonly Service[];
  /** Starts the workers and the tests of the tools: behind READY, which they would keep back. */
  begin(): Promise<void>;
}

export function composeTools(setting: ToolsSetting, runtime: Omit<Runtime, 'context'>): Tools {
  const { clocks, scheduler, logger } = runtime;
  const sandbox = composeSandbox(setting.siteDirectory, runtime, setting.workers, setting.built);
  const effects = new EffectWatch();
  const capabilities = [...setting.capabilities, nestedCallCapability({ runner: () => runner, clocks })];
  const registry = new ToolRegistry({
    source: setting.packs,
    tester: composeTester(sandbox),
    scheduler,
    logger,
  });
  const breakers = new Breakers({ clocks, scheduler, logger, isHealthy: (tool) => registry.isSound(tool) });
  const figures = new ToolFigures();
  const runner: ToolRunner = new PackToolRunner({
    registry,
    runs: new HandlerRuns({
      sandbox: sandbox.servedBy(effects.around(createCapabilityHost(capabilities))),
      effects,
      clocks,
      scheduler,
    }),
    breakers,
    admit: setting.admit,
    tickets: setting.tickets,
    figures,
    observers: [new ToolLog(logger)],
    stateHash: setting.stateHash,
    names: setting.names,
    clocks,
    scheduler,
    logger,
  });
  registry.load();
  const breakerTimers: Service = {
    name: 'breakers',
    start: async () => undefined,
    stop: async () => breakers.close(),
    health: () => {
      const open = runner.names().filter((tool) => breakers.state(tool) !== 'CLOSED');
      return open.length === 0
        ? { status: 'ok', detail: 'all tools are in use' }
        : { status: 'degraded', detail: `left alone after failures: ${open.join(', ')}` };
    },
  };
  return {
    runner,
    registry,
    summaries: () => toolSummaries(registry, runner, figures, setting.lacking),
    services: [startedLater(sandbox), breakerTimers, startedLater(registry)],
    begin: async () => {
      await sandbox.start();
      await registry.start();
    },
  };
}

/** Calls that wait for a worker: more than all stations of a hall ask for at once. */
const MOST_WAITING = 128;

/** Workers that may read the packs, and the packages that handlers are built on. */
export function composeSandbox(
  siteDirectory: string | undefined,
  runtime: Omit<Runtime, 'context'>,
  size?: number,
  built?: BuiltTools,
): ProcessSandbox {
  const readable = [
    built?.packs ?? shippedPacks(),
    shipped('node_modules'),
    ...(siteDirectory === undefined ? [] : [siteDirectory]),
  ];
  return new ProcessSandbox(
    { ...SANDBOX_DEFAULTS, waiting: MOST_WAITING, ...(size === undefined ? {} : { size }), readable },
    runtime,
    built?.worker,
  );
}

/** Runs test cases in a sandbox whose handlers reach nothing but canned answers. */
export function composeTester(sandbox: ProcessSandbox): PackTester {
  const canned = new CannedCapabilities();
  return new PackTester({ sandbox: sandbox.servedBy(canned.host), canned });
}

/** Stopped and looked at with the others; its start is for `begin`. */
function startedLater(service: Service): Service {
  return {
    name: service.name,
    start: async () => undefined,
    stop: (deadlineMs) => service.stop(deadlineMs),
    health: () => service.health(),
  };
}
