import { LANGUAGES } from '../../domain/language/language.ts';
import type { SystemValue } from '../../domain/memory/verification.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { WorkOrder, WorkOrderPriority, WorkOrderState } from '../ports/work-order-store.ts';

const STATES: Readonly<Record<WorkOrderState, readonly string[]>> = {
  waiting: ['waiting', 'open', '等待', '未完成', '打开'],
  open: ['open', '未完成', '打开'],
  closed: ['closed', 'done', 'finished', 'completed', '关闭', '已关闭', '完成', '已完成'],
  refused: ['refused', 'rejected', '拒绝', '被拒绝'],
  expired: ['expired', '过期', '已过期'],
};
const PRIORITIES: Readonly<Record<WorkOrderPriority, readonly string[]>> = {
  low: ['low', '低'],
  normal: ['normal', 'medium', '普通', '正常'],
  high: ['high', 'urgent', '高', '紧急'],
};

/** As the box counts its orders; undefined for a name that only the far side knows. */
export function orderNumber(id: string): number | undefined {
  return /^[1-9]\d{0,8}$/u.test(id) ? Number(id) : undefined;
}

/**
 * What the box knows of an order, as facts are compared with it; undefined for what it does not. The far side may have closed
 * an order without a word: that one which is open here is closed is not denied. Nor is a title in other words.
 */
export function saidByOrder(order: WorkOrder, predicate: string, plant: PlantModel): SystemValue | undefined {
  switch (predicate) {
    case 'state': {
      const isOpen = order.state === 'open' || order.state === 'waiting';
      const other = isOpen ? without(STATES, 'closed') : STATES;
      return { value: order.state, words: wordsOf(other, order.state), tolerance: 0 };
    }
    case 'priority':
      return { value: order.priority, words: wordsOf(PRIORITIES, order.priority), tolerance: 0 };
    case 'title':
      return { value: order.title, words: { present: [], others: [] }, tolerance: 0 };
    case 'machine': {
      if (order.machine === undefined) return undefined;
      const names = new Map(
        plant
          .machineList()
          .map(({ value, spoken }) => [value, [value, ...LANGUAGES.flatMap((language) => spoken[language])]]),
      );
      return { value: order.machine, words: wordsOf(Object.fromEntries(names), order.machine), tolerance: 0 };
    }
    default:
      return undefined;
  }
}

function wordsOf(
  all: Readonly<Record<string, readonly string[]>>,
  now: string,
): { readonly present: readonly string[]; readonly others: readonly string[] } {
  const present = all[now] ?? [now];
  const others = Object.entries(all).flatMap(([each, words]) => (each === now ? [] : words));
  return { present, others: others.filter((word) => !present.includes(word)) };
}

function without<T>(all: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([each]) => each !== key));
}
