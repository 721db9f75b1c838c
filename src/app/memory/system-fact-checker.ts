import { checkedPoint, saidByPoint, withKnownUnit } from '../../domain/memory/checked-point.ts';
import type { Fact } from '../../domain/memory/fact.ts';
import { answerOf, type CheckAnswer, checkPlanOf } from '../../domain/memory/verification.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { Clocks } from '../../runtime/clocks.ts';
import type { FactChecker } from '../ports/fact-checker.ts';
import type { PlcReader } from '../ports/plc-reader.ts';
import type { WorkOrderStore } from '../ports/work-order-store.ts';
import { orderNumber, saidByOrder } from './checked-order.ts';

interface Parts {
  readonly plant: PlantModel;
  readonly reader: PlcReader;
  readonly orders: Pick<WorkOrderStore, 'find'>;
  readonly clocks: Pick<Clocks, 'monotonicMs' | 'wall'>;
}

/** Nobody waits for it: what people ask for goes first. */
const READ_WITHIN_MS = 5000;

/** Asks PLCs live, and the work orders of this node. */
export class SystemFactChecker implements FactChecker {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async check(fact: Fact, signal: AbortSignal): Promise<CheckAnswer> {
    if (signal.aborted) return 'unknown';
    const plan = checkPlanOf(fact, this.#parts.clocks.wall().getTime());
    switch (plan.by) {
      case 'person':
        return 'unknown';
      case 'work_orders': {
        const number = orderNumber(plan.order);
        const order = number === undefined ? undefined : await this.#parts.orders.find(number);
        return answerOf(fact, order && saidByOrder(order, fact.predicate, this.#parts.plant));
      }
      case 'plc': {
        const point = checkedPoint(this.#parts.plant, plan);
        if (point === undefined) return 'unknown';
        const { reader, plant, clocks } = this.#parts;
        const [reading] = await reader.read([point.ref], READ_WITHIN_MS, 'poll');
        if (signal.aborted || reading?.quality !== 'good') return 'unknown';
        const staleAfterMs = plant.device(point.device)?.staleAfterMs ?? 0;
        if (clocks.monotonicMs() - reading.atMs > staleAfterMs) return 'unknown';
        const claimed = withKnownUnit(fact);
        return answerOf(claimed, saidByPoint(point, reading.value, claimed));
      }
    }
  }
}
