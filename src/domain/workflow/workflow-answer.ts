import type { JsonObject } from '../json.ts';
import type { Say, SayList, Sentence } from '../tool/say.ts';
import { stepArguments } from './step-arguments.ts';
import { AS_OF, stepPhrase } from './workflow-contract.ts';
import { WORKFLOW_LIMIT_MS } from './workflow-definition.ts';
import type { WorkflowFile } from './workflow-file.ts';
import type { WorkflowState } from './workflow-state.ts';

/** More would not be taken by whoever says it. */
const MOST_SENTENCES = 10;

/** What a workflow has come to; what its steps did not bring is left out. */
export function workflowResult({ result }: WorkflowFile, state: WorkflowState): JsonObject {
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, source]) => {
      const found = stepArguments({ [name]: source }, state);
      return found.kind === 'ready' ? Object.entries(found.args) : [];
    }),
  );
}

/**
 * What is said of it, in the words of its tools. What was found longer ago than a workflow takes, as before a restart, is
 * said with its time. `now` is the wall clock.
 */
export function workflowSay({ says }: WorkflowFile, { steps }: WorkflowState, now: Date): Say {
  const heard = says.flatMap((id) => {
    const { say = [], at } = steps[id] ?? {};
    return say.length === 0 ? [] : [{ sentences: say.map((sentence) => ofStep(id, sentence)), at }];
  });
  const [oldest] = heard.flatMap(({ at }) => at ?? []).toSorted();
  const said = heard.flatMap(({ sentences }) => sentences);
  const age: Say =
    oldest === undefined || isRecent(oldest, now)
      ? []
      : [{ phrase: AS_OF, values: { time: { kind: 'time', at: oldest } } }];
  return [...age, ...said].slice(0, MOST_SENTENCES);
}

/** A time to come is no recent one: the clock was set meanwhile, and the age is not known. */
function isRecent(at: string, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(at);
  return ageMs >= 0 && ageMs <= WORKFLOW_LIMIT_MS;
}

function ofStep(step: string, { phrase, values }: Sentence): Sentence {
  const named = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' && value.kind === 'list' ? listOfStep(step, value) : value,
  ]);
  return { phrase: stepPhrase(step, phrase), values: Object.fromEntries(named) };
}

function listOfStep(step: string, { kind, items }: SayList): SayList {
  return { kind, items: items.map(({ phrase, values }) => ({ phrase: stepPhrase(step, phrase), values })) };
}
