/** Lists everything below a package's root, once, so that later rules need not touch the disk. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type Diagnostic, fileFinding } from '../model/diagnostic.ts';
import { UserError } from '../model/errors.ts';
import type { FileEntry, Inventory } from '../model/package.ts';

/** Folders that belong to tools, not to the package: listed, never entered. */
export const TOOL_FOLDERS: ReadonlySet<string> = new Set([
  ...['node_modules', '.git', '.agent-packages', '.aam', '.venv', '__pycache__'],
]);
const MAX_ENTRIES = 100_000;
const MAX_FOLDERS_DEEP = 64;

export interface InventoryTaken {
  readonly files: Inventory;
  readonly diagnostics: readonly Diagnostic[];
}

export async function takeInventory(root: string): Promise<InventoryTaken> {
  const entries = new Map<string, FileEntry>();
  const diagnostics: Diagnostic[] = [];
  const realRoot = await realpath(root);
  await walk('', realRoot, []);
  return { files: new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1))), diagnostics };

  async function walk(dir: string, realDir: string, above: readonly string[]): Promise<void> {
    if (above.length > MAX_FOLDERS_DEEP) {
      const message = `is more than ${MAX_FOLDERS_DEEP} folders deep, so what is in it is not read`;
      diagnostics.push(fileFinding('error', dir, { rule: 'too-deep', message }));
      return;
    }
    const children = await readdir(realDir, { withFileTypes: true }).catch((it) => unreadable(dir, it));
    const wanted = dir === '.aam' ? children?.filter(({ name }) => name === 'rules') : children;
    await Promise.all((wanted ?? []).map((child) => visit(child, dir, realDir, [...above, realDir])));
  }

  async function visit(child: Dirent, dir: string, realDir: string, above: readonly string[]): Promise<void> {
    const path = dir ? `${dir}/${child.name}` : child.name;
    const absolute = join(realDir, child.name);
    if (entries.size >= MAX_ENTRIES) {
      throw new UserError(
        `${root} has more than ${MAX_ENTRIES} files`,
        'point aam at the package’s own folder, not at a folder above it',
      );
    }
    const looked = child.isSymbolicLink() ? link(absolute) : lstat(absolute).then(describe);
    const entry = await looked.catch((it) => unreadable(path, it));
    if (!entry) return;
    entries.set(path, entry);
    if (entry.kind !== 'dir' || entry.link?.inside === false) return;
    // `.aam` is a tool's folder that may hold rules.
    if (TOOL_FOLDERS.has(child.name) && path !== '.aam') return;
    const target = entry.link ? await realpath(absolute) : absolute;
    if (!above.includes(target)) await walk(path, target, above);
  }

  async function link(absolute: string): Promise<FileEntry> {
    const target = await readlink(absolute);
    const real = await realpath(absolute).catch(() => null);
    if (real === null) return { kind: 'missing', size: 0, executable: false, link: { target, inside: true } };
    const inside = real === realRoot || real.startsWith(realRoot + sep);
    return { ...describe(await stat(absolute)), link: { target, inside } };
  }

  function unreadable(path: string, { code }: NodeJS.ErrnoException): undefined {
    if (code === 'ENOENT') {
      // Either its name could not be decoded, or it vanished while we looked.
      if (path.includes('\ufffd')) {
        const message = 'has a name that is not UTF-8';
        diagnostics.push(fileFinding('error', path, { rule: 'file-name', message, hint: 'rename it' }));
      }
      return;
    }
    const why = code === 'EACCES' || code === 'EPERM' ? 'permission denied' : code;
    const message = `cannot be opened: ${why}`;
    diagnostics.push(fileFinding('error', path || '.', { rule: 'unreadable', message }));
  }
}

function describe(stats: Awaited<ReturnType<typeof lstat>>): FileEntry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other';
  return { kind, size: Number(stats.size), executable: (Number(stats.mode) & 0o111) !== 0 };
}
