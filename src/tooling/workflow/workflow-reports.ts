import { STAGES } from '../../domain/workflow/workflow-definition.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import type { FoundWorkflow } from './found-workflow.ts';
import type { WorkflowSnapshot, WorkflowStore } from './workflow-store.ts';

/** One run of a workflow, as it was kept last. */
export interface WorkflowRunReport {
  readonly id: string;
  readonly workflow: string;
  readonly stage: string;
  readonly failure?: string;
  readonly saved_at: string;
  readonly station: string;
  readonly session_id: string;
  readonly steps: readonly {
    readonly id: string;
    readonly status: string;
    readonly error?: { readonly code: string; readonly message: string };
  }[];
}

/** A workflow as it was found. */
export interface WorkflowSummary {
  readonly name: string;
  readonly file: string;
  readonly state: 'READY' | 'UNHEALTHY';
  /** Why it cannot be started, a fault a line. */
  readonly faults: readonly string[];
  readonly version?: number;
  readonly use_when?: { readonly en: string; readonly zh: string };
  readonly access_level?: string;
  readonly risk?: string;
  readonly max_execution_time_ms?: number;
  readonly arguments?: readonly string[];
  readonly stages?: readonly {
    readonly stage: string;
    readonly steps: readonly {
      readonly id: string;
      readonly calls: string;
      readonly needed: boolean;
      readonly timeout_ms: number;
    }[];
  }[];
}

export interface WorkflowList {
  readonly workflows: readonly WorkflowSummary[];
  /** The one saved last first. */
  readonly runs: readonly WorkflowRunReport[];
}

/** A workflow and its runs, or one run. */
export type WorkflowShown =
  | { readonly workflow: WorkflowSummary; readonly runs: readonly WorkflowRunReport[] }
  | { readonly run: WorkflowRunReport };

interface Parts {
  readonly found: readonly FoundWorkflow[];
  readonly store: Pick<WorkflowStore, 'recent'>;
}

const RUNS_LISTED = 20;
/** So many of the newest are looked through for the beginning of an id. */
const RUNS_SEARCHED = 1000;

/** What `hermes-edge workflows` shows. */
export class WorkflowReports {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY. */
  async list(): Promise<WorkflowList> {
    const { found, store } = this.#parts;
    return { workflows: found.map(summaryOf), runs: (await store.recent(RUNS_LISTED)).map(runOf) };
  }

  /** By the name of a workflow, or an id of a run or the beginning of one. Rejects with EdgeError INPUT_INVALID. */
  async show(id: string): Promise<WorkflowShown> {
    const { found, store } = this.#parts;
    const runs = (await store.recent(RUNS_SEARCHED)).map(runOf);
    const workflow = found.find(({ name }) => name === id);
    if (workflow !== undefined)
      return {
        workflow: summaryOf(workflow),
        runs: runs.filter((run) => run.workflow === id).slice(0, RUNS_LISTED),
      };
    const matching = runs.filter((run) => run.id.startsWith(id));
    const [run] = matching;
    if (run !== undefined && matching.length === 1) return { run };
    if (run !== undefined)
      throw new EdgeError('INPUT_INVALID', `${matching.length} runs begin with "${id}"`, {
        hint: 'give more of the id',
      });
    throw new EdgeError(
      'INPUT_INVALID',
      `there is no workflow "${id}" and no run of one.${didYouMean(
        id,
        found.map(({ name }) => name),
      )}`,
      { hint: 'see hermes-edge workflows list' },
    );
  }
}

function summaryOf({ name, file, content }: FoundWorkflow): WorkflowSummary {
  if (!content.ok) return { name, file, state: 'UNHEALTHY', faults: content.faults };
  const { file: definition, contract } = content.workflow;
  return {
    name,
    file,
    state: 'READY',
    faults: [],
    version: definition.version,
    use_when: definition.use_when,
    access_level: contract.security.access_level,
    risk: contract.security.risk,
    max_execution_time_ms: contract.sla.max_execution_time_ms,
    arguments: Object.keys(definition.input.properties),
    stages: STAGES.filter((stage) => definition.stages[stage].length > 0).map((stage) => ({
      stage,
      steps: definition.stages[stage].map((step) => ({
        id: step.id,
        calls: step.tool ?? step.function ?? '',
        needed: step.needed,
        timeout_ms: step.timeout_ms,
      })),
    })),
  };
}

function runOf({ id, savedAt, caller, state }: WorkflowSnapshot): WorkflowRunReport {
  return {
    id,
    workflow: state.name,
    stage: state.stage,
    ...(state.failure === undefined ? {} : { failure: state.failure }),
    saved_at: savedAt,
    station: caller.station,
    session_id: caller.sessionId,
    steps: Object.entries(state.steps).map(([step, { status, error }]) => ({
      id: step,
      status,
      ...(error === undefined ? {} : { error }),
    })),
  };
}
