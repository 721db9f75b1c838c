import type { CapabilityName } from './tool-contract.ts';

/** Parts that a site may do without, by what a tool cannot do without them. */
export const SITE_PARTS = ['mail', 'work_orders', 'history', 'plc_logs', 'http_tools'] as const;
export type SitePart = (typeof SITE_PARTS)[number];

/** The key of the configuration, or of the plant file, that sets a part up. */
export const KEY_OF_PART: Readonly<Record<SitePart, string>> = {
  mail: 'mail',
  work_orders: 'work_orders',
  history: 'history.enabled',
  plc_logs: 'logs',
  http_tools: 'http_tools.allowed_hosts',
};

const PART_OF: Readonly<Partial<Record<CapabilityName, SitePart>>> = {
  'mail.send': 'mail',
  'work_orders.create': 'work_orders',
  'work_orders.close': 'work_orders',
  'history.over': 'history',
  'plclog.records': 'plc_logs',
  'http.request': 'http_tools',
};

/** A tool that has one of these is there for it: without it nothing of the tool is left. */
const ACTS_BY: readonly CapabilityName[] = ['mail.send', 'work_orders.create', 'work_orders.close'];

/** Something that cannot be done at this site: the tool, and the part that is not set up. */
export interface NotSetUp {
  readonly tool: string;
  readonly part: SitePart;
}

/**
 * The part without which a tool can do nothing, undefined when it can do something: one that it acts by, or the first of
 * those that all of its capabilities belong to. A tool that merely looks further with a part does with what there is.
 */
export function partLacking(
  capabilities: readonly CapabilityName[],
  lacking: ReadonlySet<SitePart>,
): SitePart | undefined {
  const missing = (capability: CapabilityName): SitePart | undefined => {
    const part = PART_OF[capability];
    return part !== undefined && lacking.has(part) ? part : undefined;
  };
  const acting = capabilities.filter((capability) => ACTS_BY.includes(capability)).find(missing);
  if (acting !== undefined) return missing(acting);
  const [first] = capabilities;
  return first !== undefined && capabilities.every((capability) => missing(capability) !== undefined)
    ? missing(first)
    : undefined;
}
