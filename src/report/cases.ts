/** Gathers the trials of each case: its statistics, its verdict, and the trial that stands for it. */
import type { EvalCaseOutcome, EvalCaseRecord, EvalTrialRecord, TrialStatistics } from '../model/report.ts';
import type { Verdict } from '../model/trial.ts';
import { round } from './numbers.ts';
import { passAllK, passAtK, wilson } from './stats/proportion.ts';

/** What became of a trial, with all that is known of its case. */
export type TrialOutcome = EvalCaseOutcome & Pick<EvalTrialRecord, 'arm' | 'repetition'>;

export function gatherCases(outcomes: readonly TrialOutcome[], threshold: number): EvalCaseRecord[] {
  return byName(outcomes, ({ name }) => name).flatMap((all) => gatherCase(all, threshold) ?? []);
}

/** Those of the same name together, in the order of the first ones. */
export function byName<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const it of items) {
    const group = groups.get(nameOf(it));
    if (group) group.push(it);
    else groups.set(nameOf(it), [it]);
  }
  return [...groups.values()];
}

/** Only trials with the package decide a case; those without it are its baseline. null: there are only such. */
export function gatherCase(outcomes: readonly TrialOutcome[], threshold: number): EvalCaseRecord | null {
  const installed = outcomes.filter(({ arm }) => arm === 'with');
  const without = outcomes.filter(({ arm }) => arm === 'without');
  const [first] = installed;
  return first ? caseRecord(first, installed, without, threshold) : null;
}

function caseRecord(
  first: TrialOutcome,
  installed: readonly TrialOutcome[],
  without: readonly TrialOutcome[],
  threshold: number,
): EvalCaseRecord {
  const verdict = verdictOf(installed, threshold);
  const decisive = installed.find((it) => it.verdict === verdict) ?? first;
  const { arm, repetition, error, ...fields } = decisive;
  const told = errorOf(verdict, decisive, installed, threshold);
  return {
    ...fields,
    verdict,
    ...(told !== undefined && { error: told }),
    warnings: listOf(new Set(installed.flatMap(({ warnings }) => warnings))),
    statistics: statisticsOf(installed, threshold),
    baseline:
      without.length === 0
        ? null
        : { verdict: verdictOf(without, threshold), ...statisticsOf(without, threshold) },
    trials: [...installed, ...without].map(trialRecord),
  };
}

/** Mostly there is nothing in it: then it is always the same, and nobody can change it. */
export function listOf(texts: Iterable<string>): string[] {
  const list = [...texts];
  return list.length > 0 ? list : NONE;
}

const NONE: string[] = [];
Object.freeze(NONE);

/** PASS or FAIL only when it stays so however the undecided trials would have ended. */
export function verdictOf(trials: readonly { readonly verdict: Verdict }[], threshold: number): Verdict {
  const { passed, undecided } = count(trials);
  if (passed / trials.length >= threshold) return 'PASS';
  return (passed + undecided) / trials.length < threshold ? 'FAIL' : 'SKIP';
}

export function statisticsOf(
  trials: readonly { readonly verdict: Verdict }[],
  threshold: number,
): TrialStatistics {
  const { passed, undecided } = count(trials);
  const key = `${trials.length} ${undecided} ${passed} ${threshold}`;
  const known = STATISTICS.get(key);
  if (known) return known;
  const fresh = statistics(trials.length, trials.length - undecided, passed, threshold);
  if (STATISTICS.size < MAX_STATISTICS) STATISTICS.set(key, fresh);
  return fresh;
}

/** Most cases have the same: ten thousand of them take their room. */
const STATISTICS = new Map<string, TrialStatistics>();
const MAX_STATISTICS = 1000;

function statistics(total: number, decided: number, passed: number, threshold: number): TrialStatistics {
  const interval = wilson(passed, decided);
  return {
    total,
    decided,
    passed,
    pass_rate: decided === 0 ? null : round(passed / decided, 4),
    interval: interval && [round(interval[0], 4), round(interval[1], 4)],
    pass_at_k: passAtK(passed, decided).map((it) => round(it, 4)),
    pass_all_k: passAllK(passed, decided).map((it) => round(it, 4)),
    flaky: passed > 0 && passed < decided,
    threshold,
  };
}

function count(trials: readonly { readonly verdict: Verdict }[]): { passed: number; undecided: number } {
  const of = (verdict: Verdict) => trials.filter((it) => it.verdict === verdict).length;
  return { passed: of('PASS'), undecided: of('SKIP') };
}

/** Of several trials, one alone does not say why the case ended as it did. */
function errorOf(
  verdict: Verdict,
  { error }: TrialOutcome,
  trials: readonly TrialOutcome[],
  threshold: number,
): string | undefined {
  if (verdict === 'PASS' || trials.length === 1) return error;
  const { passed, undecided } = count(trials);
  const open = undecided > 0 ? `, ${undecided} undecided` : '';
  const needed = threshold < 1 ? ` (${threshold} of them must)` : '';
  return `${passed} of ${trials.length} trials passed${open}${needed}${error ? `; one that did not: ${error}` : ''}`;
}

function trialRecord(outcome: TrialOutcome): EvalTrialRecord {
  const { name, target, description, file, line, case_hash, ...record } = outcome;
  return record;
}
