/** Lists everything below a package's root, once, so that later rules need not touch the disk. */
import {
  type Dirent,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
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

/** Synchronous, because thousands of small questions to the disk cost several times as much when each is a promise. */
export function takeInventory(root: string): InventoryTaken {
  const entries = new Map<string, FileEntry>();
  const diagnostics: Diagnostic[] = [];
  const realRoot = realpathSync(root);
  // Links can lead to the same folder along many paths; the disk is asked once.
  const list = once((dir) => readdirSync(dir, { withFileTypes: true }));
  const lookAtFile = once((path): Found => ({ entry: describe(lstatSync(path)), real: path }));
  const lookAtLink = once((path) => followLink(path, realRoot));
  walk('', realRoot, []);
  return { files: new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1))), diagnostics };

  function walk(dir: string, realDir: string, above: readonly string[]): void {
    if (above.length > MAX_FOLDERS_DEEP) {
      const message = `is more than ${MAX_FOLDERS_DEEP} folders deep, so what is in it is not read`;
      diagnostics.push(fileFinding('error', dir, { rule: 'too-deep', message }));
      return;
    }
    const children = attempt(dir, () => list(realDir)) ?? [];
    for (const child of children) {
      if (dir !== '.aam' || child.name === 'rules') visit(child, dir, realDir, [...above, realDir]);
    }
  }

  function visit(child: Dirent, dir: string, realDir: string, above: readonly string[]): void {
    const path = dir ? `${dir}/${child.name}` : child.name;
    const look = child.isSymbolicLink() ? lookAtLink : lookAtFile;
    const found = attempt(path, () => look(join(realDir, child.name)));
    if (!found) return;
    const { entry, real } = found;
    entries.set(path, entry);
    if (entries.size > MAX_ENTRIES) {
      throw new UserError(
        `${root} has more than ${MAX_ENTRIES} files`,
        'point aam at the package’s own folder, not at a folder above it',
      );
    }
    if (entry.kind !== 'dir' || entry.link?.inside === false || above.includes(real)) return;
    // `.aam` is a tool's folder that may hold rules.
    if (!TOOL_FOLDERS.has(child.name) || path === '.aam') walk(path, real, above);
  }

  /** What the disk answers, or undefined after reporting why it does not. */
  function attempt<T>(path: string, ask: () => T): T | undefined {
    try {
      return ask();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      // Either its name could not be decoded, or it vanished while we looked.
      if (code === 'ENOENT' && !path.includes('\ufffd')) return undefined;
      const problem =
        code === 'ENOENT'
          ? { rule: 'file-name', message: 'has a name that is not UTF-8', hint: 'rename it' }
          : {
              rule: 'unreadable',
              message: `cannot be opened: ${DENIED.has(code) ? 'permission denied' : code}`,
            };
      diagnostics.push(fileFinding('error', path || '.', problem));
      return undefined;
    }
  }
}

const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

interface Found {
  readonly entry: FileEntry;
  /** Where it is when every link is followed. */
  readonly real: string;
}

function followLink(path: string, realRoot: string): Found {
  const target = readlinkSync(path);
  const real = whereItLeads(path);
  if (real === null) {
    const entry = { kind: 'missing', size: 0, executable: false, link: { target, inside: true } } as const;
    return { entry, real: path };
  }
  const inside = real === realRoot || real.startsWith(realRoot + sep);
  return { entry: { ...describe(statSync(real)), link: { target, inside } }, real };
}

function whereItLeads(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function describe(stats: Stats): FileEntry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : 'other';
  return { kind, size: stats.size, executable: (stats.mode & 0o111) !== 0 };
}

function once<T>(work: (key: string) => T): (key: string) => T {
  const results = new Map<string, T>();
  return (key) => {
    if (!results.has(key)) results.set(key, work(key));
    return results.get(key) as T;
  };
}
