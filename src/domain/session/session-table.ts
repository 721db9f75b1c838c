import type { Edge } from './session-edge.ts';
import { CONFIRMING_EDGES } from './table/confirming-edges.ts';
import { EXECUTING_EDGES } from './table/executing-edges.ts';
import { RESTING_EDGES } from './table/resting-edges.ts';
import { ROUTING_EDGES } from './table/routing-edges.ts';

/** Every transition of a session. Of several with the same state and trigger the first is taken that does not refuse. */
export const SESSION_TABLE: readonly Edge[] = [
  ...RESTING_EDGES,
  ...ROUTING_EDGES,
  ...EXECUTING_EDGES,
  ...CONFIRMING_EDGES,
];
