/** The list of cases, of one run or of two that are compared: what a row knows, which are shown, in what order. */
import type { CaseDiff } from '../model/diff.ts';
import type { Verdict } from '../model/trial.ts';
import type { ViewerCase, ViewerData } from '../model/viewer.ts';

export interface Row {
  readonly name: string;
  readonly target: string | null;
  /** Of the newer run, when there are two. */
  readonly verdict: Verdict;
  /** The case in the newer or only run; null: it was removed. */
  readonly now: ViewerCase | null;
  /** null: there is only one run, or the case was added. */
  readonly before: ViewerCase | null;
  readonly diff: CaseDiff | null;
  /** What a search looks through. */
  readonly haystack: string;
}

export const CHANGES = [
  'regressed',
  'newly-undecided',
  'improved',
  'newly-decided',
  'not-comparable',
  'added',
  'removed',
  'unchanged',
] as const satisfies readonly CaseDiff['change'][];

export function rowsOf(data: ViewerData): Row[] {
  if (data.kind === 'run')
    return data.run.cases.map((now) => row(now.name, now.target, now.verdict, now, null, null));
  const before = new Map(data.a.cases.map((it) => [it.name, it]));
  const now = new Map(data.b.cases.map((it) => [it.name, it]));
  const rows = data.diff.cases.map((diff) =>
    row(
      diff.name,
      diff.target,
      diff.b?.verdict ?? diff.a?.verdict ?? 'SKIP',
      now.get(diff.name) ?? null,
      before.get(diff.name) ?? null,
      diff,
    ),
  );
  const rank = (it: Row) => CHANGES.indexOf(it.diff?.change ?? 'unchanged');
  return rows.sort((a, b) => rank(a) - rank(b));
}

function row(
  name: string,
  target: string | null,
  verdict: Verdict,
  now: ViewerCase | null,
  before: ViewerCase | null,
  diff: CaseDiff | null,
): Row {
  const words = [now, before].flatMap((it) => (it ? searchable(it) : []));
  const all = [name, target, diff?.change, ...words].filter((word) => typeof word === 'string');
  return { name, target, verdict, now, before, diff, haystack: all.join('\n').toLowerCase() };
}

function searchable(it: ViewerCase): (string | null | undefined)[] {
  const details = it.trials[it.decisive]?.details;
  return [
    it.description,
    it.file,
    it.error,
    it.error_kind,
    details?.judge?.reason,
    ...(details?.checks ?? []).flatMap(({ check, verdict, message }) =>
      verdict === 'FAIL' ? [check, message] : [],
    ),
  ];
}

export const SORTS = {
  default: 'default order',
  verdict: 'failed first',
  name: 'by name',
  slowest: 'slowest first',
  costliest: 'most expensive first',
} as const;

export type Sort = keyof typeof SORTS;

export interface Filter {
  readonly query: string;
  /** A verdict, `flaky`, or a change; '' for all. */
  readonly show: string;
  readonly sort: Sort;
}

export function filterRows(rows: readonly Row[], { query, show, sort }: Filter): Row[] {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows.filter((it) => isShown(it, show) && terms.every((term) => it.haystack.includes(term)));
  const compare = COMPARE[sort];
  return compare ? shown.sort(compare) : shown;
}

export function isShown({ now, verdict, diff }: Row, show: string): boolean {
  if (show === '') return true;
  if (show === 'flaky') return now?.statistics.flaky === true;
  return show === verdict || show === diff?.change;
}

const VERDICTS: readonly Verdict[] = ['FAIL', 'SKIP', 'PASS'];

const COMPARE: Readonly<Record<Sort, ((a: Row, b: Row) => number) | null>> = {
  default: null,
  verdict: (a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict),
  name: (a, b) => a.name.localeCompare(b.name, 'en'),
  slowest: (a, b) => duration(b) - duration(a),
  costliest: (a, b) => cost(b) - cost(a),
};

function duration({ now, before }: Row): number {
  return Math.max(0, ...((now ?? before)?.trials ?? []).map((it) => it.duration_seconds));
}

function cost({ now, before }: Row): number {
  return ((now ?? before)?.trials ?? []).reduce((sum, { details }) => sum + (details?.cost_usd ?? 0), 0);
}
