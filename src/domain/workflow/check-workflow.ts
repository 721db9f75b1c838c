import { didYouMean } from '../../runtime/nearest.ts';
import { type DeclaredOutput, isDeclaredOutput } from '../gate/gate.ts';
import type { JsonValue } from '../json.ts';
import { type ContractFault, objectFaults, STEP_LIMIT_MS } from '../tool/check-contract.ts';
import { checkValue } from '../tool/check-value.ts';
import type { ToolContract } from '../tool/tool-contract.ts';
import { INPUT, STAGES, stepsOf, type WorkflowArgument, type WorkflowStep } from './workflow-definition.ts';
import type { WorkflowFile } from './workflow-file.ts';

/** What workflows may name. */
export interface WorkflowScope {
  /** Undefined for a tool that is there and cannot be used. */
  readonly tools: ReadonlyMap<string, ToolContract | undefined>;
  readonly functions: ReadonlySet<string>;
  /** The calls that the site lets a workflow make unasked. */
  readonly declaredOutputs: readonly DeclaredOutput[];
}

type Path = ContractFault['path'];

/** Everything in a workflow that does not fit what is there, or that could never be carried out; each at its path in the file. */
export function workflowFaults(file: WorkflowFile, scope: WorkflowScope): readonly ContractFault[] {
  const steps = stepsOf(file.stages);
  const said = file.says.flatMap((id, index) => {
    const spoken = steps.filter(({ tool }) => tool !== undefined).map((step) => step.id);
    return spoken.includes(id)
      ? []
      : [fault(['says', index], `there is no step with a tool "${id}".${didYouMean(id, spoken)}`)];
  });
  const results = Object.entries(file.result).flatMap(([name, source]) =>
    'from' in source && source.from !== INPUT && !steps.some(({ id }) => id === source.from)
      ? [
          fault(
            ['result', name, 'from'],
            `there is no step "${source.from}".${didYouMean(source.from, [INPUT, ...steps.map(({ id }) => id)])}`,
          ),
        ]
      : sourceFaults(source, ['result', name], file, scope),
  );
  return [
    ...objectFaults(file.input, ['input']),
    ...STAGES.flatMap((stage) =>
      file.stages[stage].flatMap((step, index) => stepFaults(step, ['stages', stage, index], file, scope)),
    ),
    ...said,
    ...results,
  ];
}

function stepFaults(step: WorkflowStep, at: Path, file: WorkflowFile, scope: WorkflowScope): ContractFault[] {
  const sources = Object.entries(step.args).flatMap(([name, source]) =>
    sourceFaults(source, [...at, 'args', name], file, scope),
  );
  if (step.tool === undefined) {
    const name = step.function ?? '';
    return scope.functions.has(name)
      ? sources
      : [fault([...at, 'function'], `there is no function "${name}".${didYouMean(name, scope.functions)}`)];
  }
  if (!scope.tools.has(step.tool))
    return [
      fault([...at, 'tool'], `there is no tool "${step.tool}".${didYouMean(step.tool, scope.tools.keys())}`),
    ];
  const contract = scope.tools.get(step.tool);
  if (contract === undefined)
    return [fault([...at, 'tool'], `"${step.tool}" is not used: hermes-edge tools list says why`)];
  return [...sources, ...callFaults(step, contract, at, scope)];
}

function callFaults(
  step: WorkflowStep,
  contract: ToolContract,
  at: Path,
  { declaredOutputs }: WorkflowScope,
): ContractFault[] {
  const { name, schema, sla, security } = contract;
  const { properties, required } = schema.parameters;
  const known = Object.keys(properties);
  const faults = Object.entries(step.args).flatMap(([key, source]) => {
    const property = properties[key];
    if (property === undefined)
      return [
        fault([...at, 'args', key], `there is no argument of ${name} "${key}".${didYouMean(key, known)}`),
      ];
    if (!('value' in source) || source.value === null) return [];
    const checked = checkValue(property, source.value);
    return checked.ok ? [] : [fault([...at, 'args', key], checked.message)];
  });
  const lacking = required.filter(
    (key) => step.args[key] === undefined && properties[key]?.default === undefined,
  );
  if (lacking.length > 0) faults.push(fault([...at, 'args'], `${name} needs ${lacking.join(', ')}`));
  if (sla.max_execution_time_ms > STEP_LIMIT_MS)
    faults.push(fault([...at, 'tool'], `${name} may take longer than a step, ${STEP_LIMIT_MS} ms`));
  if (security.risk !== 'none' && !isDeclared(step, name, declaredOutputs))
    faults.push(
      fault(
        [...at, 'tool'],
        `${name} has to be confirmed by a person, whom a workflow cannot ask: make it the step of a rule, after the workflow`,
      ),
    );
  return faults;
}

/** Whether it is just a call that the site lets workflows make: its arguments are all written down. */
function isDeclared(step: WorkflowStep, tool: string, declared: readonly DeclaredOutput[]): boolean {
  const args: [string, JsonValue][] = [];
  for (const [name, source] of Object.entries(step.args)) {
    if (!('value' in source)) return false;
    args.push([name, source.value]);
  }
  return isDeclaredOutput(tool, Object.fromEntries(args), declared);
}

/** Whether what it takes can be there at all. */
function sourceFaults(
  source: WorkflowArgument,
  at: Path,
  file: WorkflowFile,
  { tools }: WorkflowScope,
): ContractFault[] {
  if (!('from' in source) || source.field === '') return [];
  const { from, field } = source;
  const tool = stepsOf(file.stages).find(({ id }) => id === from)?.tool;
  const contract = tool === undefined ? undefined : tools.get(tool);
  const properties = from === INPUT ? file.input.properties : contract?.schema.response.properties;
  if (properties === undefined || Object.hasOwn(properties, field)) return [];
  const near = didYouMean(field, Object.keys(properties));
  return [fault([...at, 'field'], `${from} has no field "${field}".${near}`)];
}

function fault(path: Path, message: string): ContractFault {
  return { path, message };
}
