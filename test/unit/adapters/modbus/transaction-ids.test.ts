import { describe, expect, it } from 'vitest';
import { TransactionIds } from '../../../../src/adapters/modbus/transaction-ids.ts';

describe('transaction ids', () => {
  it('are 1 to 65535, and none comes again within 4,096 others', () => {
    const ids = new TransactionIds();
    const lastDrawn = new Map<number, number>();
    let nearest = Number.POSITIVE_INFINITY;
    for (let draw = 0; draw < 200_000; draw += 1) {
      const id = ids.next();
      if (id < 1 || id > 0xffff) throw new Error(`id ${id}`);
      nearest = Math.min(nearest, draw - (lastDrawn.get(id) ?? Number.NEGATIVE_INFINITY));
      lastDrawn.set(id, draw);
    }
    expect(nearest).toBeGreaterThan(4_096);
    expect(lastDrawn.size).toBeGreaterThan(60_000);
  });
});
