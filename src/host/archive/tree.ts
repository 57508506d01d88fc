/** What is in a folder, as an archive takes it: files, and beside them what an archive has no word for. */
import { constants, createReadStream, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { PackEntry } from './pack.ts';

export interface Tree {
  readonly entries: readonly (PackEntry & { readonly from: string })[];
  /** Names of folders with nothing in them. */
  readonly folders: readonly string[];
  readonly links: readonly { readonly name: string; readonly target: string }[];
  /** Names of links that lead elsewhere, of sockets and of devices: they are not in it. */
  readonly left: readonly string[];
}

/** `name`: what it is called in the archive. `without`: what is not taken, by its path; a folder: none of it. */
export function treeOf(root: string, name: string, without: (path: string) => boolean = () => false): Tree {
  const entries: (PackEntry & { from: string })[] = [];
  const folders: string[] = [];
  const links: { name: string; target: string }[] = [];
  const left: string[] = [];
  const walk = (path: string, at: string) => {
    const stats = lstatSync(path);
    if (stats.isFile()) entries.push(entryOf(path, at, stats.size, (stats.mode & 0o111) !== 0));
    else if (stats.isSymbolicLink()) {
      const target = readlinkSync(path);
      if (staysIn(name, at, target)) links.push({ name: at, target });
      else left.push(at);
    } else if (stats.isDirectory()) {
      const names = readdirSync(path).filter((it) => !without(join(path, it)));
      if (names.length === 0) folders.push(at);
      for (const it of names.sort()) walk(join(path, it), `${at}/${it}`);
    } else left.push(at);
  };
  walk(root, name);
  return { entries, folders, links, left };
}

/** Whether a link at `at` leads to something at or below `root`. Both are relative to the same folder. */
export function staysIn(root: string, at: string, target: string): boolean {
  if (target.startsWith('/') || target === '') return false;
  const steps = target.split('/').filter((step) => step !== '' && step !== '.');
  // Behind a name that is a link itself, .. would lead away from elsewhere.
  if (steps.slice(0, steps.lastIndexOf('..') + 1).some((step) => step !== '..')) return false;
  const path = normalize(join(dirname(at), target)).replace(/\/$/, '');
  return path === root || path.startsWith(`${root}/`);
}

/** What was a file when it was looked at is not a link by now. */
const NO_LINK = (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string;

function entryOf(from: string, name: string, size: number, executable: boolean) {
  // Never more than was announced, also when the file grows meanwhile.
  const content = () => (size === 0 ? [] : createReadStream(from, { end: size - 1, flags: NO_LINK }));
  return { from, name, size, executable, content };
}
