import type { ToolRunner, ToolState } from '../app/ports/tool-runner.ts';
import type { JsonObject } from '../domain/json.ts';
import { declarationOf } from '../domain/tool/json-schema-of.ts';
import type { ToolErrorCode } from '../domain/tool/tool-call.ts';
import type { ToolFigures } from './tool-figures.ts';
import type { ToolRegistry } from './tool-registry.ts';

/** A tool as `hermes-edge tools` shows it. */
export interface ToolSummary {
  readonly name: string;
  readonly origin: 'shipped' | 'site';
  readonly folder: string;
  readonly state: ToolState;
  readonly faults: readonly string[];
  readonly version?: number;
  readonly use_when?: { readonly en: string; readonly zh: string };
  readonly access_level?: string;
  readonly risk?: string;
  readonly data_scope?: readonly string[];
  readonly max_execution_time_ms?: number;
  readonly depends_on?: readonly string[];
  readonly fallback_tool?: string;
  readonly compensation?: string;
  readonly parameters?: JsonObject;
  readonly response?: JsonObject;
  readonly calls: number;
  readonly failures: Readonly<Partial<Record<ToolErrorCode, number>>>;
  readonly p95_ms?: number;
  /** What the limit should be by what was measured. */
  readonly measured_limit_ms?: number;
}

export function toolSummaries(
  registry: ToolRegistry,
  runner: ToolRunner,
  figures: ToolFigures,
): readonly ToolSummary[] {
  return registry.all().map(({ name, origin, folder, state, faults, contract }) => {
    const { calls, failures, p95Ms, limitMs } = figures.of(name);
    const declaration = contract === undefined ? undefined : declarationOf(contract, 'en');
    return {
      name,
      origin,
      folder,
      state: state === 'READY' ? (runner.state(name) ?? state) : state,
      faults,
      ...(contract === undefined || declaration === undefined
        ? {}
        : {
            version: contract.version,
            use_when: contract.use_when,
            access_level: contract.security.access_level,
            risk: contract.security.risk,
            data_scope: contract.security.data_scope,
            max_execution_time_ms: contract.sla.max_execution_time_ms,
            depends_on: contract.depends_on,
            ...(contract.fallback_tool === undefined ? {} : { fallback_tool: contract.fallback_tool }),
            ...(contract.compensation === undefined ? {} : { compensation: contract.compensation }),
            parameters: declaration.inputSchema,
            response: declaration.outputSchema,
          }),
      calls,
      failures,
      ...(p95Ms === undefined ? {} : { p95_ms: Math.round(p95Ms) }),
      ...(limitMs === undefined ? {} : { measured_limit_ms: limitMs }),
    };
  });
}
