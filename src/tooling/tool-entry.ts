import { contractFaults, relationFaults } from '../domain/tool/check-contract.ts';
import { sortByDependencies } from '../domain/tool/dependencies.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import type { FoundPack } from './pack-source-port.ts';

/** TESTING until its test cases have been run; UNHEALTHY tools are not routed to. */
export type LoadState = 'READY' | 'TESTING' | 'UNHEALTHY';

type Content = Extract<FoundPack['content'], { ok: true }>;

/** A pack in the registry. */
export interface Entry {
  readonly found: FoundPack;
  readonly content: Content | undefined;
  state: LoadState;
  faults: readonly string[];
  /** Resolves when it is no longer TESTING. */
  readonly tested: Promise<void>;
  readonly settle: () => void;
}

/** A contract or its tests contradict themselves: one `file:line:column key: fault` a line. */
export function toolValidationError(faults: readonly string[]): EdgeError {
  return new EdgeError('TOOL_VALIDATION', faults.join('\n'), { hint: 'correct the lines above' });
}

export function entryOf(found: FoundPack): Entry {
  const { content } = found;
  let settle: () => void = () => undefined;
  const tested = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const entry: Entry = {
    found,
    content: content.ok ? content : undefined,
    state: 'TESTING',
    faults: [],
    tested,
    settle,
  };
  const faults = content.ok ? ownFaults(found.name, content) : content.faults;
  if (faults.length > 0) refuse(entry, faults);
  return entry;
}

/** Everything that one pack says wrongly by itself. */
export function ownFaults(folderName: string, { pack: { contract }, placeOf }: Content): readonly string[] {
  const misnamed =
    contract.name === folderName
      ? []
      : [`${placeOf(['name'])} name: the folder is called "${folderName}": give both one name`];
  return [...misnamed, ...placed(contractFaults(contract), placeOf)];
}

function placed(faults: ReturnType<typeof contractFaults>, placeOf: Content['placeOf']): readonly string[] {
  return faults.map(({ path, message }) => `${placeOf(path)} ${path.join('.')}: ${message}`);
}

/** Takes a tool out of use. */
export function refuse(entry: Entry, faults: readonly string[]): void {
  entry.state = 'UNHEALTHY';
  entry.faults = [...entry.faults, ...faults];
  entry.settle();
}

/** Refuses what does not fit among the others. */
export function refuseByRelation(entries: ReadonlyMap<string, Entry>): void {
  const usable = [...entries].flatMap(([name, { state, content }]) =>
    state === 'UNHEALTHY' || content === undefined ? [] : [[name, content] as const],
  );
  const contracts = new Map(
    [...entries].flatMap(([name, { content }]) =>
      content === undefined ? [] : [[name, content.pack.contract] as const],
    ),
  );
  for (const [name, { pack, placeOf }] of usable) {
    const faults = placed(relationFaults(pack.contract, contracts), placeOf);
    const entry = entries.get(name);
    if (faults.length > 0 && entry !== undefined) refuse(entry, faults);
  }
  const needs = new Map(usable.map(([name, { pack }]) => [name, pack.contract.depends_on]));
  for (const cycle of sortByDependencies(needs).cycles) {
    const ring = [...cycle, cycle[0]].join(' -> ');
    for (const name of cycle) {
      const entry = entries.get(name);
      const place = entry?.content?.placeOf(['depends_on']) ?? name;
      if (entry !== undefined)
        refuse(entry, [`${place} depends_on: CycleDetected: ${ring} depend on each other`]);
    }
  }
  refuseDependents(entries, () => undefined);
}

/** A tool without the tools that it calls is refused too, and so on. */
export function refuseDependents(entries: ReadonlyMap<string, Entry>, told: (entry: Entry) => void): void {
  for (;;) {
    const refused = [...entries.values()].filter((entry) => {
      if (entry.state === 'UNHEALTHY' || entry.content === undefined) return false;
      const { pack, placeOf } = entry.content;
      const lost = pack.contract.depends_on.filter((need) => {
        const other = entries.get(need);
        return other === undefined || other.state === 'UNHEALTHY';
      });
      if (lost.length === 0) return false;
      const why = lost.map((need) =>
        entries.has(need) ? `"${need}" is UNHEALTHY` : `there is no tool "${need}"`,
      );
      refuse(entry, [`${placeOf(['depends_on'])} depends_on: ${why.join(', ')}`]);
      told(entry);
      return true;
    });
    if (refused.length === 0) return;
  }
}
