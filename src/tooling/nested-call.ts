import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ToolRunner } from '../app/ports/tool-runner.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { type JsonObject, jsonObjectSchema } from '../domain/json.ts';
import type { Clocks } from '../runtime/clocks.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { didYouMean } from '../runtime/nearest.ts';
import type { Capability } from './capability.ts';

const argsSchema = z.strictObject({ tool: z.string().max(64), args: jsonObjectSchema.default({}) });

interface Parts {
  readonly runner: () => ToolRunner;
  readonly clocks: Clocks;
}

/**
 * The capability `tools.call`: a tool uses another that it declares under `depends_on`. The call is made for whoever asked the
 * outer one, without the consent that was given to it. Answers `{ result, degraded_by? }`; rejects with the code of the failure.
 */
export function nestedCallCapability(parts: Parts): Capability<z.infer<typeof argsSchema>> {
  return {
    name: 'tools.call',
    args: argsSchema,
    async run({ tool, args }, { call, signal }) {
      const runner = parts.runner();
      const declared = runner.contract(call.tool)?.depends_on ?? [];
      if (!declared.includes(tool))
        throw new EdgeError('DENIED', `${call.tool} does not declare "${tool}" under depends_on`, {
          hint: didYouMean(tool, declared).trim() || 'declare it in tool.yaml',
        });
      const outcome = await runner.call(
        {
          callId: `${parts.clocks.bootId}-${parts.clocks.nextSeq()}`,
          tool,
          args,
          caller: call.caller,
          path: [...call.path, call.tool],
          idempotencyKey: keyWithin(call.idempotencyKey, tool, args),
          consent: undefined,
        },
        signal,
      );
      if (outcome.status === 'ok')
        return {
          result: outcome.result,
          ...(outcome.degradedBy === undefined ? {} : { degraded_by: outcome.degradedBy }),
        };
      const { code, message, hint } = outcome.error;
      throw new EdgeError(code, `${tool}: ${message}`, {
        retry: code === 'OUTCOME_UNKNOWN' ? 'unknown-outcome' : 'never',
        ...(hint === undefined ? {} : { hint }),
      });
    },
  };
}

/** Equal when the outer call is repeated, different for different calls within it. */
function keyWithin(outer: string, tool: string, args: JsonObject): string {
  return createHash('sha256')
    .update(canonicalJson([outer, tool, args]))
    .digest('hex')
    .slice(0, 32);
}
