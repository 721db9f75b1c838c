import { z } from 'zod';
import { findDaemon } from '../composition/plant-watch.ts';
import { timeZoneOf } from '../composition/site.ts';
import { aligned } from './aligned.ts';
import { getControl } from './control-client.ts';
import { noDaemon } from './no-daemon.ts';
import { print } from './print.ts';
import { shownTime } from './shown-time.ts';
import { terminalLine } from './terminal-text.ts';

interface WorkflowsOptions {
  readonly config?: string;
  readonly json: boolean;
}

const workflowSchema = z.object({
  name: z.string(),
  file: z.string(),
  state: z.string(),
  faults: z.array(z.string()),
  version: z.int().optional(),
  use_when: z.object({ en: z.string(), zh: z.string() }).optional(),
  access_level: z.string().optional(),
  risk: z.string().optional(),
  max_execution_time_ms: z.int().optional(),
  arguments: z.array(z.string()).optional(),
  stages: z
    .array(
      z.object({
        stage: z.string(),
        steps: z.array(
          z.object({ id: z.string(), calls: z.string(), needed: z.boolean(), timeout_ms: z.int() }),
        ),
      }),
    )
    .optional(),
});
const runSchema = z.object({
  id: z.string(),
  workflow: z.string(),
  stage: z.string(),
  failure: z.string().optional(),
  saved_at: z.iso.datetime(),
  station: z.string(),
  session_id: z.string(),
  steps: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
});
const listSchema = z.object({ workflows: z.array(workflowSchema), runs: z.array(runSchema) });
const shownSchema = z.union([
  z.object({ workflow: workflowSchema, runs: z.array(runSchema) }),
  z.object({ run: runSchema }),
]);
type Workflow = z.infer<typeof workflowSchema>;
type Run = z.infer<typeof runSchema>;

/** So much of an id tells runs apart. */
const SHOWN_ID = 8;

/** `hermes-edge workflows list`: what can be started, why one cannot, and the newest runs. */
export async function listWorkflows(options: WorkflowsOptions): Promise<void> {
  const { reply, timeZone } = await fromDaemon(options, '/workflows');
  const { workflows, runs } = listSchema.parse(reply);
  print(options.json, reply, () =>
    [
      ...(workflows.length === 0 ? ['No workflows.'] : []),
      ...aligned(
        workflows.map(({ name, state, risk = '?', use_when: useWhen }) => [
          name,
          state,
          risk,
          useWhen?.en ?? '',
        ]),
      ),
      ...workflows.flatMap(({ name, faults }) =>
        faults.length === 0
          ? []
          : [
              '',
              `${terminalLine(name)} cannot be started:`,
              ...faults.map((fault) => `  ${terminalLine(fault)}`),
            ],
      ),
      ...runLines(runs, timeZone),
    ].join('\n'),
  );
}

/** `hermes-edge workflows show ID`: a workflow with its stages and newest runs, or one run with its steps. */
export async function showWorkflow(id: string, options: WorkflowsOptions): Promise<void> {
  const { reply, timeZone } = await fromDaemon(options, `/workflows/${encodeURIComponent(id)}`);
  const shown = shownSchema.parse(reply);
  print(options.json, reply, () =>
    ('run' in shown
      ? runDetails(shown.run, timeZone)
      : [...workflowDetails(shown.workflow), ...runLines(shown.runs, timeZone)]
    ).join('\n'),
  );
}

async function fromDaemon(
  { config }: WorkflowsOptions,
  path: string,
): Promise<{ readonly reply: unknown; readonly timeZone: string }> {
  const found = await findDaemon(config);
  const reply = found === undefined ? undefined : await getControl(found.socket, path);
  if (found === undefined || reply === undefined) throw noDaemon(found);
  return { reply, timeZone: timeZoneOf(found.site.config) };
}

function runLines(runs: readonly Run[], timeZone: string): readonly string[] {
  if (runs.length === 0) return ['', 'None was run.'];
  return [
    '',
    ...aligned([
      ['run', 'workflow', 'stage', 'station', 'last saved'],
      ...runs.map((run) => [
        run.id.slice(0, SHOWN_ID),
        run.workflow,
        stageText(run),
        run.station,
        shownTime(run.saved_at, timeZone),
      ]),
    ]),
  ];
}

function stageText({ stage, failure }: Run): string {
  return failure === undefined ? stage : `${stage} (${failure})`;
}

function workflowDetails(workflow: Workflow): readonly string[] {
  const line = (name: string, value: unknown): string[] =>
    value === undefined || value === '' ? [] : [`  ${name}: ${terminalLine(String(value))}`];
  return [
    `${terminalLine(workflow.name)}  ${workflow.state}`,
    ...workflow.faults.map((fault) => `  ${terminalLine(fault)}`),
    ...line('use when', workflow.use_when?.en),
    ...line('何时用', workflow.use_when?.zh),
    ...line('file', workflow.file),
    ...line('version', workflow.version),
    ...line('access', workflow.access_level),
    ...line('risk', workflow.risk),
    ...line(
      'limit',
      workflow.max_execution_time_ms === undefined ? undefined : `${workflow.max_execution_time_ms} ms`,
    ),
    ...line('arguments', workflow.arguments?.join(', ')),
    ...aligned(
      (workflow.stages ?? []).flatMap(({ stage, steps }) =>
        steps.map(({ id, calls, needed, timeout_ms: limitMs }) => [
          `  ${stage}`,
          id,
          calls,
          needed ? 'needed' : '',
          `${limitMs} ms`,
        ]),
      ),
    ),
  ];
}

function runDetails(run: Run, timeZone: string): readonly string[] {
  return [
    `${run.id}  ${stageText(run)}`,
    `  workflow: ${terminalLine(run.workflow)}`,
    `  station ${terminalLine(run.station)}, session ${terminalLine(run.session_id)}`,
    `  last saved: ${shownTime(run.saved_at, timeZone)}`,
    ...aligned(
      run.steps.map(({ id, status, error }) => [
        `  ${id}`,
        status,
        error === undefined ? '' : `${error.code}: ${error.message}`,
      ]),
    ),
  ];
}
