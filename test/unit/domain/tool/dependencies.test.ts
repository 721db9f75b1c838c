import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortByDependencies } from '../../../../src/domain/tool/dependencies.ts';

const sort = (tools: Readonly<Record<string, readonly string[]>>) =>
  sortByDependencies(new Map(Object.entries(tools)));

describe('sorting tools by what they depend on', () => {
  it('puts every tool after those it needs', () => {
    expect(sort({ report: ['read', 'history'], history: ['read'], read: [] }).order).toEqual([
      'read',
      'history',
      'report',
    ]);
  });

  it('rejects every member of a cycle and nobody else', () => {
    const { order, cycles } = sort({ a: ['b'], b: ['c'], c: ['a'], d: ['a'], e: [] });
    expect(order).toEqual(['d', 'e']);
    expect(cycles.map((members) => members.toSorted())).toEqual([['a', 'b', 'c']]);
  });

  it('takes a tool that depends on itself for a cycle', () => {
    expect(sort({ a: ['a'] })).toMatchObject({ order: [], cycles: [['a']] });
  });

  it('names what does not exist', () => {
    expect([...sort({ a: ['b', 'x'], b: [] }).missing]).toEqual([['a', ['x']]]);
  });

  it('holds for any graph: an order without its cycles, and each cycle reaches itself', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const graph = fc.dictionary(fc.constantFrom(...names), fc.uniqueArray(fc.constantFrom(...names)));
    fc.assert(
      fc.property(graph, (given) => {
        const tools = new Map(Object.entries(given));
        const { order, cycles } = sortByDependencies(tools);
        const refused = new Set(cycles.flat());
        expect([...order, ...refused].toSorted()).toEqual([...tools.keys()].toSorted());
        const reaches = (from: string): Set<string> => {
          const seen = new Set<string>();
          const todo = [...(tools.get(from) ?? [])];
          for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
            if (seen.has(next) || !tools.has(next)) continue;
            seen.add(next);
            todo.push(...(tools.get(next) ?? []));
          }
          return seen;
        };
        for (const tool of tools.keys()) expect(reaches(tool).has(tool)).toBe(refused.has(tool));
        for (const [place, tool] of order.entries())
          for (const need of tools.get(tool) ?? [])
            if (order.includes(need)) expect(order.indexOf(need)).toBeLessThan(place);
      }),
    );
  });
});
