import type { ToolCall } from '../../src/domain/tool/tool-call.ts';
import { type ToolContract, toolContractSchema } from '../../src/domain/tool/tool-contract.ts';

type Input = Readonly<Record<string, unknown>>;

/** The smallest valid `tool.yaml`, with sections replaced or added. */
export function contractInput(name: string, changes: Input = {}): Input {
  return {
    name,
    version: 1,
    use_when: { en: `to ${name}`, zh: `用于${name}` },
    deed: { en: `the ${name}`, zh: name },
    question: { en: `Do ${name}?`, zh: `执行${name}？` },
    schema: { parameters: { properties: {} }, response: { properties: {} } },
    sla: { max_execution_time_ms: 1000, retry_policy: { attempts: 0 }, idempotent: true },
    security: { access_level: 'PUBLIC', risk: 'none', data_scope: [] },
    observability: {},
    ...changes,
  };
}

export function contractOf(name: string, changes: Input = {}): ToolContract {
  return toolContractSchema.parse(contractInput(name, changes));
}

/** A contract with these parameters; descriptions are filled in. */
export function withParameters(
  properties: Readonly<Record<string, Input>>,
  lists: { readonly required?: readonly string[]; readonly nullable?: readonly string[] } = {},
): ToolContract {
  return contractOf('tested-tool', {
    schema: { parameters: { properties: described(properties), ...lists }, response: { properties: {} } },
  });
}

export function described(properties: Readonly<Record<string, Input>>): Input {
  return Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [
      key,
      { description: { en: `the ${key}`, zh: key }, ...property },
    ]),
  );
}

export function toolCall(tool: string, changes: Partial<ToolCall> = {}): ToolCall {
  return {
    callId: `call-${tool}`,
    tool,
    args: {},
    caller: {
      origin: 'ask',
      station: 'ask',
      sessionId: 'session-1',
      turnId: 'tr_1',
      role: 'operator',
      person: undefined,
    },
    path: [],
    idempotencyKey: `key-${tool}`,
    consent: undefined,
    ...changes,
  };
}
