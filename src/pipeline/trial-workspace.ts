/** The workspace of a trial: the files of its case, and the package in the engine's own layout. */
import { createHash } from 'node:crypto';
import { constants, cpSync, lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { normalizePath, pathProblem } from '../model/names.ts';
import type { Trial } from '../model/trial.ts';
import type { Installation } from '../package/install.ts';
import type { Mount } from '../sandbox/sandbox.ts';
import { diskUse } from '../sandbox/watch.ts';
import { makeWorkspace, takeSnapshot, type Workspace, type WorkspaceFile } from '../sandbox/workspace.ts';
import type { RunContext } from './eval-context.ts';
import { SetupFailed, setUp } from './trial-setup.ts';
import { mergeFiles } from './workspace-files.ts';

/** Lends a pristine workspace. One that a trial left as it found it serves the next trial with the same files. */
export function lendWorkspace<Result>(
  trial: Trial,
  context: RunContext,
  installed: Installation,
  use: (workspace: Workspace, isUntouched: (forGood: boolean) => boolean) => Promise<Result>,
): Promise<Result> {
  const { case: it, arm } = trial;
  const { plan, keepWorkspace, workbench, sandbox } = context;
  const make = async (dir: string): Promise<Workspace> => {
    const root = join(dir, 'workspace');
    const given: WorkspaceFile[] = it.files.map(({ from, to }) =>
      from === null ? { to, text: '' } : { to, from: workbench.caseFile(from) },
    );
    const packageFiles = installed.files.map((file) =>
      'from' in file ? { to: file.to, from: join(workbench.packageCopy, file.from) } : file,
    );
    const { files, warnings } = mergeFiles(given, packageFiles);
    makeWorkspace(root, files);
    const home = sandbox.isolatesFiles ? null : join(dir, 'home');
    if (home !== null) mkdirSync(home, { mode: 0o700 });
    const original = it.setup ? join(dir, 'original') : null;
    if (original !== null) {
      await setUpAround(trial, context, root, installed);
      cpSync(root, original, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    }
    for (const path of writablePaths(plan.settings.writablePaths)) makeWritable(root, path);
    const before = takeSnapshot(
      root,
      [],
      it.setup?.repositories.map(({ to }) => gitFolder(to)),
    );
    return { root, home, files, original, warnings, before, held: await diskUse([root]) };
  };
  const discard = (dir: string) => {
    if (!keepWorkspace) context.rubbish.add(dir);
  };
  const isOwn = keepWorkspace || it.setup !== undefined;
  const key = isOwn ? null : JSON.stringify([arm, it.files, ownTexts(installed, context)]);
  return context.workspaces.lend(key, make, use, discard);
}

/** Where the sandbox has no fixed places, what is installed may differ between trials: a hash of it. */
function ownTexts(installed: Installation, { sandbox }: RunContext): string | null {
  if (sandbox.isolatesFiles) return null;
  const known = HASHES.get(installed);
  if (known !== undefined) return known;
  const texts = installed.files.filter((it) => 'text' in it);
  const hash = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  HASHES.set(installed, hash);
  return hash;
}

const HASHES = new WeakMap<Installation, string>();

/** What the package brings is under test, so it must still be there as it was. */
async function setUpAround(
  trial: Trial,
  context: RunContext,
  root: string,
  { files }: Installation,
): Promise<void> {
  const marks = () => files.map(({ to }) => markAt(join(root, to)));
  const before = marks();
  await setUp(trial, context, root);
  const changed = marks().findIndex((mark, index) => mark !== before[index]);
  const path = files[changed]?.to;
  if (path !== undefined)
    throw new SetupFailed(`the setup of the case changed ${path}, which the package brings`);
}

function markAt(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '';
}

function gitFolder(to: string): string {
  return join(to, '.git');
}

/** The workspace, and the only folders in it that may be written when the config names some. */
export function workspaceMounts(
  { root, held }: Workspace,
  written: readonly string[] | null,
): readonly [Mount, ...Mount[]] {
  const to = '/workspace';
  const inner = writablePaths(written).map((path): Mount => {
    return { from: join(root, path), to: path === '' ? to : `${to}/${path}`, mode: 'rw' };
  });
  return [{ from: root, to, mode: written === null ? 'rw' : 'ro', held }, ...inner];
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
