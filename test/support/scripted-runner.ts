import type { ToolRunner } from '../../src/app/ports/tool-runner.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { ToolCall, ToolErrorCode, ToolOutcome } from '../../src/domain/tool/tool-call.ts';
import { toolContractSchema } from '../../src/domain/tool/tool-contract.ts';

/** What a tool does when it is called: its result, or the code of its error. */
export type Script = (call: ToolCall, signal: AbortSignal) => Promise<JsonObject | ToolErrorCode>;

/** Tools that do what a test says; those in `unrepeatable` say of themselves that they may not be done twice. */
export class ScriptedTools implements Pick<ToolRunner, 'call' | 'contract'> {
  readonly calls: ToolCall[] = [];
  readonly #scripts: Readonly<Record<string, Script>>;
  readonly #unrepeatable: readonly string[];

  constructor(scripts: Readonly<Record<string, Script>>, unrepeatable: readonly string[] = []) {
    this.#scripts = scripts;
    this.#unrepeatable = unrepeatable;
  }

  contract(tool: string) {
    if (this.#scripts[tool] === undefined) return undefined;
    const text = { en: tool, zh: tool };
    return toolContractSchema.parse({
      name: tool,
      version: 1,
      use_when: text,
      deed: text,
      schema: { parameters: { properties: {} }, response: { properties: {} } },
      sla: {
        max_execution_time_ms: 5000,
        retry_policy: { attempts: 0 },
        idempotent: !this.#unrepeatable.includes(tool),
      },
      security: { access_level: 'PUBLIC', risk: 'none', data_scope: [] },
      observability: {},
    });
  }

  async call(call: ToolCall, signal: AbortSignal = new AbortController().signal): Promise<ToolOutcome> {
    this.calls.push(call);
    const given = (await this.#scripts[call.tool]?.(call, signal)) ?? 'UNKNOWN_TOOL';
    const { tool } = call;
    return typeof given === 'string'
      ? {
          status: 'failed',
          tool,
          error: { tool, code: given, message: `${tool} says ${given}` },
          durationMs: 1,
        }
      : { status: 'ok', tool, result: given, say: [], durationMs: 1 };
  }
}
