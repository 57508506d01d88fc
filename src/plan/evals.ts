/** Selects eval cases and expands them to trials. */
import type { Case } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import { TARGET_KINDS } from '../model/evals.ts';
import { nearMisses } from '../model/nearest.ts';
import type { Trial } from '../model/trial.ts';

export interface EvalSelection {
  /** By name or file name; empty: all. */
  readonly cases: readonly string[];
  /** skill:<name>, hook:<event>, agent:<name>; empty: all. */
  readonly targets: readonly string[];
}

/** Throws a UserError when a word of the selection means nothing, or nothing is left. */
export function selectCases(cases: readonly Case[], { cases: words, targets }: EvalSelection): Case[] {
  if (cases.length === 0) {
    throw new UserError(
      'there are no eval cases in this package',
      'write one in evals/cases/<name>.yaml',
      'or see an example:  aam init',
    );
  }
  const known = cases.flatMap((it) => [it.name, ...it.aliases]);
  const unknown = words.filter((word) => !known.includes(word));
  if (unknown.length > 0) {
    const hints = unknown.map((word) =>
      suggestion(
        word,
        known,
        cases.map(({ name }) => name),
      ),
    );
    throw new UserError(`there is no eval case called ${unknown.join(' or ')}`, ...hints);
  }
  for (const target of targets) checkTarget(target, cases);
  const selected = cases.filter(
    (it) =>
      (words.length === 0 || words.some((word) => word === it.name || it.aliases.includes(word))) &&
      (targets.length === 0 || (it.target !== null && targets.includes(it.target))),
  );
  if (selected.length === 0)
    throw new UserError(
      'no eval case matches the selection',
      'leave out a flag, or see all cases:  aam eval --dry-run',
    );
  return selected;
}

function checkTarget(target: string, cases: readonly Case[]): void {
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
        id: `${it.name}.${engine}.${arm}.${repetition}`,
        case: it,
        engine,
        arm,
        repetition,
      })),
    ),
  );
}
