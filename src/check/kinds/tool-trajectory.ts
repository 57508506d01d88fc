/** Which tools the agent called, how often and in which order. Names must be the same, as the engine spells them. */
import { isDeepStrictEqual } from 'node:util';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { ExpectedCall, ToolTrajectory } from '../../model/grader.ts';
import { valueAt } from '../../model/value-at.ts';
import { type GraderResult, graded, unknown } from '../check.ts';
import { isPartOf, isPartWithLists } from './json-subset.ts';
import { longestInOrder, mostPairs } from './pairing.ts';

export interface CallEvidence {
  readonly events: readonly AgentEvent[];
  /** The engine tells which tools its agent calls. */
  readonly tellsTools: boolean;
  /** Why events are missing; null: all are there. */
  readonly gap: string | null;
}

interface Call extends Pick<Extract<AgentEvent, { type: 'tool-call' }>, 'tool' | 'input'> {
  /** null: not known. */
  readonly durationMs: number | null;
}

/** Calls of sub-agents are not the agent's own and do not count. */
export function toolTrajectory(trajectory: ToolTrajectory, evidence: CallEvidence): GraderResult {
  if (!evidence.tellsTools) return unknown('this engine does not tell which tools were called');
  const nothing = nothingExpected(trajectory);
  if (nothing) return unknown(`${trajectory.mode} with no tool expected decides nothing`);
  const calls = ownCalls(evidence.events);
  const untimed = trajectory.expected.find(
    ({ tool, maxDurationMs }) =>
      maxDurationMs !== null && calls.some((it) => it.tool === tool && it.durationMs === null),
  );
  if (untimed) return unknown(`how long calls of ${untimed.tool} took is not known`);
  const { hits, misses } = COUNTS[trajectory.mode](trajectory, calls);
  const isWhole = misses.length === 0;
  // More calls can only add to what was found; they may also be the ones that must not be.
  const isSettled = evidence.gap === null || (isWhole && GROWING.has(trajectory.mode));
  if (!isSettled) return unknown(`which tools were called is not known to the end: ${evidence.gap}`);
  const all = hits + misses.length;
  if (isWhole) return graded(1, all === 0 ? 'no tool was called' : `all ${all} tool calls are as expected`);
  const seen = calls.length === 0 ? 'no tool was called' : `called: ${named(calls.map(({ tool }) => tool))}`;
  return graded(hits / all, `${named(misses, '; ')} (${seen})`);
}

function ownCalls(events: readonly AgentEvent[]): Call[] {
  const took = new Map(
    events.flatMap((event) =>
      event.type === 'tool-result' ? ([[event.id, event.durationMs]] as const) : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === 'tool-call' && !event.subAgent
      ? [{ tool: event.tool, input: event.input, durationMs: took.get(event.id) ?? null }]
      : [],
  );
}

interface Count {
  readonly hits: number;
  readonly misses: readonly string[];
}

const GROWING: ReadonlySet<ToolTrajectory['mode']> = new Set(['any-order', 'in-order', 'superset']);

/** `exact` and `subset` without any say that there must be no call at all. */
function nothingExpected({ mode, minimums, expected }: ToolTrajectory): boolean {
  if (mode === 'any-order') return Object.keys(minimums).length === 0;
  return GROWING.has(mode) && expected.length === 0;
}

type Counting = (trajectory: ToolTrajectory, calls: readonly Call[]) => Count;

const COUNTS: Readonly<Record<ToolTrajectory['mode'], Counting>> = {
  'any-order': ({ minimums }, calls) => {
    const missing = Object.entries(minimums).flatMap(([tool, least]) => {
      const count = calls.filter((call) => call.tool === tool).length;
      return count >= least ? [] : [`${tool} was called ${times(count)}, expected at least ${times(least)}`];
    });
    return { hits: Object.keys(minimums).length - missing.length, misses: missing };
  },
  'in-order': ({ expected }, calls) =>
    countOf(expected, longestInOrder(expected, calls, isMet), 'did not come in this order'),
  superset: ({ expected }, calls) => countOf(expected, mostPairs(expected, calls, isMet), 'did not come'),
  exact: ({ expected }, calls) => {
    const length = Math.max(expected.length, calls.length);
    const misses = Array.from({ length }, (_, at) => differenceAt(at, expected[at], calls[at]));
    const real = misses.filter((it) => it !== null);
    return { hits: length - real.length, misses: real };
  },
  subset: ({ expected }, calls) => {
    const misses = calls.filter((call) => !expected.some((it) => isMet(it, call)));
    return {
      hits: calls.length - misses.length,
      misses: misses.map(({ tool }) => `${tool} was called in a way that is not expected`),
    };
  },
};

function countOf(expected: readonly ExpectedCall[], met: ReadonlySet<number>, what: string): Count {
  const misses = expected.flatMap((it, index) =>
    met.has(index) ? [] : [`call ${index + 1} (${shown(it)}) ${what}`],
  );
  return { hits: met.size, misses };
}

function differenceAt(at: number, expected: ExpectedCall | undefined, call: Call | undefined): string | null {
  if (expected && call && isMet(expected, call)) return null;
  const wanted = expected ? shown(expected) : 'no more calls';
  const came = call ? (call.tool === expected?.tool ? otherwise(expected, call) : call.tool) : 'nothing';
  return `call ${at + 1}: expected ${wanted}, got ${came}`;
}

function isMet(expected: ExpectedCall, call: Call): boolean {
  const isInTime = expected.maxDurationMs === null || (call.durationMs ?? 0) <= expected.maxDurationMs;
  return call.tool === expected.tool && isInTime && hasArguments(expected, call);
}

function hasArguments({ args, argsMatch }: ExpectedCall, call: Call): boolean {
  if (args === null || argsMatch === 'ignore') return true;
  if (argsMatch === 'exact') return isDeepStrictEqual(args, call.input);
  if (argsMatch === 'superset') return isPartOf(args, call.input);
  if (argsMatch === 'part') return isPartWithLists(args, call.input);
  if (argsMatch === 'subset') return isPartOf(call.input, args);
  return argsMatch.every((path) => isDeepStrictEqual(valueAt(args, path), valueAt(call.input, path)));
}

function otherwise(expected: ExpectedCall, call: Call): string {
  return hasArguments(expected, call) ? `one that took ${call.durationMs} ms` : 'other arguments';
}

function shown({ tool, args, argsMatch }: ExpectedCall): string {
  if (args === null || argsMatch === 'ignore') return tool;
  const text = JSON.stringify(args);
  return `${tool} ${text.length > 80 ? `${text.slice(0, 77)}…` : text}`;
}

const NAMED = 8;

function named(items: readonly string[], between = ', '): string {
  const more = items.length > NAMED ? `${between}and ${items.length - NAMED} more` : '';
  return `${items.slice(0, NAMED).join(between)}${more}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
