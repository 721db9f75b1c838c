import { z } from 'zod';
import type { Capability } from '../../tooling/capability.ts';
import { deskOf, factJson, type MemoryParts } from './memory-items.ts';

const id = z.string().min(1).max(100);

const reviewSchema = z.union([
  z.strictObject({ list: z.int().min(1).max(50) }),
  z.strictObject({ fact: id }),
  z.strictObject({ settle: z.strictObject({ fact: id, says: z.enum(['verified', 'rejected']) }) }),
]);

/**
 * Facts that wait for a second signature or are disputed, the oldest first: `{ facts, waiting }`, `waiting` being how many there
 * are; one of them by its id; or a person's word on one, which only a maintainer has.
 */
export function memoryReview(parts: MemoryParts): Capability<z.infer<typeof reviewSchema>> {
  return {
    name: 'memory.review',
    args: reviewSchema,
    run: async (args, { call: { caller } }) => {
      const desk = deskOf(parts);
      if ('settle' in args) {
        const { fact, says } = args.settle;
        const settled = await desk.settle(fact, says, caller);
        return { facts: [factJson(settled, caller, parts)], waiting: (await desk.pending()).length };
      }
      const pending = await desk.pending();
      const wanted =
        'fact' in args ? pending.filter((each) => each.id === args.fact) : pending.slice(0, args.list);
      return { facts: wanted.map((fact) => factJson(fact, caller, parts)), waiting: pending.length };
    },
  };
}
