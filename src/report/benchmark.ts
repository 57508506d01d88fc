/** Agent Skills `benchmark.json`: how often assertions passed, how long it took and what it used, with and without the skill. */
import { REPORT_MARK } from '../model/report.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { mean } from './figures.ts';
import { type GradedPart, partsOf, tokensOf } from './graded-parts.ts';
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
  const paired = pairedRuns(runs);
  return {
    metadata: {
      record: REPORT_MARK,
      skill_name: facts.skillName,
      executor_model: facts.executorModel,
      analyzer_model: facts.analyzerModel,
      timestamp: facts.timestamp,
      evals_run: [...new Set(finished.map(({ trial }) => evalId(trial)))],
      runs_per_configuration: largest(finished.map(({ trial }) => trial.repetition)),
    },
    runs,
    run_summary: {
      ...summary,
      ...(paired.length > 0 && { delta: deltaOf(paired) }),
    },
    notes: notesOn(finished, runs, paired.length),
  };
}

type Run = NonNullable<ReturnType<typeof measured>>;

/** null: it says nothing about the skill. */
function measured({ trial, result }: Finished) {
  const ran = result.verdict !== 'SKIP' && result.errorKind !== 'file_copy_error';
  const all = partsOf(trial.case, result);
  // An agent that failed before anything could be graded has achieved none of it.
  const isLost = result.verdict === 'FAIL' && result.errorKind !== null;
  // The verdict stands however the rest would have been decided.
  const parts = isLost ? all : all.filter(({ passed }) => passed !== null);
  if (!ran || parts.length === 0) return null;
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
    expectations: parts.map(expectation),
    notes: [
      ...(result.error === null ? [] : [result.error]),
      ...(parts.length < all.length
        ? [`${all.length - parts.length} of ${all.length} assertions are undecided and not counted`]
        : []),
    ],
  };
}

function expectation({ text, passed, evidence }: GradedPart) {
  return { text, passed: passed === true, evidence };
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
  const middle = mean(values) ?? 0;
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const stddev = values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
  return {
    mean: round(middle, 4),
    stddev: round(stddev, 4),
    min: values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    max: largest(values),
  };
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

type Pair = Record<'installed' | 'without', Record<keyof Figures, number>>;

/** The means of each case that counts both with and without the skill, as the report compares them. */
function pairedRuns(runs: readonly Run[]): Pair[] {
  const byCase = new Map<string | number, Run[]>();
  for (const run of runs) {
    const own = byCase.get(run.eval_id) ?? [];
    byCase.set(run.eval_id, own);
    own.push(run);
  }
  return [...byCase.values()].flatMap((own) => {
    const [installed, without] = [meansOf(own, 'with_skill'), meansOf(own, 'without_skill')];
    return installed && without ? [{ installed, without }] : [];
  });
}

function meansOf(runs: readonly Run[], configuration: Run['configuration']): Pair['installed'] | null {
  const results = runs.filter((it) => it.configuration === configuration).map(({ result }) => result);
  const of = (key: keyof Figures) => mean(results.map((it) => it[key])) ?? 0;
  return results.length === 0
    ? null
    : { pass_rate: of('pass_rate'), time_seconds: of('time_seconds'), tokens: of('tokens') };
}

/** With minus without: more than 0 is more with the skill. Each case has the same weight. */
function deltaOf(pairs: readonly Pair[]): Record<keyof Figures, number> {
  const difference = (key: keyof Figures) =>
    round(mean(pairs.map(({ installed, without }) => installed[key] - without[key])) ?? 0, 4);
  return {
    pass_rate: difference('pass_rate'),
    time_seconds: difference('time_seconds'),
    tokens: difference('tokens'),
  };
}

function notesOn(finished: readonly Finished[], runs: readonly Run[], paired: number): string[] {
  const left = finished.length - runs.length;
  const cases = new Set(runs.map(({ eval_id }) => eval_id)).size;
  const isCompared = finished.some(({ trial }) => trial.arm === 'without');
  return [
    ...(left === 0
      ? []
      : [
          `${left} of ${finished.length} trials are not counted: undecided, without anything to grade, or never run`,
        ]),
    ...(isCompared && paired < cases
      ? [`delta is over the ${paired} of ${cases} cases that count both with and without the skill`]
      : []),
  ];
}
