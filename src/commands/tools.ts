import { z } from 'zod';
import { findDaemon } from '../composition/plant-watch.ts';
import { checkToolPack } from '../composition/tool-check.ts';
import { EdgeError, isEdgeError } from '../runtime/edge-error.ts';
import { didYouMean } from '../runtime/nearest.ts';
import { aligned } from './aligned.ts';
import { getControl } from './control-client.ts';
import { noDaemon } from './no-daemon.ts';
import { print } from './print.ts';
import { terminalText } from './terminal-text.ts';

interface ToolsOptions {
  readonly config?: string;
  readonly json: boolean;
}

const toolSchema = z.object({
  name: z.string(),
  origin: z.string(),
  folder: z.string(),
  state: z.string(),
  not_set_up: z.object({ part: z.string(), key: z.string() }).optional(),
  faults: z.array(z.string()),
  version: z.int().optional(),
  use_when: z.object({ en: z.string(), zh: z.string() }).optional(),
  access_level: z.string().optional(),
  risk: z.string().optional(),
  max_execution_time_ms: z.int().optional(),
  depends_on: z.array(z.string()).optional(),
  fallback_tool: z.string().optional(),
  compensation: z.string().optional(),
  parameters: z
    .object({
      properties: z.record(z.string(), z.object({ description: z.string().optional() })),
      required: z.array(z.string()),
    })
    .optional(),
  calls: z.int(),
  failures: z.record(z.string(), z.int()),
  p95_ms: z.number().optional(),
  measured_limit_ms: z.number().optional(),
});
type Tool = z.infer<typeof toolSchema>;
/** Kept whole for `--json`. */
const replySchema = z.object({ tools: z.array(z.looseObject({ name: z.string() })) });

const USAGE_STATUS = 2;
const NOT_SET_UP = 'NOT_SET_UP';

/** `hermes-edge tools list`: every tool of the running daemon with its state, and why one is not used. */
export async function listTools(options: ToolsOptions): Promise<void> {
  const { tools } = await toolsOf(options);
  print(options.json, { tools }, () => {
    const known = tools.map((tool) => toolSchema.parse(tool));
    return [
      ...aligned(
        known.map((tool) => [tool.name, shownState(tool), `${tool.risk ?? '?'}`, tool.use_when?.en ?? '']),
      ),
      ...known.flatMap(({ name, faults }) =>
        faults.length === 0 ? [] : ['', `${name} is not used:`, ...faults.map((fault) => `  ${fault}`)],
      ),
    ].join('\n');
  });
}

/** `hermes-edge tools show NAME`. */
export async function showTool(name: string, options: ToolsOptions): Promise<void> {
  const { tools } = await toolsOf(options);
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined)
    throw new EdgeError(
      'INPUT_INVALID',
      `there is no tool "${name}".${didYouMean(
        name,
        tools.map((each) => each.name),
      )}`,
      { hint: 'see hermes-edge tools list' },
    );
  print(options.json, tool, () => detailsOf(toolSchema.parse(tool)).join('\n'));
}

/** `hermes-edge tools check DIR`: needs no daemon; exit status 2 with everything that is wrong with the pack, 1 when a test fails. */
export async function checkTool(folder: string, options: { readonly json: boolean }): Promise<void> {
  let check: Awaited<ReturnType<typeof checkToolPack>>;
  try {
    check = await checkToolPack(folder);
  } catch (error) {
    if (!options.json || !isEdgeError(error)) throw error;
    const { code, message } = error;
    process.stdout.write(`${JSON.stringify({ ok: false, code, faults: message.split('\n') })}\n`);
    process.exitCode = USAGE_STATUS;
    return;
  }
  const failed = check.tests.filter(({ failure }) => failure !== undefined);
  if (failed.length > 0) process.exitCode = 1;
  const result = {
    ok: failed.length === 0,
    name: check.name,
    tests: check.tests.map(({ name, failure }) => ({
      name,
      ok: failure === undefined,
      ...(failure && { failure }),
    })),
  };
  print(options.json, result, () =>
    [
      ...check.tests.map(({ name, failure }) =>
        failure === undefined ? `passed  ${name}` : `failed  ${name}: ${failure}`,
      ),
      failed.length === 0
        ? `${check.name} is valid: ${check.tests.length} tests passed.`
        : `${check.name}: ${failed.length} of ${check.tests.length} tests failed; the daemon would not use it.`,
    ].join('\n'),
  );
}

/** A tool that is sound and has nothing to work with is named by what it lacks. */
function shownState({ state, not_set_up: lacks }: Tool): string {
  return state === NOT_SET_UP && lacks !== undefined ? `not set up: ${lacks.part}` : state;
}

async function toolsOf({ config }: ToolsOptions): Promise<z.infer<typeof replySchema>> {
  const found = await findDaemon(config);
  const reply = found === undefined ? undefined : await getControl(found.socket, '/tools');
  if (reply === undefined) throw noDaemon(found, 'hermes-edge tools check DIR, which needs none');
  return replySchema.parse(reply);
}

function detailsOf(tool: Tool): string[] {
  const { parameters } = tool;
  const failures = Object.entries(tool.failures).map(([code, count]) => `${code} ${count}`);
  const line = (name: string, value: unknown): string[] =>
    value === undefined || value === '' ? [] : [`  ${name}: ${String(value)}`];
  return [
    `${tool.name}  ${shownState(tool)}`,
    ...line('set up by', tool.state === NOT_SET_UP ? tool.not_set_up?.key : undefined),
    ...tool.faults.map((fault) => `  ${terminalText(fault)}`),
    ...line('use when', tool.use_when?.en),
    ...line('何时用', tool.use_when?.zh),
    ...line('folder', `${tool.folder} (${tool.origin})`),
    ...line('access', tool.access_level),
    ...line('risk', tool.risk),
    ...line(
      'limit',
      tool.max_execution_time_ms === undefined ? undefined : `${tool.max_execution_time_ms} ms`,
    ),
    ...line(
      'measured',
      tool.p95_ms === undefined
        ? undefined
        : `95 % within ${tool.p95_ms} ms; a limit of ${tool.measured_limit_ms} ms would do`,
    ),
    ...line('depends on', tool.depends_on?.join(', ')),
    ...line('stands in', tool.fallback_tool),
    ...line('undone by', tool.compensation),
    ...line('calls', `${tool.calls}${failures.length === 0 ? '' : ` (${failures.join(', ')})`}`),
    ...(parameters === undefined ? [] : ['  arguments:']),
    ...aligned(
      Object.entries(parameters?.properties ?? {}).map(([name, { description }]) => [
        `    ${name}`,
        parameters?.required.includes(name) === true ? 'required' : '',
        description ?? '',
      ]),
    ),
  ];
}
