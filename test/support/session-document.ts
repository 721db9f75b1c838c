import type { DeadlineId } from '../../src/domain/session/session-deadlines.ts';
import type { Edge, Trigger } from '../../src/domain/session/session-edge.ts';
import { SESSION_LIMITS_MS } from '../../src/domain/session/session-limits.ts';
import { SESSION_STATES } from '../../src/domain/session/session-state.ts';
import { tableOf } from './markdown-table.ts';

const LIMITS: Readonly<Partial<Record<string, number>>> = SESSION_LIMITS_MS;

/** What leads from state to state, as a diagram. */
export function mermaidOf(table: readonly Edge[]): string {
  const lines = table.flatMap((edge) =>
    edge.to === undefined ? [] : edge.from.map((from) => `  ${from} --> ${edge.to} : ${labelOf(edge)}`),
  );
  return ['stateDiagram-v2', '  [*] --> IDLE', ...lines].join('\n');
}

/** The page about the machine, all of it from the table. */
export function sessionDocument(table: readonly Edge[]): string {
  const inside = table.filter(({ to }) => to === undefined);
  return `# The states of a session

This page is generated from the machine's table: \`UPDATE_DOCS=1 npx vitest run --project unit session-document\`.

After the colon stands what leads on, in brackets under which condition, after the slash how the turn ends. Of several lines
for the same state and event the first applies whose condition holds.

\`\`\`mermaid
${mermaidOf(table)}
\`\`\`

## What a state takes without being left

${tableOf(
  ['state', 'event', 'condition', 'ends'],
  inside.map((edge) => [from(edge), nameOf(edge.on), edge.when ?? '', endOf(edge)]),
)}

## Limits

${tableOf(
  ['limit', 'ms'],
  Object.entries(SESSION_LIMITS_MS).map(([name, ms]) => [name, String(ms)]),
)}

The lifespan of a task is base × 0.8^calls × 1.5^pending confirmations, 60,000 to 600,000 ms; it stands still in CONFIRMING.
`;
}

function labelOf(edge: Edge): string {
  const when = edge.when === undefined ? '' : ` [${edge.when}]`;
  const end = endOf(edge);
  return `${nameOf(edge.on)}${when}${end === '' ? '' : ` / ${end}`}`;
}

function endOf({ ends }: Edge): string {
  if (ends === undefined) return '';
  return ends.whose === undefined ? ends.outcome : `${ends.whose} ${ends.outcome}`;
}

function from(edge: Edge): string {
  return edge.from.length === SESSION_STATES.length ? 'every state' : edge.from.join(', ');
}

function nameOf(on: Trigger): string {
  if (!isDeadline(on)) return on;
  const id = on.slice('after:'.length);
  const ms = LIMITS[id];
  return ms === undefined ? `${id} over` : `${id} over, ${ms} ms`;
}

function isDeadline(on: Trigger): on is `after:${DeadlineId}` {
  return on.startsWith('after:');
}
