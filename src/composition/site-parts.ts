import type { Config } from '../config/config-schema.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import { SITE_PARTS, type SitePart } from '../domain/tool/site-part.ts';

/** What this site has not set up. A part that is set up and out of order is none of it. */
export function partsLacking(
  config: Pick<Config, 'mail' | 'work_orders' | 'history' | 'http_tools'>,
  plant: Pick<PlantModel, 'logs'>,
): ReadonlySet<SitePart> {
  const isSetUp: Readonly<Record<SitePart, boolean>> = {
    mail: config.mail !== undefined,
    work_orders: config.work_orders !== undefined,
    history: config.history.enabled,
    plc_logs: plant.logs().length > 0,
    http_tools: config.http_tools.allowed_hosts.length > 0,
  };
  return new Set(SITE_PARTS.filter((part) => !isSetUp[part]));
}
