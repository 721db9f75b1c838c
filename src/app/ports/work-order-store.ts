export const WORK_ORDER_PRIORITIES = ['low', 'normal', 'high'] as const;
export type WorkOrderPriority = (typeof WORK_ORDER_PRIORITIES)[number];

/**
 * `waiting` the far side does not know it yet; `open` it does; `closed` it was told that the work is done; `refused` it will
 * not take it; `expired` it could not be told in time.
 */
export const WORK_ORDER_STATES = ['waiting', 'open', 'closed', 'refused', 'expired'] as const;
export type WorkOrderState = (typeof WORK_ORDER_STATES)[number];

export interface NewWorkOrder {
  /** Equal for repeats of one intent: the order of the first time is then given. */
  readonly key: string;
  readonly machine: string | undefined;
  readonly title: string;
  readonly priority: WorkOrderPriority;
  /** ISO 8601, wall clock. */
  readonly createdAt: string;
  readonly createdBy: string;
}

export interface WorkOrder extends NewWorkOrder {
  /** 1, 2, 3, … of this node: what people call it by, also before the far side has heard of it. */
  readonly number: number;
  readonly state: WorkOrderState;
  /** What the far side calls it. */
  readonly remote: string | undefined;
}

/** The work orders of this node. Rejects with the EdgeErrors of its database. */
export interface WorkOrderStore {
  add(order: NewWorkOrder): Promise<WorkOrder>;
  find(number: number): Promise<WorkOrder | undefined>;
  change(number: number, state: WorkOrderState, remote?: string): Promise<void>;
  /** Of one state, the oldest first. */
  inState(state: WorkOrderState, limit: number): Promise<readonly WorkOrder[]>;
}
