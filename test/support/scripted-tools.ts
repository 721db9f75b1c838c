import type { ToolCall, ToolErrorCode, ToolOutcome } from '../../src/domain/tool/tool-call.ts';
import type { ToolContract } from '../../src/domain/tool/tool-contract.ts';
import type { Clocks, Scheduler } from '../../src/runtime/clocks.ts';
import { systemClocks, systemScheduler } from '../../src/runtime/clocks.ts';
import { silentLogger } from '../../src/runtime/logger.ts';
import type { Admit } from '../../src/tooling/admission.ts';
import { Breakers } from '../../src/tooling/breakers.ts';
import { CannedCapabilities } from '../../src/tooling/canned-capabilities.ts';
import { EffectWatch } from '../../src/tooling/effect-watch.ts';
import { HandlerRuns } from '../../src/tooling/handler-runs.ts';
import type { FoundPack } from '../../src/tooling/pack-source-port.ts';
import { PackTester } from '../../src/tooling/pack-tester.ts';
import { PackToolRunner } from '../../src/tooling/pack-tool-runner.ts';
import type { HandlerOutcome, Sandbox } from '../../src/tooling/sandbox-port.ts';
import { testCasesSchema } from '../../src/tooling/test-case.ts';
import type { TicketRequest } from '../../src/tooling/ticket-opener-port.ts';
import { ToolFigures } from '../../src/tooling/tool-figures.ts';
import type { ToolObserver } from '../../src/tooling/tool-observer.ts';
import { ToolRegistry } from '../../src/tooling/tool-registry.ts';

/** What a handler does, in the place of its process. */
export type Handler = (call: ToolCall, signal: AbortSignal) => HandlerOutcome | Promise<HandlerOutcome>;

export const good = (result: Extract<HandlerOutcome, { ok: true }>['result'] = {}): HandlerOutcome => ({
  ok: true,
  result,
  say: [],
});
export const bad = (code: ToolErrorCode, message = 'scripted'): HandlerOutcome => ({
  ok: false,
  code,
  message,
});

const PASSES = testCasesSchema.parse([{ name: 'passes', expect: { code: 'INPUT_INVALID' } }]);

export function packOf(
  contract: ToolContract,
  changes: Partial<FoundPack> & { readonly cases?: unknown } = {},
): FoundPack {
  const { cases, ...rest } = changes;
  return {
    name: contract.name,
    folder: `tools/${contract.name}`,
    origin: 'shipped',
    content: {
      ok: true,
      pack: { contract, handler: `/tools/${contract.name}/handler.js` },
      cases: cases === undefined ? PASSES : testCasesSchema.parse(cases),
      placeOf: (path) => `tools/${contract.name}/tool.yaml:${path.length}:1`,
    },
    ...rest,
  };
}

interface Setting {
  readonly packs: readonly FoundPack[];
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** What the tests of packs come to; by themselves they pass. */
  readonly tested?: Handler;
  readonly admit?: Admit;
  readonly observers?: readonly ToolObserver[];
  readonly time?: Clocks & Scheduler;
}

/** Tools of which only the sandbox is scripted; what became of them is in `tickets`, `ran` and `ended`. */
export function scriptedTools(setting: Setting) {
  const clocks = setting.time ?? systemClocks();
  const scheduler = setting.time ?? systemScheduler;
  const logger = silentLogger();
  const ran: ToolCall[] = [];
  const tickets: TicketRequest[] = [];
  const sandbox: Sandbox = {
    run: async (pack, call, signal) => {
      ran.push(call);
      return setting.handlers?.[pack.contract.name]?.(call, signal) ?? good();
    },
  };
  const tester = new PackTester({
    sandbox: { run: async (_pack, call, signal) => setting.tested?.(call, signal) ?? bad('INPUT_INVALID') },
    canned: new CannedCapabilities(),
  });
  const registry = new ToolRegistry({ source: { read: () => setting.packs }, tester, scheduler, logger });
  const effects = new EffectWatch();
  const figures = new ToolFigures();
  const breakers = new Breakers({ clocks, scheduler, logger, isHealthy: (tool) => registry.isSound(tool) });
  const runner = new PackToolRunner({
    registry,
    runs: new HandlerRuns({ sandbox, effects, clocks, scheduler }),
    breakers,
    admit: setting.admit ?? (() => ({ ok: true })),
    tickets: {
      open: async (request) => {
        tickets.push(request);
        return `tk_${tickets.length}`;
      },
    },
    figures,
    observers: setting.observers ?? [],
    stateHash: () => 'hash',
    names: () => undefined,
    clocks,
    scheduler,
    logger,
  });
  return { runner, registry, breakers, figures, effects, ran, tickets };
}

/** The code of a call that failed, or `ok`. */
export function codeOf(outcome: ToolOutcome): string {
  return outcome.status === 'ok' ? 'ok' : outcome.error.code;
}
