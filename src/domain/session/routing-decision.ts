/** What was decided about a turn before anything was done, in the names of rules and tools alone. */
export interface RoutingDecision {
  /** The id of the rule, or `model`. */
  readonly by: string;
  /** `plan`, or what else came of it: `ask`, `denied`, `lacks`. */
  readonly kind: string;
  /** In the order of the plan. */
  readonly tools: readonly string[];
}

const LONGEST = 200;

/** A decision as a line of the main window, at most 200 characters. */
export function routingText({ by, kind, tools }: RoutingDecision): string {
  return `route ${by}: ${[kind, tools.join(', ')].filter((part) => part !== '').join(' ')}`.slice(0, LONGEST);
}
