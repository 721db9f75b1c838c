import type { JsonObject, JsonValue } from '../json.ts';
import { INPUT, type WorkflowArgument } from './workflow-definition.ts';
import { isSettled, type WorkflowState } from './workflow-state.ts';

export type StepArguments =
  | { readonly kind: 'ready'; readonly args: JsonObject }
  /** A step that it takes something from has not ended. */
  | { readonly kind: 'waiting' }
  /** What it needs will never be there. */
  | { readonly kind: 'missing'; readonly message: string };

/** The arguments of a step, or the fields of a result, from what is known. */
export function stepArguments(
  sources: Readonly<Record<string, WorkflowArgument>>,
  state: WorkflowState,
): StepArguments {
  const args: Record<string, JsonValue> = {};
  for (const [name, argument] of Object.entries(sources)) {
    if ('value' in argument) {
      args[name] = argument.value;
      continue;
    }
    const { from, field, or } = argument;
    const source = state.steps[from];
    if (from !== INPUT && or === undefined && (source === undefined || !isSettled(source)))
      return { kind: 'waiting' };
    const whole = from === INPUT ? state.input : source?.result;
    const found = field === '' ? whole : ownField(whole, field);
    const value = found ?? or;
    if (value === undefined) {
      const what = field === '' ? from : `${from}.${field}`;
      return { kind: 'missing', message: `"${name}" comes from ${what}, which is not there` };
    }
    args[name] = value;
  }
  return { kind: 'ready', args };
}

function ownField(of: JsonObject | undefined, field: string): JsonValue | undefined {
  return of !== undefined && Object.hasOwn(of, field) ? of[field] : undefined;
}
