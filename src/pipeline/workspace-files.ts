/** Which files a workspace has when case and package both bring some. Pure. */
import { UserError } from '../model/errors.ts';
import { normalizePath } from '../model/names.ts';
import type { Trial } from '../model/trial.ts';
import { installation } from '../package/install.ts';
import type { WorkspaceFile } from '../sandbox/workspace.ts';
import type { EvalPlan } from './eval-plan.ts';

/** Only names the package; a case may be about this very file. */
const CASE_WINS = new Set(['package.agent.json']);

interface Merged {
  readonly files: readonly WorkspaceFile[];
  readonly warnings: readonly string[];
}

/** The package is what is under test, so what it installs stays as it is. */
export function mergeFiles(given: readonly WorkspaceFile[], installed: readonly WorkspaceFile[]): Merged {
  const files = new Map(given.map((file) => [file.to, file]));
  const warnings: string[] = [];
  for (const file of installed) {
    const both = files.has(file.to);
    const winner = both && CASE_WINS.has(file.to) ? 'case' : 'package';
    if (both) warnings.push(`${file.to}: both case and package bring it; the one of the ${winner} counts`);
    if (winner === 'package') files.set(file.to, file);
  }
  return { files: [...files.values()], warnings };
}

/** Throws a UserError for a case whose workspace cannot be made: better known before a run than in the middle of it. */
export function requireLayouts(
  { pkg, engineName, settings }: Pick<EvalPlan, 'pkg' | 'engineName' | 'settings'>,
  trials: readonly Trial[],
): void {
  const instructions = pkg.instructions === null ? null : 'x';
  const { files } = installation(pkg, engineName, { packageRoot: '/package', shim: ['shim'], instructions });
  const installed = files.map(({ to }) => to);
  const writable = (settings.writablePaths ?? []).map(normalizePath);
  for (const { case: it } of trials) {
    const problem = layoutProblem([...it.files.map(({ to }) => to), ...installed], writable);
    if (problem !== null)
      throw new UserError(`${it.file}:${it.line}: the workspace cannot be made: ${problem}`);
  }
}

function layoutProblem(paths: readonly string[], writable: readonly string[]): string | null {
  const files = new Set(paths);
  for (const path of paths) {
    const above = foldersAbove(path).find((folder) => files.has(folder));
    if (above !== undefined) return `${above} would be a file and, for ${path}, a folder`;
  }
  const blocked = writable.find((path) => [path, ...foldersAbove(path)].some((it) => files.has(it)));
  return blocked === undefined ? null : `the writable path ${blocked} is a file, and must be a folder`;
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
