/** How much a text is like a golden one: twice the lines they share in this order, over all lines of both. */
import { diffArrays } from 'diff';
import type { Golden } from '../../model/grader.ts';
import { type GraderResult, graded } from '../check.ts';

/** Texts without a line in common take long to compare. */
const MAX_MS = 2_000;

export function golden({ path, text, ignoreSpace }: Golden, actual: string, where: string): GraderResult {
  if (text === null) return { verdict: 'SKIP', message: `the golden file ${path} is not there` };
  const ratio = lineRatio(prepared(text, ignoreSpace), prepared(actual, ignoreSpace));
  if (ratio === null)
    return { verdict: 'SKIP', message: `${where} and ${path} are too long and too different to be compared` };
  return graded(ratio, `${where} is like ${path} by ${ratio.toFixed(2)}`);
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
