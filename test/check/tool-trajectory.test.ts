import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longestInOrder, mostPairs } from '../../src/check/kinds/pairing.ts';
import { toolTrajectory } from '../../src/check/kinds/tool-trajectory.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { ExpectedCall, ToolTrajectory } from '../../src/model/grader.ts';
import type { Json } from '../../src/model/tests.ts';

type Called = string | { tool: string; input?: Json; subAgent?: boolean; durationMs?: number };

function events(calls: readonly Called[]): AgentEvent[] {
  return calls.flatMap((it, at): AgentEvent[] => {
    const { tool, input = {}, subAgent = false, durationMs } = typeof it === 'string' ? { tool: it } : it;
    const id = String(at);
    return [
      { type: 'tool-call', id, tool, input, subAgent },
      {
        type: 'tool-result',
        ...{ id, output: '', isError: false },
        ...(durationMs !== undefined && { durationMs }),
      },
    ];
  });
}

const wants = (tool: string, more: Partial<ExpectedCall> = {}): ExpectedCall => ({
  ...{ tool, args: null, argsMatch: 'exact', maxDurationMs: null },
  ...more,
});

function decide(
  mode: ToolTrajectory['mode'],
  wanted: Readonly<Record<string, number>> | readonly (string | ExpectedCall)[],
  calls: readonly Called[],
  more: { tellsTools?: boolean; gap?: string | null } = {},
): string {
  const expected = Array.isArray(wanted)
    ? wanted.map((it: string | ExpectedCall) => (typeof it === 'string' ? wants(it) : it))
    : [];
  const minimums = Array.isArray(wanted) ? {} : (wanted as Record<string, number>);
  const evidence = { events: events(calls), tellsTools: true, gap: null, ...more };
  const { verdict, score, message } = toolTrajectory({ mode, minimums, expected }, evidence);
  return `${verdict} ${score ?? '-'} ${message}`;
}

describe('at least so many calls', () => {
  it('are counted for each tool', () => {
    expect(decide('any-order', { Read: 2, Bash: 1 }, ['Read', 'Bash', 'Read'])).toBe(
      'PASS 1 all 2 tool calls are as expected',
    );
    expect(decide('any-order', { Read: 2, Bash: 1 }, ['Read', 'Bash'])).toBe(
      'FAIL 0.5 Read was called once, expected at least 2 times (called: Read, Bash)',
    );
  });

  it('by their exact names, and by the agent itself', () => {
    expect(decide('any-order', { Read: 1 }, ['read', 'ReadFile'])).toMatch(/^FAIL 0 /);
    expect(decide('any-order', { Read: 1 }, [{ tool: 'Read', subAgent: true }])).toBe(
      'FAIL 0 Read was called 0 times, expected at least once (no tool was called)',
    );
  });
});

describe('an order', () => {
  it('lets other calls come between', () => {
    expect(decide('in-order', ['Read', 'Edit'], ['Bash', 'Read', 'Bash', 'Edit'])).toMatch(/^PASS 1 /);
    expect(decide('in-order', ['Read', 'Edit'], ['Edit', 'Read'])).toBe(
      'FAIL 0.5 call 2 (Edit) did not come in this order (called: Edit, Read)',
    );
  });

  it('is found even where the first call that fits is not the one', () => {
    const reads = (path: string) => wants('Read', { args: { path } });
    const calls = ['b', 'a', 'b'].map((path) => ({ tool: 'Read', input: { path } }));
    expect(decide('in-order', [reads('a'), reads('b')], calls)).toMatch(/^PASS/);
  });

  it('that is exact has no other calls', () => {
    expect(decide('exact', ['Read', 'Edit'], ['Read', 'Edit'])).toMatch(/^PASS 1 /);
    expect(decide('exact', ['Read'], ['Read', 'Edit'])).toBe(
      'FAIL 0.5 call 2: expected no more calls, got Edit (called: Read, Edit)',
    );
    expect(decide('exact', ['Read', 'Edit'], ['Read'])).toMatch(
      /^FAIL 0.5 call 2: expected Edit, got nothing/,
    );
    expect(decide('exact', [], [])).toBe('PASS 1 no tool was called');
    expect(decide('exact', [], ['Read'])).toMatch(/^FAIL 0 /);
  });
});

describe('sets', () => {
  it('need a call of its own for each expected one', () => {
    expect(decide('superset', ['Read', 'Read'], ['Read', 'Bash'])).toMatch(/^FAIL 0.5 /);
    expect(decide('superset', ['Read', 'Read'], ['Read', 'Bash', 'Read'])).toMatch(/^PASS/);
    const picky = wants('Read', { args: { path: 'a' } });
    const calls = [{ tool: 'Read', input: { path: 'a' } }, 'Read'];
    expect(decide('superset', ['Read', picky], calls)).toMatch(/^PASS/);
  });

  it('allow no other call', () => {
    expect(decide('subset', ['Read'], ['Read', 'Read'])).toMatch(/^PASS/);
    expect(decide('subset', ['Read', 'Bash'], ['Read', 'Bash', 'Read'])).toMatch(/^PASS/);
    expect(decide('subset', ['Read'], [])).toBe('PASS 1 no tool was called');
    expect(decide('subset', ['Read'], ['Read', 'Bash', 'Read', 'Read'])).toBe(
      'FAIL 0.75 Bash was called in a way that is not expected (called: Read, Bash, Read, Read)',
    );
  });
});

