/** What every assertion may say: how much it counts, and whether it must hold. */
import type { Share } from '../../../model/grader.ts';
import type { Findings } from './findings.ts';
import { PASS_MARK } from './graded.ts';
import { type Fields, fieldOf, type Part } from './part.ts';
import { booleanIn, numberIn } from './values.ts';

/** A sum of weights must stay a number. */
export const WEIGHTS = { min: 0, max: 1_000_000 };

export const SHARED_KEYS = ['name', 'type', 'weight', 'required', 'negate', 'min_score', 'description'];

export function readShare(part: Fields, findings: Findings): Share & { readonly negate: boolean } {
  const weight = numberIn(fieldOf(part, 'weight'), findings, WEIGHTS);
  const required = requiredIn(fieldOf(part, 'required'), findings);
  const least = numberIn(fieldOf(part, 'min_score'), findings, { min: 0, max: 1, above: true });
  const minScore = least ?? required.minScore;
  return {
    weight: weight ?? 1,
    required: required.required,
    ...(minScore !== null && { minScore }),
    negate: booleanIn(fieldOf(part, 'negate'), findings) ?? false,
  };
}

/** true: the usual pass mark; a number: this one. */
function requiredIn(part: Part | null, findings: Findings): { required: boolean; minScore: number | null } {
  if (part === null || part.value === false) return { required: false, minScore: null };
  if (part.value === true) return { required: true, minScore: PASS_MARK };
  return { required: true, minScore: numberIn(part, findings, { min: 0, max: 1, above: true }) };
}
