/** Files that are there after the agent's work, whoever made them; and what one of them holds. */
import { normalizePath, pathProblem } from '../../model/names.ts';
import { nearMisses } from '../../model/nearest.ts';
import type { CheckResult, GraderResult } from '../check.ts';
import { contains, notContains } from './contains.ts';

/** `present`: relative to the workspace. */
export function filesExist(expected: readonly string[], present: readonly string[]): CheckResult {
  const problems = expected.flatMap((path) => problemOf(path, present) ?? []);
  if (problems.length === 0)
    return { verdict: 'PASS', message: `all ${expected.length} are there`, actual: null };
  return { verdict: 'FAIL', message: problems.join('; '), actual: null };
}

function problemOf(written: string, present: readonly string[]): string | null {
  const problem = pathProblem(written);
  if (problem) return `${JSON.stringify(written)} ${problem}, so it cannot be in the workspace`;
  const path = normalizePath(written);
  if (present.includes(path)) return null;
  if (present.some((it) => it.startsWith(`${path}/`))) return `${path} is a folder, not a file`;
  const close = nearMisses(path, present);
  return `${path} is not there${close.length > 0 ? `; close to it: ${close.join(', ')}` : ''}`;
}

/** The text of a file of the workspace, or why there is none. `unreadable`: it is there, but aam cannot tell. */
export type FileText =
  | { readonly text: string }
  | { readonly problem: string; readonly state: 'missing' | 'unreadable' };

interface FileContent {
  readonly path: string;
  readonly values: readonly string[];
  readonly match: 'all' | 'any' | 'none';
  readonly ignoreCase?: boolean | undefined;
}

export function fileContains(
  { path, values, match, ignoreCase }: FileContent,
  read: (path: string) => FileText,
): GraderResult {
  const problem = pathProblem(path);
  if (problem) return { verdict: 'FAIL', message: `${JSON.stringify(path)} ${problem}` };
  const file = read(normalizePath(path));
  if ('text' in file)
    return match === 'none'
      ? notContains(values, file.text, path, null, ignoreCase)
      : contains(values, file.text, path, { match, ignoreCase });
  return { verdict: file.state === 'missing' ? 'FAIL' : 'SKIP', message: `${path} ${file.problem}` };
}
