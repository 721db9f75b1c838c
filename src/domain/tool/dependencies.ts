/** What has to be there before what. */
export interface DependencyOrder {
  /** Every tool after those that it depends on; alphabetical where the order is free. */
  readonly order: readonly string[];
  /** Each ring of tools that wait for each other, in the order in which they do; every member is refused. */
  readonly cycles: readonly (readonly string[])[];
  /** By tool: the dependencies that no tool has the name of. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/** Sorts tools by what they depend on (Tarjan 1972, strongly connected components: each comes out after those it reaches). */
export function sortByDependencies(tools: ReadonlyMap<string, readonly string[]>): DependencyOrder {
  const order: string[] = [];
  const cycles: (readonly string[])[] = [];
  const indexes = new Map<string, { readonly index: number; low: number }>();
  const stack: string[] = [];

  const visit = (tool: string): { low: number } => {
    const mark = { index: indexes.size, low: indexes.size };
    indexes.set(tool, mark);
    stack.push(tool);
    for (const next of dependenciesOf(tools, tool)) {
      const seen = indexes.get(next);
      if (seen === undefined) mark.low = Math.min(mark.low, visit(next).low);
      else if (stack.includes(next)) mark.low = Math.min(mark.low, seen.index);
    }
    if (mark.low !== mark.index) return mark;
    const members = stack.splice(stack.indexOf(tool));
    if (members.length > 1 || dependenciesOf(tools, tool).includes(tool)) cycles.push(members);
    else order.push(tool);
    return mark;
  };

  for (const tool of [...tools.keys()].toSorted()) if (!indexes.has(tool)) visit(tool);
  const missing = new Map<string, readonly string[]>();
  for (const [tool, needs] of tools) {
    const unknown = needs.filter((need) => !tools.has(need));
    if (unknown.length > 0) missing.set(tool, unknown);
  }
  return { order, cycles, missing };
}

function dependenciesOf(tools: ReadonlyMap<string, readonly string[]>, tool: string): readonly string[] {
  return (tools.get(tool) ?? []).filter((need) => tools.has(need)).toSorted();
}
