import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../domain/json.ts';
import { checkArguments } from '../domain/tool/check-arguments.ts';
import type { ToolCall } from '../domain/tool/tool-call.ts';
import type { CannedCapabilities, RecordedUses } from './canned-capabilities.ts';
import { checkedOutcome } from './checked-outcome.ts';
import type { HandlerOutcome, Sandbox, ToolPack } from './sandbox-port.ts';
import type { TestCase } from './test-case.ts';

interface Parts {
  /** Whose handlers reach `canned` and nothing else. */
  readonly sandbox: Sandbox;
  readonly canned: CannedCapabilities;
}

/** Runs the test cases of tool packs in the sandbox, with canned answers in the place of all that is outside. */
export class PackTester {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What went wrong in the first case that failed; undefined when all went well. */
  async firstFailure(
    pack: ToolPack,
    cases: readonly TestCase[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (const testCase of cases) {
      const failure = await this.failureOf(pack, testCase, signal);
      if (failure !== undefined) return `test "${testCase.name}": ${failure}`;
      if (signal.aborted) return undefined;
    }
    return undefined;
  }

  async failureOf(pack: ToolPack, testCase: TestCase, signal: AbortSignal): Promise<string | undefined> {
    const { contract } = pack;
    const args = checkArguments(contract, testCase.args);
    if (!args.ok)
      return differenceOf(testCase, { ok: false, code: 'INPUT_INVALID', message: args.error.message }, {});
    const { value, uses } = await this.#parts.canned.during(contract.name, testCase, (callId) =>
      this.#parts.sandbox.run(pack, testCall(contract.name, callId, args.args), signal),
    );
    if (signal.aborted) return undefined;
    return differenceOf(testCase, checkedOutcome(contract, value), uses);
  }
}

function testCall(tool: string, callId: string, args: JsonObject): ToolCall {
  return {
    callId,
    tool,
    args,
    caller: {
      origin: 'workflow',
      station: 'test',
      sessionId: 'test',
      turnId: 'test',
      role: 'guest',
      person: undefined,
    },
    path: [],
    idempotencyKey: callId,
    consent: undefined,
  };
}

function differenceOf(testCase: TestCase, outcome: HandlerOutcome, uses: RecordedUses): string | undefined {
  const { expect } = testCase;
  for (const [capability, wanted] of Object.entries(expect.uses ?? {})) {
    const found = uses[capability] ?? [];
    if (!hasAll([...found], [...wanted]))
      return `${capability} was used with ${text(found)}, not with ${text(wanted)}`;
  }
  if ('code' in expect) {
    if (outcome.ok) return `came to ${text(outcome.result)}, not to ${expect.code}`;
    return outcome.code === expect.code
      ? undefined
      : `came to ${outcome.code} (${outcome.message}), not to ${expect.code}`;
  }
  if (!outcome.ok) return `came to ${outcome.code} (${outcome.message}), not to a result`;
  if (!hasAll(outcome.result, expect.ok)) return `came to ${text(outcome.result)}, not to ${text(expect.ok)}`;
  const said = outcome.say.map(({ phrase }) => phrase);
  if (expect.say !== undefined && !isDeepStrictEqual(said, expect.say))
    return `says ${text(said)}, not ${text(expect.say)}`;
  return undefined;
}

/** Whether `found` has everything that `wanted` has; lists have as many items. */
function hasAll(found: JsonValue | undefined, wanted: JsonValue): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((item, index) => hasAll(found[index], item))
    );
  if (!isObject(wanted)) return found === wanted;
  if (found === undefined || !isObject(found)) return false;
  return Object.entries(wanted).every(([key, value]) => hasAll(found[key], value));
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SHOWN_CHARACTERS = 300;

function text(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > SHOWN_CHARACTERS ? `${json.slice(0, SHOWN_CHARACTERS)}…` : json;
}
