import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject } from '../json.ts';
import { MAX_COMPLEX_STEPS } from '../planning/plan.ts';
import type { ToolCall, ToolError } from './tool-call.ts';

/** Tools that may be carried out around and including a call. */
export const MAX_CALL_DEPTH = 3;
/** So many calls with one tool and the same arguments may run within one turn; the next is blocked. */
export const MAX_SAME_CALLS = 2;
/** Calls by other tools within one turn: a tool that calls on and on is ended. */
const MAX_NESTED_CALLS = 100;

/** What was called within one turn so far. */
export interface CallTally {
  readonly steps: number;
  readonly nested: number;
  /** By tool and arguments. */
  readonly same: ReadonlyMap<string, number>;
}

export const NO_CALLS: CallTally = { steps: 0, nested: 0, same: new Map() };

type GuardedCall = Pick<ToolCall, 'tool' | 'args' | 'path'>;

/** Whether a call goes round in a circle or too deep; undefined when it does not. */
export function pathFault({ tool, path }: GuardedCall): ToolError | undefined {
  if (path.includes(tool)) {
    const hint = 'a tool cannot be used while it is being carried out';
    return {
      tool,
      code: 'RECURSIVE_CALL',
      message: `${[...path, tool].join(' -> ')} goes in a circle`,
      hint,
    };
  }
  if (path.length >= MAX_CALL_DEPTH)
    return {
      tool,
      code: 'CALL_DEPTH_EXCEEDED',
      message: `${[...path, tool].join(' -> ')} is deeper than ${MAX_CALL_DEPTH} calls`,
      hint: 'make it two commands',
    };
  return undefined;
}

/** Counts a call in; a fault means that it is not carried out, and not counted. */
export function countCall(tally: CallTally, call: GuardedCall): CallTally | ToolError {
  const { tool, args, path } = call;
  const isNested = path.length > 0;
  const key = sameKey(tool, args);
  const before = tally.same.get(key) ?? 0;
  if (before >= MAX_SAME_CALLS)
    return {
      tool,
      code: 'REPEATED_CALL',
      message: `${tool} was called ${before} times with these arguments within one command`,
      hint: 'use the result that is there, or change the arguments',
    };
  const steps = tally.steps + (isNested ? 0 : 1);
  const nested = tally.nested + (isNested ? 1 : 0);
  if (steps > MAX_COMPLEX_STEPS || nested > MAX_NESTED_CALLS)
    return {
      tool,
      code: 'TOO_MANY_STEPS',
      message: isNested
        ? `more than ${MAX_NESTED_CALLS} calls of other tools within one command`
        : `more than ${MAX_COMPLEX_STEPS} steps within one command`,
      hint: 'make it two commands',
    };
  return { steps, nested, same: new Map(tally.same).set(key, before + 1) };
}

export function isToolError(found: CallTally | ToolError): found is ToolError {
  return 'code' in found;
}

function sameKey(tool: string, args: JsonObject): string {
  return `${tool} ${canonicalJson(args)}`;
}
