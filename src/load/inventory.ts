/** Lists everything below a package's root, once, so that later rules need not touch the disk. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { FileEntry, Inventory } from '../model/package.ts';

/** Folders that belong to tools, not to the package: listed, never entered. */
const SKIPPED = new Set(['node_modules', '.git', '.agent-packages', '.aam', '.venv', '__pycache__']);
const MAX_ENTRIES = 100_000;
const MAX_FOLDERS_DEEP = 64;

export async function takeInventory(root: string): Promise<Inventory> {
  const entries = new Map<string, FileEntry>();
  const realRoot = await realpath(root);
  await walk('', realRoot, []);
  if (entries.has('.aam')) await walk('.aam/rules', join(realRoot, '.aam/rules'), []);
  return new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

  async function walk(dir: string, realDir: string, ancestors: readonly string[]): Promise<void> {
    if (ancestors.length > MAX_FOLDERS_DEEP) return;
    const children = await readdir(realDir, { withFileTypes: true }).catch(() => []);
    await Promise.all(children.map((child) => visit(child, dir, realDir, ancestors)));
  }

  async function visit(
    child: Dirent,
    dir: string,
    realDir: string,
    ancestors: readonly string[],
  ): Promise<void> {
    const path = dir ? `${dir}/${child.name}` : child.name;
    const absolute = join(realDir, child.name);
    if (entries.size >= MAX_ENTRIES) {
      throw new UserError(
        `${root} has more than ${MAX_ENTRIES} files`,
        'point aam at the package’s own folder, not at a folder above it',
      );
    }
    const entry = child.isSymbolicLink() ? await link(absolute) : await plain(absolute);
    if (!entry) return;
    entries.set(path, entry);
    if (entry.kind !== 'dir' || SKIPPED.has(child.name) || entry.link?.inside === false) return;
    const target = entry.link ? await realpath(absolute) : absolute;
    if (!ancestors.includes(target)) await walk(path, target, [...ancestors, realDir]);
  }

  async function link(absolute: string): Promise<FileEntry> {
    const target = await readlink(absolute);
    const real = await realpath(absolute).catch(() => null);
    if (real === null) return { kind: 'missing', size: 0, executable: false, link: { target, inside: true } };
    const inside = real === realRoot || real.startsWith(realRoot + sep);
    return { ...describe(await stat(absolute)), link: { target, inside } };
  }
}

/** undefined: it vanished while we looked. */
async function plain(absolute: string): Promise<FileEntry | undefined> {
  return lstat(absolute).then(describe, () => undefined);
}

function describe(stats: Awaited<ReturnType<typeof lstat>>): FileEntry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other';
  return { kind, size: Number(stats.size), executable: (Number(stats.mode) & 0o111) !== 0 };
}
