/** What of the host no agent may see, because the answers are in it. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ancestors } from '../host/programs.ts';

/** Folders that hold much more than one project, even when they are a repository. */
const SHARED = new Set(['/', '/usr', '/usr/local', '/opt', '/home', '/root', '/srv', '/var', '/mnt']);

/** The package and its evals, and the repository that they are in: beside them may lie copies. */
export function hiddenFolders(folders: readonly string[], home: string): string[] {
  const roots = folders.map((folder) => realpathSync(folder));
  const repositories = roots.map((root) => repositoryOf(root, home)).filter((dir) => dir !== null);
  return [...new Set([...roots, ...repositories])];
}

/** The repository that a folder is in; null: none, or one that holds much more than a project. */
export function repositoryOf(folder: string, home: string): string | null {
  const dir = ancestors(folder).find((it) => existsSync(join(it, '.git')));
  return dir === undefined || isShared(dir, home) ? null : dir;
}

/** What a folder of the user's belongs to, since commands in it reach for their neighbours: never more than a project. */
export function projectAround(folder: string, home: string, userHome: string): string {
  const isInHome = folder === home || folder.startsWith(`${home}/`);
  return repositoryOf(folder, userHome) ?? (isInHome ? home : folder);
}

/** Of a folder that came with a bundle: what a stranger names must not widen it. */
export function projectAmong(projects: readonly string[], folder: string): string {
  return projects.find((root) => folder === root || folder.startsWith(`${root}/`)) ?? folder;
}

export function isShared(dir: string, home: string): boolean {
  const realHome = existsSync(home) ? realpathSync(home) : home;
  return SHARED.has(dir) || dir === realHome || realHome.startsWith(`${dir}/`);
}
