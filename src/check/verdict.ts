/** From the parts of a case to its verdict. Pure. */
import type { Scoring, Share } from '../model/grader.ts';
import type { Verdict } from '../model/trial.ts';

/** A grader or a criterion, and what became of it. */
export interface Part extends Share {
  readonly verdict: Verdict;
}

export interface Decision {
  readonly verdict: Verdict;
  /** null: the case is not scored, or a part that counts is undecided. */
  readonly score: number | null;
}

/** Undecided parts leave the case undecided only where they could change it. */
export function decideCase(parts: readonly Part[], scoring: Scoring): Decision {
  return scoring.mode === 'all' ? { verdict: all(parts), score: null } : scored(parts, scoring.threshold);
}

function all(parts: readonly Part[]): Verdict {
  if (parts.some(({ verdict }) => verdict === 'FAIL')) return 'FAIL';
  return parts.length > 0 && parts.every(({ verdict }) => verdict === 'PASS') ? 'PASS' : 'SKIP';
}

/** Sums of weights such as 0.1 are a little off. */
const TOLERANCE = 1e-9;

function scored(parts: readonly Part[], threshold: number): Decision {
  const weightOf = (wanted: readonly Verdict[]) =>
    parts.reduce((sum, { verdict, weight }) => sum + (wanted.includes(verdict) ? weight : 0), 0);
  const total = weightOf(['PASS', 'FAIL', 'SKIP']);
  // Parts without weight only count where they are required.
  const counts = parts.filter(({ weight, required }) => weight > 0 || required);
  if (counts.length === 0) return { verdict: 'SKIP', score: null };
  const worst = total > 0 ? weightOf(['PASS']) / total : 1;
  const best = total > 0 ? weightOf(['PASS', 'SKIP']) / total : 1;
  const score = total > 0 && weightOf(['SKIP']) === 0 ? worst : null;
  const required = all(parts.filter((part) => part.required));
  const hasRequired = parts.some((part) => part.required);
  if (best < threshold - TOLERANCE || required === 'FAIL') return { verdict: 'FAIL', score };
  const reached = worst >= threshold - TOLERANCE && (!hasRequired || required === 'PASS');
  return { verdict: reached ? 'PASS' : 'SKIP', score };
}
