import type { Audit } from '../app/ports/audit.ts';
import type { ToolRunner } from '../app/ports/tool-runner.ts';
import type { DeclaredOutput } from '../domain/gate/gate.ts';
import type { NameLookup } from '../domain/tool/check-arguments.ts';
import type { ToolContract } from '../domain/tool/tool-contract.ts';
import { workflowTool } from '../domain/workflow/workflow-file.ts';
import { messageOf } from '../runtime/edge-error.ts';
import type { Health, Service } from '../runtime/service.ts';
import type { Admit } from '../tooling/admission.ts';
import type { TicketOpener } from '../tooling/ticket-opener-port.ts';
import type { ToolRegistry } from '../tooling/tool-registry.ts';
import type { FoundWorkflow } from '../tooling/workflow/found-workflow.ts';
import { WorkflowDesk } from '../tooling/workflow/workflow-desk.ts';
import { WorkflowReports } from '../tooling/workflow/workflow-reports.ts';
import type { WorkflowFunction } from '../tooling/workflow/workflow-run.ts';
import { WorkflowRunner } from '../tooling/workflow/workflow-runner.ts';
import type { WorkflowStore } from '../tooling/workflow/workflow-store.ts';
import { WorkflowTools } from '../tooling/workflow/workflow-tools.ts';
import type { Runtime } from './runtime.ts';
import { readWorkflows } from './workflow-files.ts';

/** What workflows are found by. */
interface WorkflowsLooked {
  readonly siteDirectory: string | undefined;
  readonly registry: Pick<ToolRegistry, 'all'>;
  readonly declaredOutputs: readonly DeclaredOutput[];
  /** What is said of one that takes too long. */
  readonly busy: ToolContract['use_when'];
}

interface WorkflowsSetting extends WorkflowsLooked {
  readonly tools: ToolRunner;
  readonly registry: ToolRegistry;
  readonly store: WorkflowStore;
  readonly audit: Audit;
  readonly tickets: TicketOpener;
  readonly stateHash: (sessionId: string) => string | undefined;
  readonly admit: Admit;
  readonly names: NameLookup;
}

/** The workflows of a node. */
interface Workflows {
  /** The tools, and the workflows among them. */
  readonly runner: ToolRunner;
  /** As `workflowParameters` gives them. */
  readonly parameters: ReadonlyMap<string, readonly string[] | undefined>;
  readonly reports: WorkflowReports;
  readonly service: Service;
  /** Goes on with those that a restart interrupted, as soon as the tools have passed their tests. */
  begin(): void;
}

/** The tests of all packs take no longer, milliseconds. */
const TESTED_WITHIN_MS = 120_000;
/** What a step may be made of besides tools. */
const FUNCTIONS = new Map<string, WorkflowFunction>();

/** The workflows of a site, checked against its tools. */
export function findWorkflows({
  siteDirectory,
  registry,
  declaredOutputs,
  busy,
}: WorkflowsLooked): readonly FoundWorkflow[] {
  return readWorkflows(siteDirectory, {
    tools: new Map(registry.all().map(({ name, contract }) => [name, contract])),
    functions: new Set(FUNCTIONS.keys()),
    declaredOutputs,
    busy,
  });
}

/** Each workflow as a tool with its parameters; undefined for one that cannot be started. */
export function workflowParameters(
  found: readonly FoundWorkflow[],
): ReadonlyMap<string, readonly string[] | undefined> {
  return new Map(
    found.map(({ name, content }) => [
      workflowTool(name),
      content.ok ? Object.keys(content.workflow.file.input.properties) : undefined,
    ]),
  );
}

export function composeWorkflows(setting: WorkflowsSetting, runtime: Omit<Runtime, 'context'>): Workflows {
  const { registry, tools, store, audit, tickets, stateHash } = setting;
  const { logger } = runtime;
  const found = findWorkflows(setting);
  const faulty = found.flatMap(({ name, file, content }) =>
    content.ok ? [] : [{ name, file, faults: content.faults }],
  );
  for (const each of faulty) logger.error(each, 'a workflow cannot be started');
  const workflows = found.flatMap(({ content }) => (content.ok ? [content.workflow] : []));
  const desk = new WorkflowDesk({ tickets, stateHash, workflows, tools, logger });
  const runner = new WorkflowRunner({
    ...runtime,
    definitions: workflows.map(({ file }) => file),
    functions: FUNCTIONS,
    tools,
    store,
    audit,
    human: desk,
  });
  let isStopped = false;
  const resume = async (): Promise<void> => {
    const called = registry.all().map(({ name }) => registry.whenTested(name, TESTED_WITHIN_MS));
    await Promise.all(called);
    if (!isStopped) await runner.start();
  };
  return {
    runner: new WorkflowTools({
      ...runtime,
      tools,
      workflows,
      runner,
      desk,
      admit: setting.admit,
      names: setting.names,
    }),
    parameters: workflowParameters(found),
    reports: new WorkflowReports({ found, store }),
    service: {
      name: runner.name,
      start: async () => {
        isStopped = false;
      },
      stop: async () => {
        isStopped = true;
        await runner.stop();
      },
      health: () => healthOf(runner.health(), faulty),
    },
    begin: () => {
      resume().catch((error: unknown) =>
        logger.error({ error: messageOf(error) }, 'interrupted workflows are not gone on with'),
      );
    },
  };
}

function healthOf(
  health: Health,
  faulty: readonly { readonly name: string; readonly faults: readonly string[] }[],
): Health {
  const [first] = faulty;
  if (first === undefined) return health;
  const names = faulty.map(({ name }) => name).join(', ');
  return {
    ...health,
    status: 'degraded',
    detail: `cannot be started: ${names} (see hermes-edge workflows list); ${first.faults[0] ?? ''}`,
  };
}
