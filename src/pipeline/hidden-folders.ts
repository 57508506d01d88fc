/** What of the host no agent may see, because the answers are in it. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ancestors } from '../host/programs.ts';

/** Folders that hold much more than one project, even when they are a repository. */
const SHARED = new Set(['/', '/usr', '/usr/local', '/opt', '/home', '/root', '/srv', '/var', '/mnt']);

/** The package, and the repository that it is in: beside it may lie copies of its evals. */
export function hiddenFolders(packageRoot: string, home: string): string[] {
  const root = realpathSync(packageRoot);
  const realHome = existsSync(home) ? realpathSync(home) : home;
  const isShared = (dir: string) => SHARED.has(dir) || dir === realHome || realHome.startsWith(`${dir}/`);
  const repository = ancestors(root).find((dir) => existsSync(join(dir, '.git')));
  return repository === undefined || repository === root || isShared(repository)
    ? [root]
    : [root, repository];
}
