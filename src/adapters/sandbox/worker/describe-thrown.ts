import type { JsonValue } from '../../../domain/json.ts';
import type { WorkerFailure } from '../messages.ts';

/** Taken when the module loads: a handler can replace them. */
const { stringify, parse } = JSON;
const MAX_CHARACTERS = 1000;
const MAX_SAY_CHARACTERS = 16_000;
const HANDLER_CODES = ['INPUT_INVALID', 'TOOL_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'TOOL_FAILED'] as const;

/** What was thrown, whatever it is: a string, nothing, or an object whose very reading throws. */
export function describeThrown(thrown: unknown): WorkerFailure {
  const code = textOf(thrown, 'code');
  const message = messageOf(thrown, code);
  const hint = textOf(thrown, 'hint');
  const known = HANDLER_CODES.find((each) => each === code);
  return {
    code: known ?? (isOutOfMemory(code, message) ? 'TOOL_OOM' : 'TOOL_FAILED'),
    message,
    told: known !== undefined,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** What is to be said of it, as plain JSON; undefined when there is nothing, or nothing that can be read. */
export function sayOf(thrown: unknown): JsonValue | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    const text = stringify(Reflect.get(thrown, 'say'));
    return text === undefined || text.length > MAX_SAY_CHARACTERS ? undefined : parse(text);
  } catch {
    return undefined;
  }
}

/** What an allocation that the memory ceiling refused looks like from JavaScript. */
function isOutOfMemory(code: string | undefined, message: string): boolean {
  return code === 'ERR_MEMORY_ALLOCATION_FAILED' || message === 'Array buffer allocation failed';
}

function messageOf(thrown: unknown, code: string | undefined): string {
  const message = textOf(thrown, 'message') ?? plainTextOf(thrown);
  // Node's permission model names what was refused, but not in the message.
  const refused = code === 'ERR_ACCESS_DENIED' ? textOf(thrown, 'resource') : undefined;
  return refused === undefined ? message : `${message}: ${refused}`;
}

function textOf(thrown: unknown, key: string): string | undefined {
  if ((typeof thrown !== 'object' && typeof thrown !== 'function') || thrown === null) return undefined;
  try {
    const value: unknown = Reflect.get(thrown, key);
    return typeof value === 'string' ? value.slice(0, MAX_CHARACTERS) : undefined;
  } catch {
    return undefined;
  }
}

function plainTextOf(thrown: unknown): string {
  try {
    return `the handler threw ${String(thrown)}`.slice(0, MAX_CHARACTERS);
  } catch {
    return 'the handler threw something that cannot be read';
  }
}
