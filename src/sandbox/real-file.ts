/** Tells a file that an agent made from what only bears its name. */
import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

const MAX_LINKS = 40;

/**
 * What a path of a workspace is when it is no file and no link to one in the workspace; null: it is one of these.
 * `seenAt`: where the agent saw the workspace, since its links may say so.
 */
export function notAFile(root: string, path: string, seenAt: string): string | null {
  const queue = path.split('/');
  let at: string[] = [];
  for (let links = 0; queue.length > 0; ) {
    const part = queue.shift() ?? '';
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return OUTSIDE;
      continue;
    }
    const here = join(root, ...at, part);
    const stats = lstatSync(here, { throwIfNoEntry: false });
    if (!stats) return links > 0 ? 'a link to nothing' : 'gone';
    if (!stats.isSymbolicLink()) {
      at.push(part);
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) return 'a link to itself';
    const target = readlinkSync(here);
    const inside = withinWorkspace(target, [root, seenAt]);
    if (inside === null) return OUTSIDE;
    if (target.startsWith('/')) at = [];
    queue.unshift(...inside.split('/'));
  }
  const stats = lstatSync(join(root, ...at), { throwIfNoEntry: false });
  if (at[0] === '.git') return 'a link into .git';
  if (stats?.isDirectory()) return 'a link to a folder';
  return stats?.isFile() ? null : 'a pipe, a socket or a device';
}

const OUTSIDE = 'a link that leads out of the workspace';

function withinWorkspace(target: string, roots: readonly string[]): string | null {
  if (!target.startsWith('/')) return target;
  const root = roots.find((it) => target === it || target.startsWith(`${it}/`));
  return root === undefined ? null : target.slice(root.length);
}
