/** How much a text is like a golden one: twice the lines they share in this order, over all lines of both. */
import { diffArrays } from 'diff';
import type { Golden } from '../../model/grader.ts';
import { reaches } from '../../model/score.ts';
import { type GraderResult, graded } from '../check.ts';

/** Texts without a line in common take long to compare. */
const MAX_MS = 2_000;

export function golden(
  { path, text, ignoreSpace, least }: Golden,
  actual: string,
  where: string,
): GraderResult {
  if (text === null) return { verdict: 'SKIP', message: `the golden file ${path} is not there` };
  const ratio = lineRatio(prepared(text, ignoreSpace), prepared(actual, ignoreSpace));
  if (ratio === null)
    return { verdict: 'SKIP', message: `${where} and ${path} are too long and too different to be compared` };
  const message = `${where} is like ${path} by ${shown(ratio)}`;
  if (least === undefined) return graded(ratio, message);
  const holds = reaches(ratio, least);
  return { verdict: holds ? 'PASS' : 'FAIL', message: holds ? message : `${message}, not by ${least}` };
}

/** Rounded down: what misses its threshold must not look as if it reached it. */
function shown(ratio: number): string {
  return (Math.floor(ratio * 100 + 1e-9) / 100).toFixed(2);
}

/** null: it takes too long to find out. */
export function lineRatio(a: string, b: string): number | null {
  const [left, right] = [linesOf(a), linesOf(b)];
  const total = left.length + right.length;
  if (total === 0) return 1;
  const changes = diffArrays(left, right, { timeout: MAX_MS });
  if (changes === undefined) return null;
  const common = changes.reduce((sum, it) => sum + (it.added || it.removed ? 0 : it.value.length), 0);
  return (2 * common) / total;
}

/** With what ends them: a last line without a line break is another one. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

function prepared(text: string, ignoreSpace: boolean): string {
  if (!ignoreSpace) return text;
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .join('\n');
}
