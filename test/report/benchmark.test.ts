import { describe, expect, it } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import { grader } from '../../src/model/grader.ts';
import type { Trial, TrialResult, Verdict } from '../../src/model/trial.ts';
import { NO_USAGE } from '../../src/model/usage.ts';
import { benchmark, type Finished } from '../../src/report/benchmark.ts';
import { jsonlRow } from '../../src/report/jsonl.ts';

const SCORES = { PASS: 1, FAIL: 0, SKIP: null } as const;

const CASE: Case = {
  ...{ name: '1', aliases: [], description: null, target: null, prompt: 'Do it.', followUps: [], files: [] },
  graders: [grader('a', 'is-json', { of: 'answer' }), grader('b', 'is-json', { of: 'answer' })],
  criteria: [],
  reference: null,
  scoring: { mode: 'score', threshold: 0.8 },
  fault: null,
  metadata: {},
  ...{ file: 'evals.json', line: 1, hash: '' },
};

function finished(
  arm: Trial['arm'],
  checks: readonly Verdict[],
  more: Partial<TrialResult> & {
    readonly name?: string;
    readonly repetition?: number;
    readonly seconds?: number;
    readonly tokens?: number;
  } = {},
): Finished {
  const { name = '1', repetition = 1, seconds = 10, tokens = 100, ...result } = more;
  const trial: Trial = {
    id: `${name}.claude-code.${arm}.${repetition}`,
    case: { ...CASE, name },
    engine: 'claude-code',
    arm,
    repetition,
  };
  const passed = checks.filter((it) => it === 'PASS').length;
  return {
    trial,
    result: {
      trial: trial.id,
      case: name,
      verdict: passed === CASE.graders.length ? 'PASS' : 'FAIL',
      score: passed / CASE.graders.length,
      checks: CASE.graders.flatMap(({ id }, index) => {
        const verdict = checks[index];
        return verdict ? [{ check: id, verdict, score: SCORES[verdict], message: `${id}: ${verdict}` }] : [];
      }),
      ...{
        error: null,
        errorKind: null,
        durationMs: seconds * 1000,
        costUsd: 0.5,
        judged: null,
        sessionId: 's',
      },
      usage: { ...NO_USAGE, inputTokens: tokens - 30, outputTokens: 10, cacheReadTokens: 20 },
      ...{
        model: 'm',
        engineVersion: null,
        output: 'said',
        tape: null,
        skillsActivated: [],
        warnings: [],
        capture: null,
      },
      ...result,
    },
  };
}

const FACTS = { skillName: 's', executorModel: 'm', analyzerModel: null, timestamp: '2026-01-01T00:00:00Z' };

