/** Gives a command its own copy of what it may change, without touching the package. */
import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderPool } from './folder-pool.ts';
import type { Mount, Sandbox } from './sandbox.ts';

/** Where a package stands inside a sandbox. */
const PACKAGE_ROOT = '/package';

/** Large folders of tools: shared read-only instead of copied. */
const SHARED = new Set(['node_modules', '.venv', '.git', '.aam', '.agent-packages']);

export interface StageRequest {
  /** Absolute path of the package. */
  readonly package: string;
  /** The part that is copied and may be written, '' for all. New files at the package's root may be written too. */
  readonly focus: string;
  /** A folder that is left out, relative to the package. */
  readonly hidden: string;
}

export interface Stage {
  readonly mounts: readonly Mount[];
  /** The package's root as commands see it. */
  readonly root: string;
}

/** Lends copies of packages. */
export class StagePool {
  readonly #sandbox: Sandbox;
  readonly #folders: FolderPool<Stage>;

  /** `scratch` is an existing folder; the caller removes it in the end. */
  constructor(sandbox: Sandbox, scratch: string) {
    this.#sandbox = sandbox;
    // A copy of a package may be large: none is made only to wait.
    const survivors = { isQuiet: () => sandbox.isQuiet(), perLook: () => 1 };
    this.#folders = new FolderPool(scratch, sandbox.isolatesFiles ? null : survivors);
  }

  lend<Result>(request: StageRequest, use: (stage: Stage) => Promise<Result>): Promise<Result> {
    const key = JSON.stringify([request.package, request.focus, request.hidden]);
    return this.#folders.lend(key, (dir) => layOut(this.#sandbox, request, dir), use);
  }
}

async function layOut(sandbox: Sandbox, request: StageRequest, dir: string): Promise<Stage> {
  const { package: packageRoot, focus } = request;
  const rootDir = join(dir, 'package');
  const top: Mount = { from: rootDir, to: PACKAGE_ROOT, mode: 'rw' };
  const root = sandbox.seenAt(top);
  const hidden = join(packageRoot, request.hidden);
  if (!sandbox.isolatesFiles) {
    await copyTree(packageRoot, rootDir, hidden, (from, to) => symlink(from, to));
    return { mounts: [top], root };
  }

  const mounts: Mount[] = [top];
  const share = async (from: string, to: string) => {
    await mkdir(to);
    mounts.push({ from, to: from.replace(packageRoot, PACKAGE_ROOT), mode: 'ro' });
  };
  if (focus === '') {
    await copyTree(packageRoot, rootDir, hidden, share);
    return { mounts, root };
  }
  await mkdir(rootDir);
  for (const entry of await readdir(packageRoot, { withFileTypes: true })) {
    if (entry.isDirectory()) await share(join(packageRoot, entry.name), join(rootDir, entry.name));
    else await copyEntry(entry, packageRoot, rootDir, hidden, share);
  }
  const copy = join(dir, 'focus');
  mounts.push({ from: copy, to: `${PACKAGE_ROOT}/${focus}`, mode: 'rw' });
  await copyTree(join(packageRoot, focus), copy, hidden, share);
  return { mounts, root };
}

type Share = (from: string, to: string) => Promise<void>;

async function copyTree(from: string, to: string, hidden: string, share: Share): Promise<void> {
  await mkdir(to);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(entries.map((entry) => copyEntry(entry, from, to, hidden, share)));
}

async function copyEntry(
  entry: Dirent,
  fromDir: string,
  toDir: string,
  hidden: string,
  share: Share,
): Promise<void> {
  const from = join(fromDir, entry.name);
  const to = join(toDir, entry.name);
  if (from === hidden) return;
  if (entry.isDirectory() && SHARED.has(entry.name)) await share(from, to);
  else if (entry.isDirectory()) await copyTree(from, to, hidden, share);
  else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
}
