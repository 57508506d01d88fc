/** The workspace of a trial: the files of its case, and the package in the engine's own layout. */
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { normalizePath, pathProblem } from '../model/names.ts';
import type { Trial } from '../model/trial.ts';
import type { Installation } from '../package/install.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import { makeWorkspace, takeSnapshot, type Workspace, type WorkspaceFile } from '../sandbox/workspace.ts';
import type { RunContext } from './eval-context.ts';
import { mergeFiles } from './workspace-files.ts';

/** Lends a pristine workspace. One that a trial left as it found it serves the next trial with the same files. */
export function lendWorkspace<Result>(
  { case: it, id, arm }: Trial,
  context: RunContext,
  installed: Installation,
  use: (workspace: Workspace) => Promise<Result>,
): Promise<Result> {
  const { plan, keepWorkspace, workbench } = context;
  const given: WorkspaceFile[] = it.files.map(({ from, to }) =>
    from === null ? { to, text: '' } : { to, from: workbench.caseFile(from) },
  );
  const packageFiles = installed.files.map((file) =>
    'from' in file ? { to: file.to, from: join(workbench.packageCopy, file.from) } : file,
  );
  const { files, warnings } = mergeFiles(given, packageFiles);
  const make = (dir: string): Workspace => {
    const root = join(dir, 'workspace');
    makeWorkspace(root, files);
    for (const path of writablePaths(plan.settings.writablePaths)) makeWritable(root, path);
    return { root, files, warnings, before: takeSnapshot(root) };
  };
  const discard = (remove: () => Promise<unknown>) => {
    if (!keepWorkspace) context.later(remove());
  };
  // The installation differs between trials only where the sandbox has no fixed places.
  const key = keepWorkspace || !context.sandbox.isolatesFiles ? id : JSON.stringify([arm, it.files]);
  return context.workspaces.lend(key, make, use, discard);
}

/** The workspace, and the only folders in it that may be written when the config names some. */
export function workspaceMounts(
  { root }: Workspace,
  written: readonly string[] | null,
): readonly [Mount, ...Mount[]] {
  const to = '/workspace';
  const inner = writablePaths(written).map((path): Mount => {
    return { from: join(root, path), to: path === '' ? to : `${to}/${path}`, mode: 'rw' };
  });
  return [{ from: root, to, mode: written === null ? 'rw' : 'ro' }, ...inner];
}

/** A link on the way would open whatever it leads to. */
function makeWritable(root: string, path: string): void {
  const parts = path.split('/').filter(Boolean);
  for (const [index] of parts.entries()) {
    const folder = join(root, ...parts.slice(0, index + 1));
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (!stats) mkdirSync(folder);
    else if (!stats.isDirectory())
      throw new UserError(`the writable path ${JSON.stringify(path)} is not a folder in the workspace`);
  }
}

function writablePaths(written: readonly string[] | null): string[] {
  return (written ?? []).map((path) => {
    const problem = pathProblem(path);
    if (problem) throw new UserError(`the writable path ${JSON.stringify(path)} ${problem}`);
    return normalizePath(path);
  });
}
