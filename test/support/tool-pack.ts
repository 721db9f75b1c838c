import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../src/domain/json.ts';
import type { ToolCall } from '../../src/domain/tool/tool-call.ts';
import { type ToolContract, toolContractSchema } from '../../src/domain/tool/tool-contract.ts';
import type { ToolPack } from '../../src/tooling/sandbox-port.ts';

export const HOSTILE_TOOLS = fileURLToPath(new URL('../fixtures/hostile-tools', import.meta.url));

export interface Limits {
  readonly sandbox?: Partial<ToolContract['sandbox']>;
  readonly limitMs?: number;
  readonly detached?: boolean;
  readonly capabilities?: ToolContract['capabilities'];
  readonly risk?: ToolContract['security']['risk'];
}

/** One of the fixtures, under a contract with these limits. */
export function hostilePack(name: string, limits: Limits = {}): ToolPack {
  return { contract: contractOf(name, limits), handler: `${HOSTILE_TOOLS}/${name}.mjs` };
}

export function contractOf(name: string, limits: Limits = {}): ToolContract {
  const words = { en: name, zh: name };
  return toolContractSchema.parse({
    name,
    version: 1,
    use_when: words,
    deed: words,
    schema: { parameters: { properties: {} }, response: { properties: {} } },
    sla: {
      max_execution_time_ms: limits.limitMs ?? 2000,
      retry_policy: { attempts: 0 },
      idempotent: true,
      detached: limits.detached ?? false,
    },
    security: { access_level: 'PUBLIC', risk: limits.risk ?? 'none', data_scope: [] },
    observability: {},
    capabilities: limits.capabilities ?? ['plant.describe'],
    sandbox: limits.sandbox ?? {},
  });
}

export function callOf(tool: string, args: JsonObject = {}, path: readonly string[] = []): ToolCall {
  return {
    callId: randomUUID(),
    tool,
    args,
    caller: {
      origin: 'ask',
      station: 'line-1',
      sessionId: 's-1',
      turnId: 't-1',
      role: 'operator',
      person: undefined,
    },
    path,
    idempotencyKey: 'key-1',
    consent: undefined,
  };
}
