/** Agent Skills `benchmark.json`: how often assertions passed, how long it took and what it used, with and without the skill. */
import { REPORT_MARK } from '../model/report.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { partsOf, tokensOf } from './graded-parts.ts';
import { round } from './numbers.ts';

export interface Finished {
  readonly trial: Trial;
  readonly result: TrialResult;
}

export interface BenchmarkFacts {
  readonly skillName: string;
  readonly executorModel: string | null;
  readonly analyzerModel: string | null;
  readonly timestamp: string;
}

/** Sample standard deviation: 0 of a single value. */
interface Spread {
  readonly mean: number;
  readonly stddev: number;
  readonly min: number;
  readonly max: number;
}

type Figures = Record<'pass_rate' | 'time_seconds' | 'tokens', Spread>;

const CONFIGURATIONS = { with: 'with_skill', without: 'without_skill' } as const;

/** Trials that are undecided, or never ran, count for nothing: `notes` say how many. */
export function benchmark(finished: readonly Finished[], facts: BenchmarkFacts) {
  const runs = finished.flatMap((it) => measured(it) ?? []);
  const summary = Object.fromEntries(
    Object.values(CONFIGURATIONS).flatMap((name) => {
      const own = runs.filter(({ configuration }) => configuration === name);
      return own.length === 0 ? [] : [[name, figuresOf(own.map(({ result }) => result))]];
    }),
  ) as Partial<Record<(typeof CONFIGURATIONS)[keyof typeof CONFIGURATIONS], Figures>>;
  const { with_skill, without_skill } = summary;
  return {
    metadata: {
      record: REPORT_MARK,
      skill_name: facts.skillName,
      executor_model: facts.executorModel,
      analyzer_model: facts.analyzerModel,
      timestamp: facts.timestamp,
      evals_run: [...new Set(finished.map(({ trial }) => evalId(trial)))],
      runs_per_configuration: Math.max(0, ...finished.map(({ trial }) => trial.repetition)),
    },
    runs,
    run_summary: {
      ...summary,
      ...(with_skill && without_skill && { delta: deltaOf(with_skill, without_skill) }),
    },
    notes: notesOn(finished, runs.length),
  };
}

/** null: it says nothing about the skill. */
function measured({ trial, result }: Finished) {
  const parts = partsOf(trial.case, result);
  const ran = result.verdict !== 'SKIP' && result.errorKind !== 'file_copy_error';
  // An agent that failed before anything could be graded has achieved none of it.
  const isLost = result.verdict === 'FAIL' && result.errorKind !== null;
  if (!ran || parts.length === 0 || (!isLost && parts.some(({ passed }) => passed === null))) return null;
  const passed = parts.filter((part) => part.passed === true).length;
  return {
    eval_id: evalId(trial),
    eval_name: trial.case.description ?? trial.case.name,
    configuration: CONFIGURATIONS[trial.arm],
    run_number: trial.repetition,
    result: {
      pass_rate: round(passed / parts.length, 4),
      passed,
      failed: parts.length - passed,
      total: parts.length,
      time_seconds: round(result.durationMs / 1000, 3),
      tokens: tokensOf(result.usage),
      errors: result.errorKind === null ? 0 : 1,
    },
    expectations: parts.map(({ text, passed: isPassed, evidence }) => ({
      text,
      passed: isPassed === true,
      evidence,
    })),
    notes: result.error === null ? [] : [result.error],
  };
}

/** Numbers stay numbers, as their authors wrote them. */
function evalId({ case: { name } }: Trial): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(name) ? Number(name) : name;
}

function figuresOf(results: readonly { pass_rate: number; time_seconds: number; tokens: number }[]): Figures {
  return {
    pass_rate: spread(results.map((it) => it.pass_rate)),
    time_seconds: spread(results.map((it) => it.time_seconds)),
    tokens: spread(results.map((it) => it.tokens)),
  };
}

function spread(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const stddev = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
  return {
    mean: round(mean, 4),
    stddev: round(stddev, 4),
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

/** With minus without: more than 0 is more with the skill. */
function deltaOf(withSkill: Figures, without: Figures): Record<keyof Figures, number> {
  const difference = (key: keyof Figures) => round(withSkill[key].mean - without[key].mean, 4);
  return {
    pass_rate: difference('pass_rate'),
    time_seconds: difference('time_seconds'),
    tokens: difference('tokens'),
  };
}

function notesOn(finished: readonly Finished[], counted: number): string[] {
  const left = finished.length - counted;
  return left === 0
    ? []
    : [
        `${left} of ${finished.length} trials are not counted: undecided, without anything to grade, or never run`,
      ];
}
