/** Selects eval cases and expands them to trials. */
import type { Case } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import { TARGET_KINDS } from '../model/evals.ts';
import { nearMisses } from '../model/nearest.ts';
import type { Trial } from '../model/trial.ts';
import { fitsGlob } from './glob.ts';

export interface EvalSelection {
  /** By name or file name; empty: all. */
  readonly cases: readonly string[];
  /** skill:<name>, hook:<event>, agent:<name>; empty: all. */
  readonly targets: readonly string[];
  /** Globs over names and ids, of which one must fit; left out or empty: all. */
  readonly filters?: readonly string[];
  /** Of which a case must have one; left out or empty: all. */
  readonly tags?: readonly string[];
}

/** What a case is selected by. */
export type Selectable = Pick<Case, 'name' | 'aliases' | 'target' | 'tags'>;

/** Cases that are there and will not be run, so that a word which means one of them is no slip. */
export interface SetApart {
  /** With mistakes. */
  readonly broken: readonly Selectable[];
  /** By id; not to be run yet. */
  readonly deferred: readonly string[];
}

const NOTHING_APART: SetApart = { broken: [], deferred: [] };

/** Throws a UserError when a word of the selection means nothing, or nothing is left. */
export function selectCases<It extends Selectable>(
  cases: readonly It[],
  selection: EvalSelection,
  { broken, deferred }: SetApart = NOTHING_APART,
): It[] {
  if (cases.length + broken.length === 0) {
    if (deferred.length > 0) throw new UserError('every case is deferred', ...deferred);
    throw new UserError(
      'there are no eval cases in this package',
      'write one in evals/cases/<name>.yaml',
      'or see an example:  aam init',
    );
  }
  checkWords([...cases, ...broken], selection, deferred);
  const selected = cases.filter((it) => isChosen(it, selection));
  if (selected.length === 0 && !broken.some((it) => isChosen(it, selection)))
    throw new UserError(
      'no eval case matches the selection',
      'leave out a flag, or see all cases:  aam eval --dry-run',
    );
  return selected;
}

export function isChosen(
  it: Selectable,
  { cases, targets, filters = [], tags = [] }: EvalSelection,
): boolean {
  const names = [it.name, ...it.aliases];
  return (
    (cases.length === 0 || names.some((name) => cases.includes(name))) &&
    (targets.length === 0 || (it.target !== null && targets.includes(it.target))) &&
    (filters.length === 0 || filters.some((glob) => names.some((name) => fitsGlob(glob, name)))) &&
    (tags.length === 0 || tags.some((tag) => it.tags?.includes(tag)))
  );
}

/** Each word must mean something: one that is misspelt must not pass unseen. */
function checkWords(
  cases: readonly Selectable[],
  { cases: words, targets, filters = [], tags = [] }: EvalSelection,
  deferred: readonly string[],
): void {
  const known = cases.flatMap((it) => [it.name, ...it.aliases]);
  const all = cases.map(({ name }) => name);
  const unknown = words.filter((word) => !known.includes(word));
  const waiting = unknown.filter((word) => deferred.some((id) => id === word || id.endsWith(`/${word}`)));
  if (waiting.length > 0)
    throw new UserError(
      `the case ${waiting.join(' and ')} is deferred`,
      'take away its tag deferred to run it',
    );
  if (unknown.length > 0) {
    const hints = unknown.map((word) => suggestion(word, known, all));
    throw new UserError(`there is no eval case called ${unknown.join(' or ')}`, ...hints);
  }
  const idle = filters.find((glob) => !known.some((name) => fitsGlob(glob, name)));
  if (idle !== undefined) {
    const later = deferred.filter((id) => fitsGlob(idle, id));
    const hint = later.length > 0 ? `deferred: ${later.join(', ')}` : suggestion(idle, known, known);
    throw new UserError(`no case fits --filter ${idle}`, hint);
  }
  const allTags = [...new Set(cases.flatMap((it) => it.tags ?? []))];
  const strange = tags.filter((tag) => !allTags.includes(tag));
  if (strange.length > 0)
    throw new UserError(
      `no case has the tag ${strange.join(' or ')}`,
      ...strange.map((tag) => suggestion(tag, allTags, allTags)),
    );
  for (const target of targets) checkTarget(target, cases);
}

function checkTarget(target: string, cases: readonly Selectable[]): void {
  const [kind = '', name = ''] = target.split(/:(.*)/s);
  if (!TARGET_KINDS.some((it) => it === kind) || name === '') {
    throw new UserError(`--target ${target} is not of the form skill:<name>, hook:<event> or agent:<name>`);
  }
  const targets = [...new Set(cases.flatMap((it) => it.target ?? []))];
  if (!targets.includes(target))
    throw new UserError(`no eval case has the target ${target}`, suggestion(target, targets, targets));
}

function suggestion(word: string, known: readonly string[], all: readonly string[]): string {
  const near = nearMisses(word, known);
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  const listed = all.slice(0, 12).join(', ');
  return all.length === 0 ? 'there is none' : `there is: ${listed}${all.length > 12 ? ', …' : ''}`;
}

export interface TrialPlan {
  readonly engine: string;
  /** Trials of each case and arm. */
  readonly runs: number;
  /** Whether each case also runs without the package. */
  readonly baseline: boolean;
}

/** All first repetitions come first, so that a run that is cut short knows something of every case. */
export function planTrials(cases: readonly Case[], { engine, runs, baseline }: TrialPlan): Trial[] {
  const arms: readonly Trial['arm'][] = baseline ? ['with', 'without'] : ['with'];
  return Array.from({ length: runs }, (_, index) => index + 1).flatMap((repetition) =>
    cases.flatMap((it) =>
      arms.map((arm) => ({
        id: [it.name, engine, arm, repetition].join('.'),
        case: it,
        engine,
        arm,
        repetition,
      })),
    ),
  );
}
