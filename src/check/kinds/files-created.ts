/** Files that are there after the agent's work and were not before. */
import { normalizePath, pathProblem } from '../../model/names.ts';
import { nearMisses } from '../../model/nearest.ts';
import { own } from '../../model/own.ts';
import type { CheckResult } from '../check.ts';

export interface FilesSeen {
  /** Relative to the workspace. */
  readonly created: readonly string[];
  /** What came to be and is no file: path → what it is. */
  readonly notFiles: Readonly<Record<string, string>>;
  readonly existedBefore: readonly string[];
}

const NAMED = 5;

export function filesCreated(expected: readonly string[], seen: FilesSeen): CheckResult {
  const actual = [...seen.created];
  const problems = expected.map((path) => problemOf(path, seen));
  const first = problems.findIndex((problem) => problem !== null);
  if (first < 0) return { verdict: 'PASS', message: `all ${expected.length} were created`, actual };
  const message = problems.filter((problem) => problem !== null).join('; ');
  return { verdict: 'FAIL', message, actual, at: [first] };
}

function problemOf(written: string, { created, notFiles, existedBefore }: FilesSeen): string | null {
  const problem = pathProblem(written);
  if (problem) return `${JSON.stringify(written)} ${problem}, so it cannot be in the workspace`;
  const path = normalizePath(written);
  if (/^\.git(?:\/|$)/.test(path)) return `${path} is in the repository’s own folder, which is not looked at`;
  const other = own(notFiles, path);
  if (other !== undefined) return `${path} is ${other}, not a file`;
  if (created.includes(path)) return null;
  if (existedBefore.includes(path)) return `${path} was not created: it was there before the agent started`;
  if (created.some((it) => it.startsWith(`${path}/`))) return `${path} is a folder, not a file`;
  return `${path} was not created${instead(path, created)}`;
}

function instead(path: string, created: readonly string[]): string {
  if (created.length === 0) return '; nothing was';
  const name = path.slice(path.lastIndexOf('/') + 1);
  const sameName = created.filter((it) => it === name || it.endsWith(`/${name}`));
  const close = [...new Set([...sameName, ...nearMisses(path, created)])];
  if (close.length > 0) return `; close to it: ${close.slice(0, NAMED).join(', ')}`;
  const more = created.length > NAMED ? ` and ${created.length - NAMED} more` : '';
  return `; created: ${created.slice(0, NAMED).join(', ')}${more}`;
}
