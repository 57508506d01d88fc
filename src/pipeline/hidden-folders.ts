/** What of the host no agent may see, because the answers are in it. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ancestors } from '../host/programs.ts';

/** Folders that hold much more than one project, even when they are a repository. */
const SHARED = new Set(['/', '/usr', '/usr/local', '/opt', '/home', '/root', '/srv', '/var', '/mnt']);

/** The package and its evals, and the repository that they are in: beside them may lie copies. */
export function hiddenFolders(folders: readonly string[], home: string): string[] {
  const realHome = existsSync(home) ? realpathSync(home) : home;
  const isShared = (dir: string) => SHARED.has(dir) || dir === realHome || realHome.startsWith(`${dir}/`);
  const repositoryOf = (root: string) => ancestors(root).find((dir) => existsSync(join(dir, '.git')));
  const roots = folders.map((folder) => realpathSync(folder));
  const repositories = roots.map(repositoryOf).filter((dir) => dir !== undefined);
  return [...new Set([...roots, ...repositories.filter((dir) => !isShared(dir))])];
}