describe('arguments', () => {
  it.each([
    ['exact', { a: 1 }, { a: 1 }, true],
    ['exact', { a: 1 }, { a: 1, b: 2 }, false],
    ['ignore', { a: 1 }, { b: 2 }, true],
    ['superset', { a: { x: 1 } }, { a: { x: 1, y: 2 }, b: 2 }, true],
    ['superset', { a: 1 }, { b: 2 }, false],
    ['superset', { a: [{ x: 1 }] }, { a: [{ x: 1, y: 2 }] }, true],
    ['part', { a: { x: 1 } }, { a: { x: 1, y: 2 }, b: 2 }, true],
    ['part', { a: [{ x: 1 }] }, { a: [{ x: 1, y: 2 }] }, false],
    ['part', { a: [{ x: 1, y: [2] }] }, { a: [{ y: [2], x: 1 }] }, true],
    ['part', { a: [1] }, { a: [1, 2] }, false],
    ['part', {}, null, false],
    ['subset', { a: 1, b: 2 }, { a: 1 }, true],
    ['subset', { a: 1 }, { a: 1, b: 2 }, false],
    [['a.b[0]'], { a: { b: [7] } }, { a: { b: [7, 8] }, c: 1 }, true],
    [['a.b[0]'], { a: { b: [7] } }, { a: { b: [8] } }, false],
    [['a'], { a: 1 }, {}, false],
    [['a', 'b'], { a: 1, b: 2 }, { a: 1, b: 3 }, false],
    ['part', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
    ['part', { a: 1, b: 2 }, { a: 1 }, false],
  ] as [ExpectedCall['argsMatch'], Json, Json, boolean][])(
    '%j: %j and %j',
    (argsMatch, args, input, isMet) => {
      expect(decide('exact', [wants('T', { args, argsMatch })], [{ tool: 'T', input }])).toMatch(
        isMet ? /^PASS/ : /^FAIL/,
      );
    },
  );
});

describe('times', () => {
  const quick = [wants('Bash', { maxDurationMs: 100 })];

  it('count where they are known', () => {
    expect(decide('exact', quick, [{ tool: 'Bash', durationMs: 100 }])).toMatch(/^PASS/);
    expect(decide('exact', quick, [{ tool: 'Bash', durationMs: 101 }])).toMatch(
      /^FAIL 0 .*got one that took 101 ms/,
    );
  });

  it('that are not known decide nothing', () => {
    expect(decide('exact', quick, ['Bash'])).toBe('SKIP - how long calls of Bash took is not known');
    const timed = { tool: 'Bash', durationMs: 1 };
    expect(decide('superset', quick, [timed, 'Bash'])).toMatch(/^SKIP/);
    expect(decide('superset', quick, [timed, 'Read'])).toMatch(/^PASS/);
    expect(decide('exact', ['Bash'], ['Bash'])).toMatch(/^PASS/);
  });
});

describe('what was not seen', () => {
  it('is not decided by an engine that tells nothing', () => {
    expect(decide('exact', [], [], { tellsTools: false })).toMatch(/^SKIP/);
  });

  it('leaves only what is there already', () => {
    const gap = 'the rest was cut';
    expect(decide('superset', ['Read'], ['Read'], { gap })).toMatch(/^PASS/);
    expect(decide('superset', ['Read'], [], { gap })).toMatch(/^SKIP .*the rest was cut/);
    expect(decide('subset', ['Read'], ['Read'], { gap })).toMatch(/^SKIP/);
    expect(decide('exact', ['Read'], ['Read'], { gap })).toMatch(/^SKIP/);
  });

  it('is nothing to ask for', () => {
    expect(decide('any-order', {}, ['Read'])).toMatch(/^SKIP/);
    expect(decide('in-order', [], ['Read'])).toMatch(/^SKIP/);
  });
});

describe('pairs', () => {
  const isMet = (wanted: readonly number[], item: number) => wanted.includes(item);
  const someWanted = fc.array(fc.subarray([0, 1, 2, 3]), { maxLength: 4 });
  const someItems = fc.array(fc.nat(3), { maxLength: 5 });

  /** By trying everything. */
  function best(wanted: readonly number[][], items: readonly number[], inOrder: boolean): number {
    const [first, ...rest] = wanted;
    if (!first) return 0;
    const taking = items.flatMap((item, at) =>
      isMet(first, item)
        ? [1 + best(rest, items.slice(at + 1).concat(inOrder ? [] : items.slice(0, at)), inOrder)]
        : [],
    );
    return Math.max(best(rest, items, inOrder), ...taking);
  }

  it('leave nobody out who could have another item, nor wait for what never comes', () => {
    expect([...mostPairs([[0], [0, 1]], [0, 1], isMet)].sort()).toEqual([0, 1]);
    expect([...longestInOrder([[], [1]], [1, 0, 0], isMet)]).toEqual([1]);
  });

  it('are as many as there can be', () => {
    fc.assert(
      fc.property(someWanted, someItems, (wanted, items) => {
        expect(longestInOrder(wanted, items, isMet).size).toBe(best(wanted, items, true));
        expect(mostPairs(wanted, items, isMet).size).toBe(best(wanted, items, false));
      }),
    );
  });
});
