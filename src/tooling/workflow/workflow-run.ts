import { randomUUID } from 'node:crypto';
import type { Audit } from '../../app/ports/audit.ts';
import type { ToolRunner } from '../../app/ports/tool-runner.ts';
import { type JsonObject, jsonObjectSchema } from '../../domain/json.ts';
import type { Caller } from '../../domain/tool/tool-call.ts';
import {
  advanceWorkflow,
  type StepEnd,
  type WorkflowEffect,
  type WorkflowEvent,
  type WorkflowPlan,
} from '../../domain/workflow/advance-workflow.ts';
import { stepsOf, WORKFLOW_LIMIT_MS, type WorkflowStep } from '../../domain/workflow/workflow-definition.ts';
import { workflowTool } from '../../domain/workflow/workflow-file.ts';
import { hasEnded, type WorkflowState } from '../../domain/workflow/workflow-state.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { WorkflowStore } from './workflow-store.ts';

/** A function of earlier results, without any effect. What it returns, at once or later, is the step's result. */
export type WorkflowFunction = (args: JsonObject) => JsonObject | Promise<JsonObject>;

/** On whose behalf a workflow runs. */
export type WorkflowCaller = Omit<Caller, 'origin'>;

/** A workflow as those around it see it. */
export interface WorkflowView {
  readonly id: string;
  readonly caller: WorkflowCaller;
  readonly state: WorkflowState;
}

/** What a workflow tells people. */
export interface WorkflowHuman {
  /** It takes too long: this is said at the station. */
  busy(workflow: WorkflowView): void;
  /** Somebody has to look at it; `unknown` is the step of which nobody knows what it did. */
  escalate(workflow: WorkflowView, reason: string, unknown: string | undefined): void;
}

export interface WorkflowRunParts {
  readonly tools: Pick<ToolRunner, 'call' | 'contract'>;
  readonly functions: ReadonlyMap<string, WorkflowFunction>;
  readonly store: WorkflowStore;
  readonly audit: Audit;
  readonly human: WorkflowHuman;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
}

interface Given {
  readonly id: string;
  readonly caller: WorkflowCaller;
  readonly plan: WorkflowPlan;
  readonly state: WorkflowState;
  /** Snapshots that were saved before. */
  readonly saved: number;
}

/** A disk that takes longer must not keep a workflow from moving. */
const SAVE_LIMIT_MS = 2_000;

/** One workflow under way: carries out what its machine wants, one event after another. */
export class WorkflowRun {
  readonly #parts: WorkflowRunParts;
  readonly #given: Given;
  readonly #steps: ReadonlyMap<string, WorkflowStep>;
  readonly #abort = new AbortController();
  readonly #timers = new Map<string, Cancel>();
  /** Steps that were handed to their tools, or are on disk as such. */
  readonly #begun = new Set<string>();
  readonly #end: Promise<WorkflowView>;
  #tellEnd: (view: WorkflowView) => void = () => undefined;
  #events: WorkflowEvent[] = [];
  #isHandling = false;
  #state: WorkflowState;
  #saved: number;
  #closed = false;

