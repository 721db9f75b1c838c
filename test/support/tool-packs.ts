import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { type JsonObject, type JsonValue, jsonObjectSchema, jsonValueSchema } from '../../src/domain/json.ts';
import { type ToolContract, toolContractSchema } from '../../src/domain/tool/tool-contract.ts';
import type { Handle, HandlerContext } from '../../src/tooling/handler-api.ts';

const ROOT = fileURLToPath(new URL('../../tools/', import.meta.url));

const casesSchema = z.array(
  z.strictObject({
    name: z.string(),
    args: jsonObjectSchema.default({}),
    capabilities: z.record(z.string(), z.array(jsonValueSchema)).default({}),
    expect: z.union([
      z.strictObject({
        ok: jsonObjectSchema,
        say: z.array(z.string()).optional(),
        uses: z.record(z.string(), z.array(jsonObjectSchema)).optional(),
      }),
      z.strictObject({ code: z.string() }),
    ]),
  }),
);
const failsSchema = z.strictObject({ fails: z.strictObject({ code: z.string(), message: z.string() }) });

export type PackCase = z.infer<typeof casesSchema>[number];

/** A shipped pack as it stands in its folder, its handler imported as it is. */
export interface ShippedPack {
  readonly name: string;
  readonly contract: ToolContract;
  readonly cases: readonly PackCase[];
  readonly handle: Handle;
}

export async function shippedPacks(): Promise<readonly ShippedPack[]> {
  const names = readdirSync(ROOT).filter((name) => readdirSync(join(ROOT, name)).includes('tool.yaml'));
  return Promise.all(
    names.map(async (name) => {
      const text = (file: string): string => readFileSync(join(ROOT, name, file), 'utf8');
      const module: { readonly handle: Handle } = await import(join(ROOT, name, 'handler.ts'));
      return {
        name,
        contract: toolContractSchema.parse(parse(text('tool.yaml'))),
        cases: casesSchema.parse(JSON.parse(text('test-cases.json'))),
        handle: module.handle,
      };
    }),
  );
}

export async function shippedPack(name: string): Promise<ShippedPack> {
  const found = (await shippedPacks()).find((pack) => pack.name === name);
  if (found === undefined) throw new Error(`no shipped pack is called ${name}`);
  return found;
}

/** Answers by capability, in order; what was asked for is in `uses`. */
export function cannedContext(
  capabilities: Readonly<Record<string, readonly JsonValue[]>>,
  signal: AbortSignal = new AbortController().signal,
): HandlerContext & { readonly uses: Readonly<Record<string, readonly JsonObject[]>> } {
  const left = new Map(Object.entries(capabilities).map(([name, answers]) => [name, [...answers]]));
  const uses: Record<string, JsonObject[]> = {};
  return {
    signal,
    idempotencyKey: 'key-1',
    uses,
    async use(name, args) {
      uses[name] = [...(uses[name] ?? []), args];
      const answer = left.get(name)?.shift();
      if (answer === undefined) throw new Error(`no further answer of ${name}`);
      const failure = failsSchema.safeParse(answer);
      if (failure.success)
        throw Object.assign(new Error(failure.data.fails.message), { code: failure.data.fails.code });
      return answer;
    },
  };
}