describe('benchmark.json', () => {
  it('has mean and sample deviation of both arms, and with minus without', () => {
    const { run_summary, metadata, notes } = benchmark(
      [
        finished('with', ['PASS', 'PASS'], { seconds: 20, tokens: 300 }),
        finished('with', ['PASS', 'FAIL'], { repetition: 2, seconds: 30, tokens: 500 }),
        finished('without', ['FAIL', 'FAIL'], { seconds: 25, tokens: 100 }),
      ],
      FACTS,
    );
    expect(run_summary).toEqual({
      with_skill: {
        pass_rate: { mean: 0.75, stddev: 0.3536, min: 0.5, max: 1 },
        time_seconds: { mean: 25, stddev: 7.0711, min: 20, max: 30 },
        tokens: { mean: 400, stddev: 141.4214, min: 300, max: 500 },
      },
      without_skill: {
        pass_rate: { mean: 0, stddev: 0, min: 0, max: 0 },
        time_seconds: { mean: 25, stddev: 0, min: 25, max: 25 },
        tokens: { mean: 100, stddev: 0, min: 100, max: 100 },
      },
      delta: { pass_rate: 0.75, time_seconds: 0, tokens: 300 },
    });
    expect(metadata).toMatchObject({ evals_run: [1], runs_per_configuration: 2 });
    expect(notes).toEqual([]);
  });

  it('a skill that makes things worse has a delta below 0', () => {
    const { run_summary } = benchmark(
      [finished('with', ['FAIL', 'FAIL']), finished('without', ['PASS', 'PASS'])],
      FACTS,
    );
    expect(run_summary).toMatchObject({ delta: { pass_rate: -1 } });
  });

  it('counts an agent that failed, and not what is undecided or never ran', () => {
    const { run_summary, runs, notes } = benchmark(
      [
        finished('with', ['PASS', 'PASS']),
        finished('with', [], {
          repetition: 2,
          verdict: 'FAIL',
          score: null,
          errorKind: 'timeout',
          error: 'too long',
        }),
        finished('with', [], {
          repetition: 3,
          verdict: 'SKIP',
          score: null,
          errorKind: 'model-rate-limit',
          error: 'x',
        }),
        finished('with', [], { repetition: 4, verdict: 'FAIL', errorKind: 'file_copy_error', error: 'x' }),
        finished('with', ['PASS', 'SKIP'], {
          repetition: 5,
          verdict: 'SKIP',
          errorKind: 'check-undecided',
          error: 'x',
        }),
      ],
      FACTS,
    );
    expect(runs.map(({ run_number, result }) => [run_number, result.pass_rate, result.errors])).toEqual([
      [1, 1, 0],
      [2, 0, 1],
    ]);
    expect(run_summary).toMatchObject({ with_skill: { pass_rate: { mean: 0.5 } } });
    expect(run_summary).not.toHaveProperty('delta');
    expect(notes[0]).toContain('3 of 5 trials are not counted');
  });

  it('counts what is decided although a part of it is not', () => {
    const { runs, notes } = benchmark(
      [
        finished('with', ['FAIL', 'SKIP'], { verdict: 'FAIL', score: null }),
        finished('with', ['PASS', 'SKIP'], { repetition: 2, verdict: 'PASS', score: null }),
      ],
      FACTS,
    );
    expect(runs.map(({ result, notes }) => [result.pass_rate, result.total, notes])).toEqual([
      [0, 1, ['1 of 2 assertions are undecided and not counted']],
      [1, 1, ['1 of 2 assertions are undecided and not counted']],
    ]);
    expect(runs.map(({ expectations }) => expectations.length)).toEqual([1, 1]);
    expect(notes).toEqual([]);
  });

  it('compares the cases that are decided both with and without the skill, each with the same weight', () => {
    const { run_summary, notes } = benchmark(
      [
        finished('with', ['PASS', 'PASS'], { name: 'a' }),
        finished('with', ['PASS', 'PASS'], { name: 'a', repetition: 2 }),
        finished('without', ['PASS', 'PASS'], { name: 'a' }),
        finished('with', ['PASS', 'PASS'], { name: 'b', seconds: 20 }),
        finished('without', ['PASS', 'FAIL'], { name: 'b' }),
        // Hard, and without the skill undecided: it must not look as if the skill did harm.
        finished('with', ['FAIL', 'FAIL'], { name: 'hard' }),
        finished('without', [], { name: 'hard', verdict: 'SKIP', score: null, errorKind: 'budget' }),
      ],
      FACTS,
    );
    expect(run_summary).toMatchObject({ delta: { pass_rate: 0.25, time_seconds: 5, tokens: 0 } });
    expect(notes[1]).toBe('delta is over the 2 of 3 cases that count both with and without the skill');
  });

  it('of very many trials is no problem', () => {
    const one = finished('with', ['PASS', 'PASS']);
    const { run_summary } = benchmark(
      Array.from({ length: 150_000 }, () => one),
      FACTS,
    );
    expect(run_summary).toMatchObject({ with_skill: { pass_rate: { min: 1, max: 1 } } });
  });

  it('of nothing that counts has no figures at all', () => {
    expect(
      benchmark([finished('with', [], { verdict: 'SKIP', errorKind: 'budget' })], FACTS).run_summary,
    ).toEqual({});
  });

  it('lists what was expected, with its evidence', () => {
    const [run] = benchmark([finished('with', ['PASS', 'FAIL'])], FACTS).runs;
    expect(run).toMatchObject({
      eval_id: 1,
      configuration: 'with_skill',
      result: { passed: 1, failed: 1, total: 2, time_seconds: 10, tokens: 100 },
      expectations: [
        { passed: true, evidence: 'a: PASS' },
        { passed: false, evidence: 'b: FAIL' },
      ],
    });
  });
});

describe('a line of JSONL', () => {
  const row = (it: Finished) => jsonlRow(it, { dataset: 'evals', timestamp: 't' });

  it('has the names of AgentV', () => {
    expect(row(finished('with', ['PASS', 'FAIL']))).toMatchInlineSnapshot(`
      {
        "answer": "said",
        "arm": "with",
        "cost_usd": 0.5,
        "dataset": "evals",
        "duration_ms": 10000,
        "execution_status": "quality_failure",
        "hits": [
          "a: a: PASS",
        ],
        "misses": [
          "b: b: FAIL",
        ],
        "model": "m",
        "record": "aam-eval-report",
        "repetition": 1,
        "score": 0.5,
        "scores": [
          {
            "name": "a",
            "reasoning": "a: PASS",
            "score": 1,
            "type": "is-json",
            "verdict": "pass",
            "weight": 1,
          },
          {
            "name": "b",
            "reasoning": "b: FAIL",
            "score": 0,
            "type": "is-json",
            "verdict": "fail",
            "weight": 1,
          },
        ],
        "session_id": "s",
        "target": "claude-code",
        "test_id": "1",
        "timestamp": "t",
        "token_usage": {
          "cached": 20,
          "input": 70,
          "output": 10,
        },
        "trial": "1.claude-code.with.1",
        "verdict": "FAIL",
      }
    `);
  });

  it('has no score where the report has none, whatever the verdict', () => {
    const open = finished('with', ['FAIL', 'SKIP'], { verdict: 'FAIL', score: null });
    expect(row(open)).toMatchObject({ score: null, verdict: 'FAIL' });
    const { trial, result } = open;
    const unscored = { ...trial, case: { ...trial.case, scoring: { mode: 'all' } as const } };
    expect(row({ trial: unscored, result })).toMatchObject({ score: 0 });
  });

  it('has no score where nothing is decided', () => {
    expect(
      row(finished('with', [], { verdict: 'SKIP', score: null, errorKind: 'budget', error: 'x' })),
    ).toMatchObject({
      score: null,
      execution_status: 'execution_error',
      failure_reason_code: 'budget',
    });
  });
});
