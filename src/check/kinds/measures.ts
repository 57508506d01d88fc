/** What a trial took, against what it may take. What was not measured is neither within a limit nor beyond it. */
import type { AgentEvent } from '../../model/agent-event.ts';
import type { ExecutionMetrics, GraderOptions } from '../../model/grader.ts';
import type { Usage } from '../../model/usage.ts';
import { type GraderResult, graded, unknown } from '../check.ts';
import { explorationBounds } from './exploration.ts';

export interface Measured {
  readonly events: readonly AgentEvent[];
  readonly tellsTools: boolean;
  readonly gap: string | null;
  /** Of the agent, without what it waited for rate limits; null: the time says nothing, because answers came from a tape. */
  readonly durationMs: number | null;
  /** null: nobody told. */
  readonly costUsd: number | null;
  /** null: the agent brings its own model and tells nothing of it. */
  readonly usage: Usage | null;
}

export function latency({ maxMs }: GraderOptions['latency'], it: Measured): GraderResult {
  return conclude([duration(maxMs, it)]);
}

export function cost({ maxUsd }: GraderOptions['cost'], it: Measured): GraderResult {
  return conclude([costOf(maxUsd, it)]);
}

/** Cached tokens count like others: whether a cache was warm must not decide a case. */
export function tokenUsage(
  { maxTotal, maxInput, maxOutput }: GraderOptions['token-usage'],
  it: Measured,
): GraderResult {
  return conclude([
    ...limit(maxTotal, (most) =>
      tokens('tokens in all', most, it, (usage) => inputOf(usage) + usage.outputTokens),
    ),
    ...limit(maxInput, (most) => tokens('tokens of input', most, it, inputOf)),
    ...limit(maxOutput, (most) => tokens('tokens of output', most, it, (usage) => usage.outputTokens)),
  ]);
}

export function executionMetrics(limits: ExecutionMetrics, it: Measured): GraderResult {
  const { targetExplorationRatio: target, explorationTolerance: tolerance } = limits;
  return conclude([
    ...limit(limits.maxToolCalls, (most) => toolCalls(most, it)),
    ...limit(limits.maxModelCalls, (most) => modelRequests(most, it)),
    ...limit(limits.maxTokens, (most) =>
      tokens('tokens in all', most, it, (usage) => inputOf(usage) + usage.outputTokens),
    ),
    ...limit(limits.maxCostUsd, (most) => costOf(most, it)),
    ...limit(limits.maxDurationMs, (most) => duration(most, it)),
    ...limit(target, (wanted) => exploration(wanted, tolerance, it)),
  ]);
}

/** null: it cannot be told. */
interface Finding {
  readonly holds: boolean | null;
  readonly words: string;
}

function limit(value: number | null, find: (value: number) => Finding): Finding[] {
  return value === null ? [] : [find(value)];
}

function conclude(findings: readonly Finding[]): GraderResult {
  if (findings.length === 0) return unknown('no limit is given');
  const open = findings.filter(({ holds }) => holds === null);
  if (open.length > 0) return unknown(open.map(({ words }) => words).join('; '));
  const beyond = findings.filter(({ holds }) => holds === false);
  const told = beyond.length > 0 ? beyond : findings;
  return graded(1 - beyond.length / findings.length, told.map(({ words }) => words).join('; '));
}

function within(value: number, most: number, words: (value: number) => string): Finding {
  const holds = value <= most;
  return { holds, words: `${words(value)}, ${holds ? 'within' : 'more than'} ${words(most)}` };
}

function duration(most: number, { durationMs }: Measured): Finding {
  if (durationMs === null)
    return { holds: null, words: 'the answers of the model came from a tape, so the time says nothing' };
  return within(Math.round(durationMs), most, (ms) => `${ms} ms`);
}

function costOf(most: number, { costUsd }: Measured): Finding {
  if (costUsd === null)
    return { holds: null, words: 'what it cost is not known (give "prices" in evals/eval-config.json)' };
  return within(costUsd, most, (usd) => `$${Number(usd.toFixed(6))}`);
}

function tokens(what: string, most: number, { usage }: Measured, of: (usage: Usage) => number): Finding {
  if (usage === null) return { holds: null, words: `${what} are not known: the agent brings its own model` };
  return within(of(usage), most, (count) => `${count} ${what}`);
}

/** An agent with a model of its own may tell its tokens, but no requests. */
function modelRequests(most: number, { usage }: Measured): Finding {
  if (usage === null || usage.requests === 0)
    return { holds: null, words: 'how often the model was asked is not known' };
  return within(usage.requests, most, (count) => `${count} model requests`);
}

function inputOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}

const UNTOLD: Finding = { holds: null, words: 'this engine does not tell which tools were called' };

/** Those of sub-agents too: they are work like any other. */
function toolCalls(most: number, { events, tellsTools, gap }: Measured): Finding {
  if (!tellsTools) return UNTOLD;
  const count = events.filter(({ type }) => type === 'tool-call').length;
  if (gap !== null && count <= most) return { holds: null, words: `not all tool calls are known: ${gap}` };
  return within(count, most, (value) => `${value} tool calls`);
}

function exploration(target: number, tolerance: number, { events, tellsTools, gap }: Measured): Finding {
  if (!tellsTools) return UNTOLD;
  if (gap !== null) return { holds: null, words: `not all tool calls are known: ${gap}` };
  const tools = events.flatMap((event) => (event.type === 'tool-call' ? [event.tool] : []));
  if (tools.length === 0)
    return { holds: false, words: 'no tool was called, so no share of the calls only looked' };
  const { least, most, unclear } = explorationBounds(tools);
  const fits = (ratio: number) => Math.abs(ratio - target) <= tolerance + 1e-9;
  const shares = least === most ? share(least) : `${share(least)} to ${share(most)}`;
  const words = `${shares} of the tool calls only looked, expected ${share(target)} ± ${share(tolerance)}`;
  if (fits(least) && fits(most)) return { holds: true, words };
  const isBeyond = least > target + tolerance + 1e-9 || most < target - tolerance - 1e-9;
  if (isBeyond) return { holds: false, words };
  return { holds: null, words: `${words}; whether ${unclear.join(', ')} only looks cannot be told` };
}

function share(value: number): string {
  return `${Math.round(value * 100)} %`;
}
