import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../domain/json.ts';
import { advanceWorkflow, type WorkflowPlan } from '../../domain/workflow/advance-workflow.ts';
import { stepsOf, type WorkflowDefinition } from '../../domain/workflow/workflow-definition.ts';
import { hasEnded, newWorkflow, type WorkflowState } from '../../domain/workflow/workflow-state.ts';
import { EdgeError, messageOf } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { Health, Service } from '../../runtime/service.ts';
import {
  type WorkflowCaller,
  WorkflowRun,
  type WorkflowRunParts,
  type WorkflowView,
} from './workflow-run.ts';
import type { WorkflowSnapshot } from './workflow-store.ts';

interface Parts extends WorkflowRunParts {
  readonly definitions: readonly WorkflowDefinition[];
}

/** A snapshot older than this is not gone on from: what it was about has passed. As long as a session may rest. */
const SNAPSHOT_TTL_MS = 900_000;
/** So many workflows run at once; more are refused as busy. */
const MOST_AT_ONCE = 64;

/** Runs workflows, and goes on after a restart with those that had not ended. */
export class WorkflowRunner implements Service {
  readonly name = 'workflows';
  readonly #parts: Parts;
  readonly #definitions: ReadonlyMap<string, WorkflowDefinition>;
  readonly #running = new Map<string, WorkflowRun>();
  #failed = 0;
  #completed = 0;

  /** Throws EdgeError CONFIG_INVALID for a step whose function the program does not have. */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.#definitions = new Map(parts.definitions.map((definition) => [definition.name, definition]));
    for (const { name, stages } of parts.definitions) {
      for (const step of stepsOf(stages)) {
        if (step.function === undefined || parts.functions.has(step.function)) continue;
        const meant = didYouMean(step.function, parts.functions.keys());
        throw new EdgeError(
          'CONFIG_INVALID',
          `workflow ${name}, step ${step.id}: there is no function "${step.function}".${meant}`,
        );
      }
    }
  }

  async start(): Promise<void> {
    let unfinished: readonly WorkflowSnapshot[] = [];
    try {
      unfinished = await this.#parts.store.unfinished();
    } catch (error) {
      this.#parts.logger.error({ error: messageOf(error) }, 'unfinished workflows cannot be found');
    }
    for (const snapshot of unfinished) void this.#resume(snapshot);
  }

  async stop(): Promise<void> {
    for (const run of this.#running.values()) run.close();
    this.#running.clear();
  }

  health(): Health {
    const figures = { running: this.#running.size, completed: this.#completed, failed: this.#failed };
    return { status: 'ok', detail: `${this.#running.size} workflows run`, figures };
  }

  /**
   * Runs a workflow to its end and resolves with it; never while the daemon stops. The same id again is the same workflow:
   * it is waited for, gone on with, or answered from what is kept. The signal ends it. Throws EdgeError UNKNOWN_WORKFLOW.
   */
  async run(
    name: string,
    input: JsonObject,
    caller: WorkflowCaller,
    id: string = randomUUID(),
    signal?: AbortSignal,
  ): Promise<WorkflowView> {
    const definition = this.#definitions.get(name);
    if (definition === undefined)
      throw new EdgeError(
        'UNKNOWN_WORKFLOW',
        `there is no workflow "${name}".${didYouMean(name, this.#definitions.keys())}`,
      );
    signal?.addEventListener('abort', () => this.cancel(id), { once: true });
    const kept = this.#running.has(id) ? undefined : await this.#kept(id);
    const running = this.#running.get(id);
    if (running !== undefined) return running.end;
    if (kept !== undefined) return hasEnded(kept.state) ? viewOf(kept) : this.#resume(kept);
    const state = newWorkflow(definition, input);
    const plan = this.#planOf(definition);
    if (signal?.aborted === true) return this.#refuse(id, caller, state, 'cancelled');
    if (this.#running.size >= MOST_AT_ONCE) return this.#refuse(id, caller, state, 'crowded');
    return this.#carryOut(new WorkflowRun({ id, caller, plan, state, saved: 0 }, this.#parts), 'begin');
  }

  /** Ends a workflow; false when none of this id runs. */
  cancel(id: string): boolean {
    const run = this.#running.get(id);
    run?.on({ kind: 'fail', failure: 'cancelled' });
    return run !== undefined;
  }

  async #kept(id: string): Promise<WorkflowSnapshot | undefined> {
    try {
      return await this.#parts.store.latest(id);
    } catch (error) {
      this.#parts.logger.error(
        { error: messageOf(error) },
        'it cannot be told whether a workflow ran before',
      );
      return undefined;
    }
  }

  #resume(snapshot: WorkflowSnapshot): Promise<WorkflowView> {
    const { id, number, state } = snapshot;
    const caller = callerOf(snapshot);
    const definition = this.#definitions.get(state.name);
    const ageMs = this.#parts.clocks.wall().getTime() - Date.parse(snapshot.savedAt);
    const isSame = definition !== undefined && definition.version === state.version;
    const plan = isSame ? this.#planOf(definition) : nothingKnownOf(state);
    const run = new WorkflowRun({ id, caller, plan, state, saved: number }, this.#parts);
    if (isSame && ageMs <= SNAPSHOT_TTL_MS) return this.#carryOut(run, 'resume');
    const ended = this.#carryOut(run, undefined);
    run.on({ kind: 'fail', failure: isSame ? 'expired' : 'changed' });
    return ended;
  }

  async #carryOut(run: WorkflowRun, begin: 'begin' | 'resume' | undefined): Promise<WorkflowView> {
    const { id } = run.view;
    this.#running.set(id, run);
    if (begin !== undefined) run.begin({ kind: begin });
    const view = await run.end;
    this.#running.delete(id);
    if (view.state.stage === 'COMPLETED') this.#completed += 1;
    else this.#failed += 1;
    return view;
  }

  /** One that does not begin moves its state all the same. */
  #refuse(
    id: string,
    caller: WorkflowCaller,
    before: WorkflowState,
    failure: 'crowded' | 'cancelled',
  ): WorkflowView {
    const { state } = advanceWorkflow(nothingKnownOf(before), before, { kind: 'fail', failure });
    const view = { id, caller, state };
    this.#failed += 1;
    if (failure === 'crowded') this.#parts.human.busy(view);
    return view;
  }

  #planOf(definition: WorkflowDefinition): WorkflowPlan {
    const repeatable = stepsOf(definition.stages).filter(
      ({ tool }) => tool === undefined || this.#parts.tools.contract(tool)?.sla.idempotent === true,
    );
    return { definition, repeatable: new Set(repeatable.map(({ id }) => id)) };
  }
}

function viewOf(snapshot: WorkflowSnapshot): WorkflowView {
  return { id: snapshot.id, caller: callerOf(snapshot), state: snapshot.state };
}

function callerOf({ caller }: WorkflowSnapshot): WorkflowCaller {
  return { ...caller, person: caller.person };
}

/** Of a definition that is not there any more nothing can be begun, and nothing that was is known to be harmless. */
function nothingKnownOf({ name, version }: WorkflowState): WorkflowPlan {
  const stages = { pre_check: [], action: [], post_update: [] };
  return { definition: { name, version, stages }, repeatable: new Set() };
}
