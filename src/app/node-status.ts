import type { PartHealth } from '../runtime/lifecycle.ts';

export type OverallStatus = 'ok' | 'degraded' | 'starting' | 'stopping';

/** What `/healthz` answers. */
export interface NodeStatus {
  readonly status: OverallStatus;
  readonly ready: boolean;
  readonly version: string;
  readonly uptime_s: number;
  readonly parts: readonly PartHealth[];
}

/** One trouble is enough for `degraded`; parts that are off or still starting are not trouble. */
export function overallStatus(
  parts: readonly PartHealth[],
  ready: boolean,
  stopping: boolean,
): OverallStatus {
  if (stopping) return 'stopping';
  if (!ready) return 'starting';
  return parts.some((part) => part.status === 'down' || part.status === 'degraded') ? 'degraded' : 'ok';
}
