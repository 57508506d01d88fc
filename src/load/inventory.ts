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
  let started = 0;
  const realRoot = await realpath(root);
  // Links can lead to the same folder along many paths; the disk is asked once.
  const list = once((dir) => readdir(dir, { withFileTypes: true }));
  const lookAtFile = once(async (path) => ({ entry: describe(await lstat(path)), real: path }));
  const lookAtLink = once((path) => followLink(path, realRoot));
  await walk('', realRoot, []);
  return { files: new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1))), diagnostics };

  async function walk(dir: string, realDir: string, above: readonly string[]): Promise<void> {
    if (above.length > MAX_FOLDERS_DEEP) {
      const message = `is more than ${MAX_FOLDERS_DEEP} folders deep, so what is in it is not read`;
      diagnostics.push(fileFinding('error', dir, { rule: 'too-deep', message }));
      return;
    }
    const children = await list(realDir).catch((it) => unreadable(dir, it));
    // Counted before they are visited: links between folders multiply.
    started += children?.length ?? 0;
    if (started > MAX_ENTRIES) {
      throw new UserError(
        `${root} has more than ${MAX_ENTRIES} files`,
        'point aam at the package’s own folder, not at a folder above it',
      );
    }
    const wanted = dir === '.aam' ? children?.filter(({ name }) => name === 'rules') : children;
    await Promise.all((wanted ?? []).map((child) => visit(child, dir, realDir, [...above, realDir])));
  }

  async function visit(child: Dirent, dir: string, realDir: string, above: readonly string[]): Promise<void> {
    const path = dir ? `${dir}/${child.name}` : child.name;
    const look = child.isSymbolicLink() ? lookAtLink : lookAtFile;
    const found = await look(join(realDir, child.name)).catch((it) => unreadable(path, it));
    if (!found) return;
    const { entry, real } = found;
    entries.set(path, entry);
    if (entry.kind !== 'dir' || entry.link?.inside === false || above.includes(real)) return;
    // `.aam` is a tool's folder that may hold rules.
    if (!TOOL_FOLDERS.has(child.name) || path === '.aam') await walk(path, real, above);
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

interface Found {
  readonly entry: FileEntry;
  /** Where it is when every link is followed. */
  readonly real: string;
}

async function followLink(path: string, realRoot: string): Promise<Found> {
  const target = await readlink(path);
  const real = await realpath(path).catch(() => null);
  if (real === null) {
    return {
      entry: { kind: 'missing', size: 0, executable: false, link: { target, inside: true } },
      real: path,
    };
  }
  const inside = real === realRoot || real.startsWith(realRoot + sep);
  return { entry: { ...describe(await stat(real)), link: { target, inside } }, real };
}

function describe(stats: Awaited<ReturnType<typeof lstat>>): FileEntry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other';
  return { kind, size: Number(stats.size), executable: (Number(stats.mode) & 0o111) !== 0 };
}

function once<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (key) => {
    const result = results.get(key) ?? work(key);
    results.set(key, result);
    return result;
  };
}
