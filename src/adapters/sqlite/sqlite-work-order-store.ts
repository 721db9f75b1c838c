import { z } from 'zod';
import {
  type NewWorkOrder,
  WORK_ORDER_PRIORITIES,
  WORK_ORDER_STATES,
  type WorkOrder,
  type WorkOrderState,
  type WorkOrderStore,
} from '../../app/ports/work-order-store.ts';
import type { Database } from './database.ts';

const rowSchema = z.object({
  number: z.int(),
  key: z.string(),
  machine: z.string().nullable(),
  title: z.string(),
  priority: z.enum(WORK_ORDER_PRIORITIES),
  state: z.enum(WORK_ORDER_STATES),
  remote: z.string().nullable(),
  created_at: z.string(),
  created_by: z.string(),
});

const COLUMNS = 'number, key, machine, title, priority, state, remote, created_at, created_by';

/** Work orders in `state.db`. */
export class SqliteWorkOrderStore implements WorkOrderStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(order: NewWorkOrder): Promise<WorkOrder> {
    const rows = await this.#database.write(async (writer) => {
      await writer.run(
        `INSERT INTO work_order (key, machine, title, priority, state, created_at, created_by)
         VALUES (?, ?, ?, ?, 'waiting', ?, ?) ON CONFLICT (key) DO NOTHING`,
        [order.key, order.machine ?? null, order.title, order.priority, order.createdAt, order.createdBy],
      );
      return writer.all(rowSchema, `SELECT ${COLUMNS} FROM work_order WHERE key = ?`, [order.key]);
    });
    const [row] = rows;
    if (row === undefined) throw new Error('a row that was just written is not there');
    return orderOf(row);
  }

  async find(number: number): Promise<WorkOrder | undefined> {
    const [row] = await this.#database.all(rowSchema, `SELECT ${COLUMNS} FROM work_order WHERE number = ?`, [
      number,
    ]);
    return row === undefined ? undefined : orderOf(row);
  }

  async change(number: number, state: WorkOrderState, remote?: string): Promise<void> {
    await this.#database.write((writer) =>
      writer.run('UPDATE work_order SET state = ?, remote = coalesce(?, remote) WHERE number = ?', [
        state,
        remote ?? null,
        number,
      ]),
    );
  }

  async inState(state: WorkOrderState, limit: number): Promise<readonly WorkOrder[]> {
    const rows = await this.#database.all(
      rowSchema,
      `SELECT ${COLUMNS} FROM work_order WHERE state = ? ORDER BY number LIMIT ?`,
      [state, limit],
    );
    return rows.map(orderOf);
  }
}

function orderOf({ machine, remote, created_at, created_by, ...row }: z.infer<typeof rowSchema>): WorkOrder {
  return {
    ...row,
    machine: machine ?? undefined,
    remote: remote ?? undefined,
    createdAt: created_at,
    createdBy: created_by,
  };
}
