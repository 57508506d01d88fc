/** Compares two reports: which cases changed, what else did, and whether the difference is more than chance. */
import type { CaseDiff, EvalDiff } from '../model/diff.ts';
import type { EvalReport } from '../model/report.ts';
import { diffCases } from './diff/cases.ts';
import { changesBetween, engineOf } from './diff/changes.ts';
import { type Compared, conclude } from './diff/conclusion.ts';
import { mean } from './figures.ts';
import { round } from './numbers.ts';

export interface NamedReport {
  readonly path: string;
  readonly report: EvalReport;
}

/** `significant`: only a difference that is more than chance counts as a regression. */
export function diffReports(a: NamedReport, b: NamedReport, significant: boolean): EvalDiff {
  const cases = diffCases(a.report, b.report);
  const compared = cases.flatMap((it): Compared[] =>
    it.a && it.b && it.kept_out === null ? [{ name: it.name, a: it.a, b: it.b }] : [],
  );
  const conclusion = weighed(conclude(compared, cases), a.report, b.report);
  const count = (change: CaseDiff['change']) => cases.filter((it) => it.change === change).length;
  const regressed = count('regressed');
  const scores = delta(compared, 'score', 4);
  const isRegression = significant ? conclusion.conclusion === 'worse' : regressed > 0;
  return {
    version: 1,
    a: side(a),
    b: side(b),
    ...conclusion,
    counts: {
      regressed,
      improved: count('improved'),
      unchanged: count('unchanged'),
      newly_undecided: count('newly-undecided'),
      newly_decided: count('newly-decided'),
      not_comparable: count('not-comparable'),
      added: count('added'),
      removed: count('removed'),
    },
    deltas: {
      pass_rate: delta(compared, 'pass_rate', 4),
      ...(scores.difference !== null && { score: scores }),
      seconds: delta(compared, 'seconds', 3),
      tokens: delta(compared, 'tokens', 1),
      cost_usd: delta(compared, 'cost_usd', 6),
    },
    changes: changesBetween(a.report, b.report),
    notes: notesOn(a.report, b.report, cases),
    significant,
    exit_code: !conclusion.comparable ? 2 : isRegression ? 1 : 0,
    cases,
  };
}

/** Answers that a person wrote show that the pipeline works, and nothing about agent or package. */
function weighed<Found extends Pick<EvalDiff, 'conclusion' | 'reason'>>(
  found: Found,
  ...reports: readonly EvalReport[]
): Found {
  const scripted = ({ tape: { source } }: EvalReport) => source === 'scripted' || source === 'mixed';
  if (found.conclusion === 'no-evidence' || !reports.some(scripted)) return found;
  return {
    ...found,
    conclusion: 'no-evidence',
    reason: 'No evidence: answers of the model were written by a person (scripted tapes).',
  };
}

function side({ path, report }: NamedReport): EvalDiff['a'] {
  const { id, timestamp, exit_code, summary, package: pkg, judge } = report;
  const { total, passed, failed, skipped } = summary;
  return {
    path,
    id,
    timestamp,
    package: pkg.version === null ? pkg.name : `${pkg.name} ${pkg.version}`,
    engine: engineOf(report),
    judge: judge.model,
    exit_code,
    summary: { total, passed, failed, skipped },
  };
}

/** Over the cases that tell the figure in both reports. */
function delta(
  cases: readonly Compared[],
  figure: 'pass_rate' | 'score' | 'seconds' | 'tokens' | 'cost_usd',
  digits: number,
): EvalDiff['deltas']['seconds'] {
  const told = cases.flatMap(({ a, b }) => {
    const [before, after] = [a[figure], b[figure]];
    return typeof before === 'number' && typeof after === 'number' ? [{ before, after }] : [];
  });
  const before = mean(told.map((it) => it.before));
  const after = mean(told.map((it) => it.after));
  if (before === null || after === null) return { a: null, b: null, difference: null };
  return { a: round(before, digits), b: round(after, digits), difference: round(after - before, digits) };
}

function notesOn(a: EvalReport, b: EvalReport, cases: readonly CaseDiff[]): string[] {
  const keptOut = new Map<string, number>();
  for (const { kept_out } of cases) if (kept_out) keptOut.set(kept_out, (keptOut.get(kept_out) ?? 0) + 1);
  const thresholds = [a.config.pass_threshold, b.config.pass_threshold];
  const unhashed = [a, b].some((report) => report.cases.some(({ case_hash }) => case_hash === null));
  return [
    ...[...keptOut].map(
      ([why, count]) =>
        `${count === 1 ? '1 case is' : `${count} cases are`} kept out of the conclusion: ${why}`,
    ),
    ...(thresholds[0] === thresholds[1]
      ? []
      : [
          `the first run let cases pass at ${thresholds[0]}, the second at ${thresholds[1]}; both are read at ${thresholds[1]}`,
        ]),
    ...(a.package.name === b.package.name ? [] : ['these are runs of two different packages']),
    ...(unhashed
      ? ['one report does not say how its cases were defined: whether they changed is not known']
      : []),
    ...[
      { report: a, which: 'first' },
      { report: b, which: 'second' },
    ].flatMap(({ report, which }) => [
      ...(report.interrupted ? [`the ${which} run was interrupted`] : []),
      ...(report.tape.mode !== 'record' && report.tape.note ? [`the ${which} run: ${report.tape.note}`] : []),
    ]),
    ...(a.id === b.id ? ['both are the same run'] : []),
  ];
}
