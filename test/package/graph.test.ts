import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycle } from '../../src/package/graph.ts';

function graph(edges: Record<string, string[]>): Map<string, string[]> {
  return new Map(Object.entries(edges));
}

describe('findCycle', () => {
  it('finds a circle wherever it is, and leaves out what only leads to it', () => {
    expect(findCycle(graph({ a: ['b'], b: ['c'], c: ['b'] }))).toEqual(['b', 'c', 'b']);
    expect(findCycle(graph({ a: ['a'] }))).toEqual(['a', 'a']);
    expect(findCycle(graph({ a: ['b', 'c'], b: [], c: ['d'], d: ['a'] }))).toEqual(['a', 'c', 'd', 'a']);
  });

  it('is content with diamonds and with nodes that are not there', () => {
    expect(findCycle(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: ['gone'] }))).toBeNull();
    expect(findCycle(graph({}))).toBeNull();
  });

  it('takes long chains', () => {
    const length = 200_000;
    const chain = new Map(Array.from({ length }, (_, i) => [String(i), [String(i + 1)]]));
    expect(findCycle(chain)).toBeNull();
    expect(findCycle(chain.set(String(length), ['0']))).toHaveLength(length + 2);
  });

  it('finds one exactly when there is one', () => {
    const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    fc.assert(
      fc.property(fc.dictionary(node, fc.array(node, { maxLength: 3 })), (edges) => {
        const cycle = findCycle(graph(edges));
        expect(cycle !== null).toBe(Object.keys(edges).some((start) => reaches(edges, start, start)));
        if (!cycle) return;
        expect(cycle.at(-1)).toBe(cycle[0]);
        for (const [index, from] of cycle.slice(0, -1).entries())
          expect(edges[from]).toContain(cycle[index + 1]);
      }),
    );
  });
});

function reaches(edges: Record<string, string[]>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const queue = [...(edges[from] ?? [])];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node === to) return true;
    if (seen.has(node)) continue;
    seen.add(node);
    queue.push(...(edges[node] ?? []));
  }
  return false;
}
