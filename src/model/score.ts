/** Scores go from 0 to 1; null: undecided. */

/** Sums of weights such as 0.1 are a little off. */
const TOLERANCE = 1e-9;

export function reaches(score: number, needed: number): boolean {
  return score >= needed - TOLERANCE;
}

/** Of a part that has passed from `minScore` on; left out: only as a whole. */
export function verdictOfScore(score: number | null, minScore = 1): 'PASS' | 'FAIL' | 'SKIP' {
  if (score === null) return 'SKIP';
  return reaches(score, minScore) ? 'PASS' : 'FAIL';
}

/** Neither none nor all of it. */
export function isPartial(score: number | null | undefined): score is number {
  return typeof score === 'number' && score > 0 && score < 1;
}

/** 0.6666 → `0.67`; what is not all is never shown as all. */
export function scoreWords(score: number): string {
  if (score > 0.99 && score < 1) return '>0.99';
  if (score < 0.01 && score > 0) return '<0.01';
  return String(Math.round(score * 100) / 100);
}

/** What stands behind the name of a part that holds in part: ` (0.67)`. */
export function partWords(score: number | null | undefined): string {
  return isPartial(score) ? ` (${scoreWords(score)})` : '';
}

/** The same of a criterion, which has a score only with a scale: ` (7/10)`. */
export function criterionWords(score: number | null | undefined): string {
  return typeof score === 'number' ? ` (${outOfTen(score)})` : '';
}

/** As a judge gives them: 0.7 → `7/10`. */
export function outOfTen(score: number): string {
  return `${Math.round(score * 100) / 10}/10`;
}
