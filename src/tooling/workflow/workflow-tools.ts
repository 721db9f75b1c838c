import { createHash } from 'node:crypto';
import type { ToolCheck, ToolRunner, ToolState } from '../../app/ports/tool-runner.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { pathFault } from '../../domain/tool/call-guards.ts';
import { type CheckedArguments, checkArguments, type NameLookup } from '../../domain/tool/check-arguments.ts';
import type { ToolCall, ToolError, ToolErrorCode, ToolOutcome } from '../../domain/tool/tool-call.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import { workflowResult, workflowSay } from '../../domain/workflow/workflow-answer.ts';
import { BUSY } from '../../domain/workflow/workflow-contract.ts';
import type { WorkflowState } from '../../domain/workflow/workflow-state.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Admit } from '../admission.ts';
import type { CallableWorkflow } from './callable-workflow.ts';
import type { WorkflowDesk } from './workflow-desk.ts';
import type { WorkflowView } from './workflow-run.ts';
import type { WorkflowRunner } from './workflow-runner.ts';

interface Parts {
  /** Everything that is no workflow. */
  readonly tools: ToolRunner;
  readonly workflows: readonly CallableWorkflow[];
  readonly runner: Pick<WorkflowRunner, 'run'>;
  readonly desk: Pick<WorkflowDesk, 'toldOf'>;
  readonly admit: Admit;
  readonly names: NameLookup;
  readonly clocks: Clocks;
  readonly logger: Logger;
}

/** Failures of a step that a person is told as they are; of any other it is said that it did not work. */
const TOLD_AS_THEY_ARE: readonly ToolErrorCode[] = [
  'INPUT_INVALID',
  'DENIED',
  'UNKNOWN_TOOL',
  'TOOL_UNAVAILABLE',
  'TOOL_BUSY',
];

/** The tools, and the workflows as tools among them: whatever calls one asks the gate first and is recorded like any other. */
export class WorkflowTools implements ToolRunner {
  readonly #parts: Parts;
  readonly #workflows: ReadonlyMap<string, CallableWorkflow>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#workflows = new Map(parts.workflows.map((workflow) => [workflow.contract.name, workflow]));
  }

  contract(tool: string): ToolContract | undefined {
    return this.#workflows.get(tool)?.contract ?? this.#parts.tools.contract(tool);
  }

  /** A workflow can always be begun: which of its steps it can do without is its own affair. */
  state(tool: string): ToolState | undefined {
    return this.#workflows.has(tool) ? 'READY' : this.#parts.tools.state(tool);
  }

  names(): readonly string[] {
    return [...this.#parts.tools.names(), ...this.#workflows.keys()];
  }

  check(call: ToolCall): ToolCheck {
    const workflow = this.#workflows.get(call.tool);
    if (workflow === undefined) return this.#parts.tools.check(call);
    const checked = this.#checked(workflow, call);
    return checked.ok ? { ...checked, estimateMs: workflow.contract.sla.max_execution_time_ms } : checked;
  }

  async call(call: ToolCall, signal: AbortSignal = new AbortController().signal): Promise<ToolOutcome> {
    const workflow = this.#workflows.get(call.tool);
    if (workflow === undefined) return this.#parts.tools.call(call, signal);
    const begunMs = this.#parts.clocks.monotonicMs();
    const ended = await this.#run(workflow, call, signal).catch((error: unknown) => {
      this.#parts.logger.error({ tool: call.tool, error: messageOf(error) }, 'a workflow could not be run');
      return refused(call.tool, 'TOOL_FAILED', 'the workflow could not be run; see the log');
    });
    return { ...ended, durationMs: this.#parts.clocks.monotonicMs() - begunMs };
  }

  async #run(workflow: CallableWorkflow, call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> {
    const { file, contract } = workflow;
    const checked = this.#checked(workflow, call);
    if (!checked.ok) return { status: 'failed', tool: call.tool, error: checked.error, durationMs: 0 };
    const { args } = checked;
    const admission = await this.#parts.admit({ ...call, args }, contract);
    if (!admission.ok) return refused(call.tool, admission.code, admission.message);
    if (signal.aborted) return refused(call.tool, 'CANCELLED', 'called off before it began');
    const { origin: _, ...caller } = call.caller;
    const id = idOf(call, args);
    const view = await this.#parts.runner.run(file.name, args, caller, id, signal);
    return this.#outcome(workflow, view);
  }

  #checked(workflow: CallableWorkflow, call: ToolCall): CheckedArguments {
    const fault = pathFault(call);
    if (fault !== undefined) return { ok: false, error: fault };
    return checkArguments(workflow.contract, call.args, this.#parts.names);
  }

  async #outcome({ file, contract }: CallableWorkflow, { id, state }: WorkflowView): Promise<ToolOutcome> {
    const { clocks, desk } = this.#parts;
    const tool = contract.name;
    if (state.stage === 'COMPLETED')
      return {
        status: 'ok',
        tool,
        result: workflowResult(file, state),
        say: workflowSay(file, state, clocks.wall()),
        durationMs: 0,
      };
    const { isBusy, ticket } = desk.toldOf(id);
    const ticketId = await ticket;
    const code = codeOf(state);
    const isSaidBusy = isBusy && code !== 'OUTCOME_UNKNOWN';
    return {
      ...refused(tool, code, messageOfFailure(state)),
      ...(isSaidBusy ? { say: [{ phrase: BUSY, values: {} }] } : {}),
      ...(ticketId === undefined ? {} : { ticketId }),
    };
  }
}

/** A repeat of one wish is the same workflow; another wish under the same key is not. */
function idOf({ tool, idempotencyKey }: ToolCall, args: ToolCall['args']): string {
  return createHash('sha256')
    .update(canonicalJson([idempotencyKey, tool, args]))
    .digest('hex')
    .slice(0, 32);
}

function codeOf({ failure, steps }: WorkflowState): ToolErrorCode {
  const codes = Object.values(steps).flatMap(({ error }) => error?.code ?? []);
  if (codes.includes('OUTCOME_UNKNOWN')) return 'OUTCOME_UNKNOWN';
  switch (failure) {
    case 'timeout':
    case 'limit':
      return 'TOOL_TIMEOUT';
    case 'crowded':
      return 'TOOL_BUSY';
    case 'cancelled':
      return 'CANCELLED';
    case 'expired':
    case 'changed':
      return 'TOOL_UNAVAILABLE';
    default:
      return sameCode(codes) ?? 'TOOL_FAILED';
  }
}

function sameCode(codes: readonly string[]): ToolErrorCode | undefined {
  const [first, ...others] = new Set(codes);
  return others.length === 0 ? TOLD_AS_THEY_ARE.find((code) => code === first) : undefined;
}

function messageOfFailure({ name, failure, steps }: WorkflowState): string {
  const failed = Object.entries(steps).flatMap(([id, { error }]) =>
    error === undefined ? [] : [`${id}: ${error.code} ${error.message}`],
  );
  return [`${name}: ${failure ?? 'failed'}`, ...failed].join('; ');
}

function refused(
  tool: string,
  code: ToolErrorCode,
  message: string,
): Extract<ToolOutcome, { status: 'failed' }> {
  const error: ToolError = { tool, code, message };
  return { status: 'failed', tool, error, durationMs: 0 };
}
