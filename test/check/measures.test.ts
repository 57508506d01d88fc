import { describe, expect, it } from 'vitest';
import type { GraderResult } from '../../src/check/check.ts';
import {
  cost,
  executionMetrics,
  latency,
  type Measured,
  tokenUsage,
} from '../../src/check/kinds/measures.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { ExecutionMetrics } from '../../src/model/grader.ts';
import { NO_USAGE } from '../../src/model/usage.ts';

const calls = (...tools: string[]): AgentEvent[] =>
  tools.map((tool, at) => ({ type: 'tool-call', id: String(at), tool, input: {}, subAgent: false }));

const MEASURED: Measured = {
  events: calls('Read', 'Edit'),
  tellsTools: true,
  gap: null,
  durationMs: 1500.4,
  costUsd: 0.25,
  usage: {
    ...NO_USAGE,
    requests: 3,
    inputTokens: 100,
    outputTokens: 50,
    cacheReadTokens: 800,
    cacheWriteTokens: 50,
  },
};

const words = ({ verdict, score, message }: GraderResult) => `${verdict} ${score ?? '-'} ${message}`;

describe('limits', () => {
  it('of time', () => {
    expect(words(latency({ maxMs: 1500 }, MEASURED))).toBe('PASS 1 1500 ms, within 1500 ms');
    expect(words(latency({ maxMs: 1000 }, MEASURED))).toBe('FAIL 0 1500 ms, more than 1000 ms');
    expect(words(latency({ maxMs: 1000 }, { ...MEASURED, durationMs: null }))).toMatch(/^SKIP .* tape/);
  });

  it('of cost', () => {
    expect(words(cost({ maxUsd: 0.25 }, MEASURED))).toBe('PASS 1 $0.25, within $0.25');
    expect(words(cost({ maxUsd: 0.1 }, MEASURED))).toBe('FAIL 0 $0.25, more than $0.1');
    expect(words(cost({ maxUsd: 0.1 }, { ...MEASURED, costUsd: null }))).toMatch(/^SKIP .*not known/);
  });

  it('of tokens, those from a cache included', () => {
    const usage = (maxTotal: number | null, maxInput: number | null, maxOutput: number | null) =>
      words(tokenUsage({ maxTotal, maxInput, maxOutput }, MEASURED));
    expect(usage(1000, 950, 50)).toMatch(/^PASS 1 /);
    expect(usage(999, null, 50)).toBe('FAIL 0.5 1000 tokens in all, more than 999 tokens in all');
    expect(usage(null, null, null)).toBe('SKIP - no limit is given');
    const unknown = { ...MEASURED, usage: null };
    expect(words(tokenUsage({ maxTotal: 1, maxInput: null, maxOutput: null }, unknown))).toMatch(/^SKIP/);
  });
});

describe('several limits', () => {
  const NONE: ExecutionMetrics = {
    ...{ maxToolCalls: null, maxModelCalls: null, maxTokens: null, maxCostUsd: null, maxDurationMs: null },
    ...{ targetExplorationRatio: null, explorationTolerance: 0.2 },
  };
  const decide = (limits: Partial<ExecutionMetrics>, more: Partial<Measured> = {}) =>
    words(executionMetrics({ ...NONE, ...limits }, { ...MEASURED, ...more }));

  it('count alike', () => {
    expect(decide({ maxToolCalls: 2, maxModelCalls: 3, maxTokens: 1000, maxCostUsd: 1 })).toMatch(/^PASS 1 /);
    expect(decide({ maxToolCalls: 1, maxModelCalls: 3, maxTokens: 1000, maxDurationMs: 1 })).toBe(
      'FAIL 0.5 2 tool calls, more than 1 tool calls; 1500 ms, more than 1 ms',
    );
    expect(decide({})).toMatch(/^SKIP/);
    expect(decide({ maxModelCalls: 2 })).toBe('FAIL 0 3 model requests, more than 2 model requests');
    expect(decide({ maxTokens: 999 })).toBe('FAIL 0 1000 tokens in all, more than 999 tokens in all');
    const results = { type: 'tool-result', id: '0', output: '', isError: false } as const;
    expect(decide({ maxToolCalls: 2 }, { events: [...MEASURED.events, results] })).toMatch(/^PASS/);
    expect(decide({ targetExplorationRatio: 0.5 }, { events: [...MEASURED.events, results] })).toMatch(
      /^PASS/,
    );
  });

  it('are undecided with one that cannot be told, even if others are broken', () => {
    expect(decide({ maxToolCalls: 1, maxCostUsd: 1 }, { costUsd: null })).toMatch(/^SKIP .*cost/);
    expect(decide({ maxToolCalls: 5 }, { tellsTools: false, events: [] })).toMatch(/^SKIP/);
    expect(decide({ maxToolCalls: 5 }, { gap: 'cut' })).toMatch(/^SKIP/);
    expect(decide({ maxToolCalls: 2 }, { gap: 'cut' })).toMatch(/^SKIP/);
    expect(decide({ maxModelCalls: 5 }, { usage: null })).toMatch(/^SKIP .*how often/);
    const told = { ...NO_USAGE, inputTokens: 5, outputTokens: 5 };
    expect(decide({ maxModelCalls: 5 }, { usage: told })).toMatch(/^SKIP .*how often/);
    expect(decide({ maxTokens: 10 }, { usage: told })).toMatch(/^PASS/);
    expect(decide({ maxToolCalls: 1 }, { gap: 'cut' })).toMatch(/^FAIL/);
  });

  it.each([
    ['Read Grep Glob LS NotebookRead WebFetch WebSearch web_search', 1],
    ['read grep glob ls list search read_file list_dir list_files grep_search', 1],
    ['Edit MultiEdit Write NotebookEdit apply_patch', 0],
    ['edit write write_file edit_file create_file delete_file', 0],
  ])('know which tools only look: %s', (tools, targetExplorationRatio) => {
    const told = decide(
      { targetExplorationRatio, explorationTolerance: 0 },
      { events: calls(...tools.split(' ')) },
    );
    const share = `${targetExplorationRatio * 100} %`;
    expect(told).toBe(`PASS 1 ${share} of the tool calls only looked, expected ${share} ± 0 %`);
  });

  it('name the tools that may have looked, each once', () => {
    expect(decide({ targetExplorationRatio: 0.5 }, { events: calls('Read', 'Bash', 'Bash', 'Task') })).toBe(
      'SKIP - 25 % to 100 % of the tool calls only looked, expected 50 % ± 20 %; whether Bash, Task only looks cannot be told',
    );
    expect(decide({ targetExplorationRatio: 0.5 }, { gap: 'cut' })).toMatch(/^SKIP - not all .*: cut$/);
    expect(decide({ targetExplorationRatio: 0.5 }, { tellsTools: false })).toMatch(/^SKIP - this engine/);
  });

  it.each([
    [['Read', 'Edit'], 0.5, 'PASS'],
    [['Read', 'Read', 'Read', 'Edit'], 0.5, 'FAIL'],
    [['Read', 'Bash'], 0.5, 'SKIP'],
    [['Bash'], 0.5, 'SKIP'],
    [['Read', 'Read', 'Read', 'Read', 'Bash'], 0.9, 'PASS'],
    [['Edit', 'Edit', 'Edit', 'Bash'], 0.9, 'FAIL'],
    [[], 0.5, 'FAIL'],
  ])('how much of %j only looked, expected %s: %s', (tools, targetExplorationRatio, verdict) => {
    expect(decide({ targetExplorationRatio }, { events: calls(...tools) })).toMatch(
      new RegExp(`^${verdict}`),
    );
  });
});
