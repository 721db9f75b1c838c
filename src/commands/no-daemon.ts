import type { FoundDaemon } from '../composition/plant-watch.ts';
import { EdgeError } from '../runtime/edge-error.ts';

/** No daemon answers; `otherwise` is what else can be done. Without any configuration its place may just not be known. */
export function noDaemon(found: FoundDaemon | undefined, otherwise?: string): EdgeError {
  if (found === undefined)
    return new EdgeError('NO_DAEMON', 'no demo is running, and the configuration of a daemon is not known', {
      hint: hintOf('give --config FILE or set HERMES_EDGE_CONFIG', otherwise),
    });
  return new EdgeError('NO_DAEMON', `no daemon is running on ${found.site.config.state_dir}`, {
    hint: hintOf(
      'start it with hermes-edge run; for another one, give --config FILE or set HERMES_EDGE_CONFIG',
      otherwise,
    ),
  });
}

function hintOf(first: string, otherwise: string | undefined): string {
  return otherwise === undefined ? first : `${first}; or ${otherwise}`;
}
