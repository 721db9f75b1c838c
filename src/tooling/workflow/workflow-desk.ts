import type { ToolRunner } from '../../app/ports/tool-runner.ts';
import { redactArguments } from '../../domain/tool/redact.ts';
import { stepsOf } from '../../domain/workflow/workflow-definition.ts';
import { workflowTool } from '../../domain/workflow/workflow-file.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { TicketOpener } from '../ticket-opener-port.ts';
import type { CallableWorkflow } from './callable-workflow.ts';
import type { WorkflowHuman, WorkflowView } from './workflow-run.ts';

interface Parts {
  readonly tickets: TicketOpener;
  /** The hash of a session's state, for tickets. */
  readonly stateHash: (sessionId: string) => string | undefined;
  readonly workflows: readonly CallableWorkflow[];
  readonly tools: Pick<ToolRunner, 'contract'>;
  readonly logger: Logger;
}

/** What people were told of one workflow. */
export interface Told {
  readonly isBusy: boolean;
  /** The ticket that asks somebody to look at it, once it is kept. */
  readonly ticket: Promise<string | undefined> | undefined;
}

/** So many workflows are remembered; whoever waits for one asks at its end. */
const MOST_REMEMBERED = 256;
/** So much of an id tells workflows apart. */
const SHOWN_ID = 8;
const NOTHING: Told = { isBusy: false, ticket: undefined };

/** Calls a person to what a workflow cannot settle, and remembers what is to be said of it to whoever waits. */
export class WorkflowDesk implements WorkflowHuman {
  readonly #parts: Parts;
  readonly #told = new Map<string, Told>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  toldOf(id: string): Told {
    return this.#told.get(id) ?? NOTHING;
  }

  busy({ id }: WorkflowView): void {
    this.#remember(id, { ...this.toldOf(id), isBusy: true });
  }

  escalate(view: WorkflowView, reason: string, unknown: string | undefined): void {
    const ticket = this.#open(view, reason, unknown);
    const told = this.toldOf(view.id);
    this.#remember(view.id, { ...told, ticket: told.ticket ?? ticket });
  }

  #remember(id: string, told: Told): void {
    this.#told.set(id, told);
    const [oldest] = this.#told.keys();
    if (this.#told.size > MOST_REMEMBERED && oldest !== undefined) this.#told.delete(oldest);
  }

  async #open(
    { id, caller, state }: WorkflowView,
    reason: string,
    unknown: string | undefined,
  ): Promise<string | undefined> {
    const { tickets, stateHash, logger } = this.#parts;
    const tool = workflowTool(state.name);
    const workflow = this.#workflow(state.name);
    const redact = workflow?.contract.observability.redact ?? Object.keys(state.input);
    try {
      return await tickets.open({
        tool,
        code: unknown === undefined ? 'TOOL_FAILED' : 'OUTCOME_UNKNOWN',
        message: `${reason}; hermes-edge workflows show ${id.slice(0, SHOWN_ID)}`,
        input: redactArguments(state.input, redact),
        path: [tool],
        sessionId: caller.sessionId,
        turnId: caller.turnId,
        stateHash: stateHash(caller.sessionId),
        safety: unknown !== undefined && this.#mayHaveMoved(workflow, unknown),
      });
    } catch (error) {
      logger.error({ workflow: id, reason, error: messageOf(error) }, 'a ticket could not be opened');
      return undefined;
    }
  }

  #workflow(name: string): CallableWorkflow | undefined {
    return this.#parts.workflows.find(({ file }) => file.name === name);
  }

  /** Of a step that is not known any more it is taken that it may have. */
  #mayHaveMoved(workflow: CallableWorkflow | undefined, id: string): boolean {
    const step =
      workflow === undefined ? undefined : stepsOf(workflow.file.stages).find((each) => each.id === id);
    if (step === undefined) return true;
    const risk = step.tool === undefined ? 'none' : this.#parts.tools.contract(step.tool)?.security.risk;
    return risk !== 'none' && risk !== 'reversible';
  }
}
