import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadPlacedYaml } from '../config/load-yaml.ts';
import { shipped } from '../config/shipped.ts';
import type { ToolContract } from '../domain/tool/tool-contract.ts';
import { type WorkflowScope, workflowFaults } from '../domain/workflow/check-workflow.ts';
import { workflowContract } from '../domain/workflow/workflow-contract.ts';
import { workflowFileSchema } from '../domain/workflow/workflow-file.ts';
import { isEdgeError } from '../runtime/edge-error.ts';
import { readFault } from '../runtime/read-fault.ts';
import type { FoundWorkflow } from '../tooling/workflow/found-workflow.ts';

const EXTENSION = '.yaml';
const MOST_FILES = 200;

/** What is done with each file: what it may name, and the words for "busy". */
export interface WorkflowReading extends WorkflowScope {
  readonly busy: ToolContract['use_when'];
}

/** The shipped workflows and, where one is given, those of the site's own directory: `NAME.yaml` each. */
export function readWorkflows(
  siteDirectory: string | undefined,
  reading: WorkflowReading,
): readonly FoundWorkflow[] {
  const found: FoundWorkflow[] = [];
  for (const directory of [
    shipped('config/workflows'),
    ...(siteDirectory === undefined ? [] : [siteDirectory]),
  ]) {
    for (const each of workflowsIn(directory, reading)) {
      const first = found.find(({ name }) => name === each.name);
      const faults = [`${each.file}: ${first?.file} is a workflow of that name: choose another`];
      found.push(first === undefined ? each : { ...each, name: each.file, content: { ok: false, faults } });
    }
  }
  return found;
}

function workflowsIn(directory: string, reading: WorkflowReading): readonly FoundWorkflow[] {
  let names: readonly string[];
  try {
    names = readdirSync(directory).filter((name) => name.endsWith(EXTENSION) && !name.startsWith('.'));
  } catch (error) {
    const faults = [`workflows: ${directory}: ${readFault(error)}`];
    return [{ name: directory, file: directory, content: { ok: false, faults } }];
  }
  return names
    .toSorted()
    .slice(0, MOST_FILES)
    .map((name) => readWorkflow(join(directory, name), reading));
}

function readWorkflow(file: string, reading: WorkflowReading): FoundWorkflow {
  const name = basename(file, EXTENSION);
  try {
    const { value, placeOf } = loadPlacedYaml(file, workflowFileSchema);
    const misnamed =
      value.name === name
        ? []
        : [{ path: ['name'], message: `the file is called "${name}${EXTENSION}": give both one name` }];
    const faults = [...misnamed, ...workflowFaults(value, reading)].map(
      ({ path, message }) => `${placeOf(path)} ${path.join('.')}: ${message}`,
    );
    if (faults.length > 0) return { name, file, content: { ok: false, faults } };
    const contract = workflowContract(value, (tool) => reading.tools.get(tool), reading.busy);
    return { name, file, content: { ok: true, workflow: { file: value, contract } } };
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return { name, file, content: { ok: false, faults: error.message.split('\n') } };
  }
}
