/** What of the host no agent may see, because the answers are in it. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ancestors } from '../host/programs.ts';

/** Folders that hold much more than one project, even when they are a repository. */
const SHARED = new Set(['/', '/usr', '/usr/local', '/opt', '/home', '/root', '/srv', '/var', '/mnt']);

/** The package and its evals, and the repository that they are in: beside them may lie copies. */
export function hiddenFolders(folders: readonly string[], userHome: string): string[] {
  const roots = folders.map((folder) => realpathSync(folder));
  const repositories = roots.map((root) => repositoryOf(root, userHome)).filter((dir) => dir !== null);
  return [...new Set([...roots, ...repositories])];
}

/** What a folder of the user's belongs to, since commands in it reach for their neighbours: never more than a project. */
export function projectAround(folder: string, home: string, userHome: string): string {
  const isInHome = folder === home || folder.startsWith(`${home}/`);
  return repositoryOf(folder, userHome) ?? (isInHome ? home : folder);
}

function repositoryOf(folder: string, userHome: string): string | null {
  const realHome = existsSync(userHome) ? realpathSync(userHome) : userHome;
  const isShared = (dir: string) => SHARED.has(dir) || dir === realHome || realHome.startsWith(`${dir}/`);
  const repository = ancestors(folder).find((dir) => existsSync(join(dir, '.git')));
  return repository === undefined || isShared(repository) ? null : repository;
}