  constructor(given: Given, parts: WorkflowRunParts) {
    this.#given = given;
    this.#parts = parts;
    this.#state = given.state;
    this.#saved = given.saved;
    this.#steps = new Map(stepsOf(given.plan.definition.stages).map((step) => [step.id, step]));
    this.#end = new Promise((resolve) => {
      this.#tellEnd = resolve;
    });
  }

  /** Resolves when it has ended; never after `close`. */
  get end(): Promise<WorkflowView> {
    return this.#end;
  }

  get view(): WorkflowView {
    const { id, caller } = this.#given;
    return { id, caller, state: this.#state };
  }

  begin(event: Extract<WorkflowEvent, { kind: 'begin' | 'resume' }>): void {
    const limit = this.#parts.scheduler.after(WORKFLOW_LIMIT_MS, () =>
      this.on({ kind: 'fail', failure: 'limit' }),
    );
    this.#timers.set('', limit);
    this.on(event);
  }

  /** Takes an event; those that come while one is handled wait their turn. */
  on(event: WorkflowEvent): void {
    if (this.#closed) return;
    this.#events.push(event);
    if (!this.#isHandling) void this.#handleAll();
  }

  /** Lets go of timers and calls. Nothing is told, nothing is saved: it goes on from its snapshot after the next start. */
  close(): void {
    this.#closed = true;
    this.#release();
  }

  async #handleAll(): Promise<void> {
    this.#isHandling = true;
    for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) {
      const { state, effects } = advanceWorkflow(this.#given.plan, this.#state, event);
      this.#state = state;
      // What ran past its end is stopped before anything is waited for.
      if (hasEnded(state)) this.#release();
      for (const effect of effects) await this.#carryOut(effect);
    }
    this.#isHandling = false;
  }

  async #carryOut(effect: WorkflowEffect): Promise<void> {
    if (this.#closed) return;
    if (effect.kind === 'start') await this.#start(effect.step, effect.args);
    else if (effect.kind === 'snapshot') {
      this.#note(effect.stage);
      await this.#save();
    } else if (effect.kind === 'busy') this.#parts.human.busy(this.view);
    else if (effect.kind === 'escalate') this.#parts.human.escalate(this.view, effect.reason, effect.unknown);
    else {
      this.#note(this.#state.stage);
      await this.#save();
      this.#tellEnd(this.view);
    }
  }

  async #start(id: string, args: JsonObject): Promise<void> {
    const step = this.#steps.get(id);
    if (step === undefined) return;
    this.#begun.add(id);
    const endWith = (end: StepEnd): void => {
      this.#timers.get(id)?.();
      this.#timers.delete(id);
      this.on({ kind: 'step_ended', step: id, end });
    };
    // What may not be done twice is on disk as begun before it begins.
    if (!this.#given.plan.repeatable.has(id) && !(await this.#save())) {
      endWith(failure('TOOL_UNAVAILABLE', 'that it begins could not be recorded, so it did not begin'));
      return;
    }
    if (this.#state.steps[id]?.status !== 'running' || this.#closed) return;
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.#abort.signal]);
    this.#timers.set(
      id,
      this.#parts.scheduler.after(step.timeout_ms, () => {
        const message = `no result within ${step.timeout_ms} ms`;
        endWith({ status: 'timeout', error: { code: 'TOOL_TIMEOUT', message } });
        abort.abort(new Error(message));
      }),
    );
    this.#carry(step, args, signal).then(endWith, (error: unknown) =>
      endWith(failure('TOOL_FAILED', messageOf(error))),
    );
  }

  async #carry(step: WorkflowStep, args: JsonObject, signal: AbortSignal): Promise<StepEnd> {
    if (step.tool === undefined) {
      const run = this.#parts.functions.get(step.function ?? '');
      if (run === undefined) return failure('UNKNOWN_FUNCTION', `there is no function "${step.function}"`);
      return { status: 'success', result: jsonObjectSchema.parse(await run(args)) };
    }
    const { id, caller } = this.#given;
    const outcome = await this.#parts.tools.call(
      {
        callId: randomUUID(),
        tool: step.tool,
        args,
        caller: { ...caller, origin: 'workflow' },
        path: [workflowTool(this.#state.name)],
        idempotencyKey: `${id}.${step.id}`,
        consent: undefined,
      },
      signal,
    );
    if (outcome.status === 'ok') {
      const { result, say } = outcome;
      return { status: 'success', result, say, at: this.#parts.clocks.wall().toISOString() };
    }
    const { code, message } = outcome.error;
    return { status: code === 'TOOL_TIMEOUT' ? 'timeout' : 'failed', error: { code, message } };
  }

  /** False when it is not on disk in time; the workflow goes on, and a restart would begin at the snapshot before. */
  async #save(): Promise<boolean> {
    const { id, caller } = this.#given;
    this.#saved += 1;
    const { person, ...rest } = caller;
    const saving = this.#parts.store
      .save({
        id,
        number: this.#saved,
        savedAt: this.#parts.clocks.wall().toISOString(),
        caller: person === undefined ? rest : { ...rest, person },
        state: this.#stateOnDisk(),
      })
      .then(
        () => undefined,
        (error: unknown) => messageOf(error),
      );
    let cancel: Cancel = () => undefined;
    const late = new Promise<string>((resolve) => {
      cancel = this.#parts.scheduler.after(SAVE_LIMIT_MS, () => resolve(`not within ${SAVE_LIMIT_MS} ms`));
    });
    const fault = await Promise.race([saving, late]);
    cancel();
    if (fault !== undefined)
      this.#parts.logger.error({ workflow: id, fault }, 'a workflow could not be kept');
    return fault === undefined;
  }

  /** What is about to begin and has not yet, waits: after a restart it begins then. */
  #stateOnDisk(): WorkflowState {
    const steps = Object.entries(this.#state.steps).map(([id, step]) => {
      const isBegun = step.status !== 'running' || this.#begun.has(id);
      return [id, isBegun ? step : { status: 'waiting' as const }] as const;
    });
    return { ...this.#state, steps: Object.fromEntries(steps) };
  }

  #note(stage: WorkflowState['stage']): void {
    const { id, caller } = this.#given;
    const { name, steps, failure: why } = this.#state;
    const statuses = Object.fromEntries(Object.entries(steps).map(([step, { status }]) => [step, status]));
    this.#parts.audit
      .append('workflow.stage', {
        id,
        workflow: name,
        session_id: caller.sessionId,
        stage,
        steps: statuses,
        failure: why,
      })
      .catch((error: unknown) =>
        this.#parts.logger.error({ error: messageOf(error) }, 'the audit could not be written'),
      );
  }

  #release(): void {
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#abort.abort(new Error('the workflow has ended'));
  }
}

function failure(code: string, message: string): StepEnd {
  return { status: 'failed', error: { code, message } };
}
