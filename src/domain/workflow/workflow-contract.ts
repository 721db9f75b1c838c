import {
  ACCESS_LEVELS,
  type ToolContract,
  type ToolProperty,
  toolContractSchema,
} from '../tool/tool-contract.ts';
import { INPUT, STAGES, stepsOf, WORKFLOW_LIMIT_MS, type WorkflowArgument } from './workflow-definition.ts';
import { type WorkflowFile, workflowTool } from './workflow-file.ts';

type Texts = ToolContract['use_when'];
type ContractOf = (tool: string) => ToolContract | undefined;

/** A turn waits for no call that may take longer: it is answered before, and the end is told when it comes. */
const LONGEST_WAITED_FOR_MS = 25_000;

/** What a workflow has said besides the words of its tools. */
export const BUSY = 'busy';
export const AS_OF = 'as_of';
const AS_OF_TEXTS: Texts = { en: 'From {time}.', zh: '以下是{time}的结果。' };

/** The key under which the contract of a workflow has a phrase of the tool of a step. */
export function stepPhrase(step: string, phrase: string): string {
  return `${step}.${phrase}`;
}

/**
 * The contract of a checked workflow, by which the gate and the rules take it for any other tool: the access of the most
 * guarded of its steps, and a plain yes where one of them switches something. What a step does is put before the gate again.
 */
export function workflowContract(file: WorkflowFile, contractOf: ContractOf, busy: Texts): ToolContract {
  const steps = stepsOf(file.stages);
  const called = steps.flatMap(({ tool }) => (tool === undefined ? [] : (contractOf(tool) ?? [])));
  const acts = called.some(({ security }) => security.risk !== 'none');
  const looks = called.filter(({ security }) => security.risk === 'none');
  const longestMs = STAGES.reduce(
    (sum, stage) => sum + Math.max(0, ...file.stages[stage].map(({ timeout_ms: limitMs }) => limitMs)),
    0,
  );
  const limitMs = Math.min(longestMs, WORKFLOW_LIMIT_MS);
  return {
    // Only what stands for a tool pack is held to the spelling of its folder.
    ...toolContractSchema.omit({ name: true, phrases: true }).parse({
      version: file.version,
      use_when: file.use_when,
      deed: file.deed,
      ...(file.question === undefined ? {} : { question: file.question }),
      schema: { parameters: file.input, response: { properties: responseOf(file, contractOf) } },
      sla: {
        max_execution_time_ms: limitMs,
        retry_policy: { attempts: 0 },
        idempotent: called.every(({ sla }) => sla.idempotent),
        detached: limitMs > LONGEST_WAITED_FOR_MS,
      },
      security: {
        access_level:
          ACCESS_LEVELS.findLast((level) => looks.some(({ security }) => security.access_level === level)) ??
          'PUBLIC',
        risk: acts ? 'reversible' : 'none',
        data_scope: [...new Set(called.flatMap(({ security }) => security.data_scope))],
      },
      observability: { redact: redacted(file, contractOf) },
    }),
    name: workflowTool(file.name),
    phrases: { ...phrasesOf(file, contractOf), [BUSY]: busy, [AS_OF]: AS_OF_TEXTS },
  };
}

/** The tools' phrases of the steps that are heard. */
function phrasesOf({ stages, says }: WorkflowFile, contractOf: ContractOf): ToolContract['phrases'] {
  return Object.fromEntries(
    stepsOf(stages)
      .filter(({ id }) => says.includes(id))
      .flatMap(({ id, tool = '' }) =>
        Object.entries(contractOf(tool)?.phrases ?? {}).map(([key, texts]) => [stepPhrase(id, key), texts]),
      ),
  );
}

/** Each field of the result as the tool that it comes from declares it; one that nobody declares is left to be anything. */
function responseOf(
  { stages, input, result }: WorkflowFile,
  contractOf: ContractOf,
): Readonly<Record<string, ToolProperty>> {
  const declared = (source: WorkflowArgument): ToolProperty | undefined => {
    if ('value' in source) return undefined;
    if (source.from === INPUT) return input.properties[source.field];
    const tool = stepsOf(stages).find(({ id }) => id === source.from)?.tool;
    return tool === undefined ? undefined : contractOf(tool)?.schema.response.properties[source.field];
  };
  return Object.fromEntries(
    Object.entries(result).map(([name, source]) => [
      name,
      declared(source) ?? { type: 'object', description: { en: name, zh: name } },
    ]),
  );
}

/** What comes to an argument that a tool keeps back is kept back here as well. */
function redacted({ stages, input }: WorkflowFile, contractOf: ContractOf): readonly string[] {
  const names = stepsOf(stages).flatMap(({ tool = '', args }) =>
    (contractOf(tool)?.observability.redact ?? []).flatMap((kept) => {
      const source = args[kept];
      if (source === undefined || 'value' in source || source.from !== INPUT) return [];
      return source.field === '' ? Object.keys(input.properties) : [source.field];
    }),
  );
  return [...new Set(names)];
}
