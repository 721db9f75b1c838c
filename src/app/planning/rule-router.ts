import { mayUse } from '../../domain/gate/role.ts';
import type { Meaning } from '../../domain/intent/meaning.ts';
import type { PeopleView } from '../../domain/planning/people-view.ts';
import { routeByRules } from '../../domain/planning/route-by-rules.ts';
import type { Routed } from '../../domain/planning/routed.ts';
import type { RuleFile } from '../../domain/planning/rule-file.ts';
import type { When } from '../../domain/planning/when.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { KnownReading } from '../../domain/plc/reading.ts';
import { partLacking, type SitePart } from '../../domain/tool/site-part.ts';
import type { RouteContext, Router } from '../engine/engine-parts.ts';
import type { FactView } from '../ports/fact-view.ts';
import type { NodeGauge } from '../ports/node-gauge.ts';
import type { PlcReader } from '../ports/plc-reader.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import { READ_DEADLINE_MS } from '../read-value.ts';

interface Parts {
  readonly book: { readonly rules: RuleFile };
  readonly plant: PlantModel;
  readonly reader: PlcReader;
  readonly people: PeopleView;
  readonly node: NodeGauge;
  readonly facts: FactView;
  readonly tools: Pick<ToolRunner, 'contract'>;
  readonly when: (words: string) => When;
  /** What this site has not set up. */
  readonly lacking: ReadonlySet<SitePart>;
}

/** So many times points are read for the conditions of one decision; a rule that goes on asking is given up. */
const MOST_READS = 3;

/** Routes by the rules in force; what their conditions have to know is read live. */
export class RuleRouter implements Router {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async route(meaning: Meaning, asked: RouteContext): Promise<Routed> {
    const read = new Map<string, KnownReading>();
    for (let round = 0; round < MOST_READS; round += 1) {
      const routed = this.#route(meaning, asked, read, false);
      if (routed.kind !== 'undecided' || routed.points.length === 0) return routed;
      const readings = await unlessAborted(
        this.#parts.reader.read(routed.points, READ_DEADLINE_MS, 'answer'),
        asked.fallback,
      );
      if (readings === undefined) break;
      for (const reading of readings) read.set(keyOf(reading.ref), reading);
    }
    return this.#route(meaning, asked, read, true);
  }

  #route(
    meaning: Meaning,
    asked: RouteContext,
    read: ReadonlyMap<string, KnownReading>,
    readsNoMore: boolean,
  ): Routed {
    const { book, people, tools, when, plant, node, facts, lacking } = this.#parts;
    const { caller, actions, understoodBy, slotConfidence } = asked;
    return routeByRules(meaning, book.rules.rules, {
      understoodBy,
      role: caller.role,
      caller,
      slotConfidence,
      chosen: {},
      people,
      when,
      node: node.figures(),
      readsNoMore,
      point: (ref) => read.get(keyOf(ref)),
      fact: (ref) => {
        const found = facts.look(ref);
        if (found.kind === 'unknown') return 'unknown';
        // A fact of value false says that it is not so.
        return found.kind === 'known' && found.value !== false;
      },
      ledger: {
        newest: (names, fits) =>
          actions.findLast((action) => (names.length === 0 || names.includes(action.tool)) && fits(action)),
      },
      risk: (tool) => tools.contract(tool)?.security.risk,
      mayUse: (tool) => {
        const contract = tools.contract(tool);
        return contract !== undefined && mayUse(contract.security.access_level, caller);
      },
      lacks: (tool) => partLacking(tools.contract(tool)?.capabilities ?? [], lacking),
      command: (machine, action) => plant.machine(machine)?.commands.get(action),
    });
  }
}

/** Undefined once the signal is aborted; what the work then comes to is nobody's any more. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function keyOf({ machine, point }: PointRef): string {
  return `${machine}.${point}`;
}
