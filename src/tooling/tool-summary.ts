import type { ToolRunner, ToolState } from '../app/ports/tool-runner.ts';
import type { JsonObject } from '../domain/json.ts';
import { declarationOf } from '../domain/tool/json-schema-of.ts';
import { KEY_OF_PART, partLacking, type SitePart } from '../domain/tool/site-part.ts';
import type { ToolErrorCode } from '../domain/tool/tool-call.ts';
import type { LoadState } from './tool-entry.ts';
import type { ToolFigures } from './tool-figures.ts';
import type { ToolRegistry } from './tool-registry.ts';

/** A tool as `hermes-edge tools` shows it. */
export interface ToolSummary {
  readonly name: string;
  readonly origin: 'shipped' | 'site';
  readonly folder: string;
  /** NOT_SET_UP: sound, and refused because the site has not set up what it cannot do without. */
  readonly state: ToolState | 'NOT_SET_UP';
  readonly not_set_up?: { readonly part: SitePart; readonly key: string };
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
  lacking: ReadonlySet<SitePart>,
): readonly ToolSummary[] {
  return registry.all().map(({ name, origin, folder, state, faults, contract }) => {
    const { calls, failures, p95Ms, limitMs } = figures.of(name);
    const part = partLacking(contract?.capabilities ?? [], lacking);
    const declaration = contract === undefined ? undefined : declarationOf(contract, 'en');
    return {
      name,
      origin,
      folder,
      state: stateOf(state, part, runner.state(name)),
      ...(part === undefined ? {} : { not_set_up: { part, key: KEY_OF_PART[part] } }),
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

function stateOf(
  loaded: LoadState,
  lacks: SitePart | undefined,
  running: ToolState | undefined,
): ToolSummary['state'] {
  if (loaded !== 'READY') return loaded;
  return lacks === undefined ? (running ?? loaded) : 'NOT_SET_UP';
}
