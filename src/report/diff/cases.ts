/** Each case of two reports, side by side. */
import type { CaseDiff, CaseSide } from '../../model/diff.ts';
import type { EvalCaseRecord, EvalReport } from '../../model/report.ts';
import type { Verdict } from '../../model/trial.ts';
import { verdictOf } from '../cases.ts';
import { meanFigure } from '../figures.ts';
import { round } from '../numbers.ts';

/** In the order of the second report; what is gone comes last. */
export function diffCases(a: EvalReport, b: EvalReport): CaseDiff[] {
  const before = new Map(a.cases.map((it) => [it.name, it]));
  const after = new Set(b.cases.map(({ name }) => name));
  // Both by the same rule, or a changed rule would look like a changed case.
  const threshold = b.config.pass_threshold;
  return [
    ...b.cases.map((it) => {
      const old = before.get(it.name);
      return old ? bothSides(old, it, whyKeptOut(old, it, a, b), threshold) : oneSide(it, 'added', threshold);
    }),
    ...a.cases.filter(({ name }) => !after.has(name)).map((it) => oneSide(it, 'removed', threshold)),
  ];
}

function bothSides(
  old: EvalCaseRecord,
  current: EvalCaseRecord,
  keptOut: string | null,
  threshold: number,
): CaseDiff {
  const [a, b] = [caseSide(old, threshold), caseSide(current, threshold)];
  const change = keptOut === null ? changeOf(a.verdict, b.verdict) : 'not-comparable';
  return { name: current.name, target: current.target, change, kept_out: keptOut, a, b };
}

function oneSide(it: EvalCaseRecord, change: 'added' | 'removed', threshold: number): CaseDiff {
  const side = caseSide(it, threshold);
  return {
    name: it.name,
    target: it.target,
    change,
    kept_out: null,
    a: change === 'removed' ? side : null,
    b: change === 'added' ? side : null,
  };
}

function changeOf(before: Verdict, after: Verdict): CaseDiff['change'] {
  if (before === after) return 'unchanged';
  if (after === 'SKIP') return 'newly-undecided';
  if (before === 'SKIP') return 'newly-decided';
  return after === 'FAIL' ? 'regressed' : 'improved';
}

/** A verdict by other graders is not the same question answered again. */
function whyKeptOut(old: EvalCaseRecord, it: EvalCaseRecord, a: EvalReport, b: EvalReport): string | null {
  if (old.case_hash !== null && it.case_hash !== null && old.case_hash !== it.case_hash)
    return 'the definition of the case, its checks or its files changed';
  const isJudged = [old, it].some(({ trials }) => trials.some(({ judge_verdict }) => judge_verdict !== null));
  if (!isJudged) return null;
  if (differ(judgesOf(old, a), judgesOf(it, b)))
    return 'another model judged it (name one with --judge for both runs)';
  if (differ(a.judge.prompt_sha256, b.judge.prompt_sha256)) return 'the judge was asked in other words';
  return null;
}

/** Names of the models that judged a case, or would have; null: not known. */
function judgesOf({ trials }: EvalCaseRecord, report: EvalReport): string | null {
  const models = trials.flatMap(({ judge_verdict }) => judge_verdict?.model ?? []);
  const names = [...new Set(models)].sort().join(', ');
  return names === '' ? report.judge.model : names;
}

/** What is not known is not known to differ. */
function differ(before: string | null, after: string | null): boolean {
  return before !== null && after !== null && before !== after;
}

function caseSide(it: EvalCaseRecord, threshold: number): CaseSide {
  const trials = it.trials.filter(({ arm }) => arm === 'with');
  const { passed, decided, total, pass_rate, interval } = it.statistics;
  const figure = (name: Parameters<typeof meanFigure>[1], digits: number) => {
    const value = meanFigure(trials, name);
    return value === null ? null : round(value, digits);
  };
  const score = figure('score', 4);
  return {
    verdict: trials.length > 0 ? verdictOf(trials, threshold) : it.verdict,
    passed,
    decided,
    total,
    pass_rate,
    interval,
    ...(score !== null && { score }),
    seconds: figure('seconds', 3),
    tokens: figure('tokens', 1),
    cost_usd: figure('cost_usd', 6),
    error: it.error ?? null,
    capture: it.capture,
  };
}
