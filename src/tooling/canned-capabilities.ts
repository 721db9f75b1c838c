import type { JsonObject, JsonValue } from '../domain/json.ts';
import { jsonObjectSchema } from '../domain/json.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import type { CapabilityHost } from './capability.ts';
import { cannedFailureSchema, type TestCase } from './test-case.ts';

/** What the handler under test asked for, by capability. */
export type RecordedUses = Readonly<Record<string, readonly JsonObject[]>>;

interface Script {
  readonly answers: ReadonlyMap<string, JsonValue[]>;
  readonly uses: Record<string, JsonObject[]>;
}

/**
 * What handlers reach while they are tested: the answers of the test case, in order, and nothing else. A handler that uses a
 * capability after its test has ended is refused.
 */
export class CannedCapabilities {
  readonly #scripts = new Map<string, Script>();
  #tests = 0;

  readonly host: CapabilityHost = async (name, args, { call }) => {
    const script = this.#scripts.get(call.callId);
    if (script === undefined) throw new EdgeError('CANCELLED', 'the test has ended');
    const given = jsonObjectSchema.safeParse(args);
    const uses = script.uses[name] ?? [];
    script.uses[name] = uses;
    uses.push(given.success ? given.data : {});
    const answer = script.answers.get(name)?.shift();
    if (answer === undefined)
      throw new EdgeError('TOOL_FAILED', `the test case has no further answer of ${name}`);
    const failure = cannedFailureSchema.safeParse(answer);
    if (!failure.success) return answer;
    const { code, message, hint } = failure.data.fails;
    throw new EdgeError(code, message, hint === undefined ? {} : { hint });
  };

  /** Runs `test` with the id of a call that gets the answers of `testCase`; what it asked for is in `uses` afterwards. */
  async during<T>(
    tool: string,
    testCase: Pick<TestCase, 'capabilities'>,
    test: (callId: string) => Promise<T>,
  ): Promise<{ readonly value: T; readonly uses: RecordedUses }> {
    this.#tests += 1;
    const callId = `test:${tool}:${this.#tests}`;
    const answers = new Map<string, JsonValue[]>(
      Object.entries(testCase.capabilities).map(([name, list]) => [name, [...list]]),
    );
    const script: Script = { answers, uses: {} };
    this.#scripts.set(callId, script);
    try {
      return { value: await test(callId), uses: script.uses };
    } finally {
      this.#scripts.delete(callId);
    }
  }
}
