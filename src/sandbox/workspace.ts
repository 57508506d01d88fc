/** The folder an agent works in: made fresh, looked at before and after. */
import {
  copyFileSync,
  cpSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createPatch } from 'diff';
import { UserError } from '../model/errors.ts';
import { pathProblem } from '../model/names.ts';
import type { FileChange } from '../model/trial.ts';
import type { DiskUse } from './sandbox.ts';

/** One file of a new workspace; `from` is an absolute path, and may be a folder. */
export type WorkspaceFile =
  | { readonly to: string; readonly from: string }
  | { readonly to: string; readonly text: string; readonly executable?: boolean };

/** `root` does not exist yet. Synchronous: for the few small files of a workspace that is several times faster. */
export function makeWorkspace(root: string, files: readonly WorkspaceFile[]): void {
  const made = new Set<string>();
  const folder = (path: string) => {
    if (made.has(path)) return;
    if (path !== root) folder(dirname(path));
    mkdirSync(path);
    made.add(path);
  };
  for (const path of ['.git/objects', '.git/refs']) folder(join(root, path));
  // Enough of a repository to be a root of its own: agents look upwards for instructions until they meet one.
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  for (const file of files) {
    const problem = pathProblem(file.to);
    if (problem) throw new UserError(`the workspace file ${JSON.stringify(file.to)} ${problem}`);
    const target = join(root, file.to);
    folder(dirname(target));
    if ('text' in file) writeFileSync(target, file.text, { mode: file.executable ? 0o755 : 0o644 });
    else if (statSync(file.from).isDirectory())
      cpSync(file.from, target, { recursive: true, verbatimSymlinks: true });
    else copyFileSync(file.from, target);
  }
}

export interface Snapshot {
  readonly root: string;
  /** path → what tells a change. */
  readonly files: ReadonlyMap<string, FileMark>;
  /** False: there is more than was looked at. */
  readonly isWhole: boolean;
  /** Folders that it leaves out on purpose. */
  readonly unseen: readonly string[];
}

/** A workspace as it was made. */
export interface Workspace {
  /** On the host. */
  readonly root: string;
  /** An empty folder that is HOME to whoever works here; null: the sandbox has one. */
  readonly home: string | null;
  readonly files: readonly WorkspaceFile[];
  /** A copy of all of it, where more than `files` was put into it; null: none. */
  readonly original: string | null;
  /** What had to give way in it. */
  readonly warnings: readonly string[];
  readonly before: Snapshot;
  readonly held: DiskUse;
}

interface FileMark {
  readonly mark: string;
  readonly size: number;
  readonly isFile: boolean;
}

const MAX_TEXT = 64 * 1024;
/** Of all changes together. */
const MAX_DIFFS = 16 * 1024 * 1024;
/** Two texts with nothing in common are compared for minutes. */
const MAX_DIFF_MS = 500;
const MAX_DIFFS_MS = 5000;
const MAX_FILES = 200_000;
/** The repository's own files are no work of the agent. */
const UNSEEN = new Set(['.git']);

/** `wanted`: paths that are looked at in any case. `unseen`: those that are not, beside the repository's own files. */
export function takeSnapshot(
  root: string,
  wanted: readonly string[] = [],
  unseen: readonly string[] = [],
): Snapshot {
  const skipped = new Set([...UNSEEN, ...unseen]);
  const files = new Map<string, FileMark>();
  let isWhole = true;
  const walk = (dir: string) => {
    const entries = entriesOf(join(root, dir));
    if (entries === null) isWhole = false;
    for (const entry of entries ?? []) {
      if (files.size >= MAX_FILES) {
        isWhole = false;
        return;
      }
      const path = dir ? `${dir}/${entry.name}` : entry.name;
      if (skipped.has(path) || entry.name.includes(NOT_TEXT)) continue;
      if (entry.isDirectory()) walk(path);
      else look(path);
    }
    if (entries?.some(({ name }) => name.includes(NOT_TEXT))) lookAtBytes(dir);
  };
  /** Names that are no text are known by their bytes. Folders with such names are not gone into. */
  const lookAtBytes = (dir: string) => {
    const folder = `${join(root, dir)}/`;
    for (const entry of readdirSync(folder, { encoding: 'latin1', withFileTypes: true })) {
      const bytes = Buffer.from(entry.name, 'latin1');
      if (!bytes.toString().includes(NOT_TEXT)) continue;
      if (entry.isDirectory()) isWhole = false;
      const name = escapedBytes(bytes);
      const stats = lstatSync(Buffer.concat([Buffer.from(folder), bytes]), { throwIfNoEntry: false });
      if (stats) files.set(dir ? `${dir}/${name}` : name, { ...markOf(stats), isFile: false });
    }
  };
  const look = (path: string) => {
    const stats = statsOf(join(root, path));
    // Its name is too long to be asked about.
    if (stats === null) isWhole = false;
    if (!stats || stats.isDirectory()) return;
    files.set(path, { ...markOf(stats), isFile: stats.isFile() });
  };
  walk('');
  for (const path of wanted) if (!files.has(path) && isBelow(root, path)) look(path);
  return { root, files, isWhole, unseen };
}

/** undefined: it is not there. null: nobody can tell. */
function statsOf(path: string): Stats | undefined | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}

/** Without links on the way, which may lead anywhere. */
function isBelow(root: string, path: string): boolean {
  const parts = path.split('/');
  return parts.every((_, index) => {
    const stats = lstatSync(join(root, ...parts.slice(0, index)), { throwIfNoEntry: false });
    return stats?.isDirectory() === true;
  });
}

const MAX_READ = 16 * 1024 * 1024;

/** The text of a file as an agent left it. Never follows a link: it may lead anywhere on the host. */
export function readWorkspaceText(
  root: string,
  path: string,
): { readonly text: string } | { readonly problem: string; readonly state: 'missing' | 'unreadable' } {
  const stats = isBelow(root, path) && lstatSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return { problem: 'is not there', state: 'missing' };
  if (!stats.isFile()) return { problem: 'is not a regular file', state: 'missing' };
  if (stats.size > MAX_READ)
    return { problem: `is larger than ${MAX_READ / 1024 / 1024} MiB`, state: 'unreadable' };
  try {
    return { text: new TextDecoder().decode(readFileSync(join(root, path))) };
  } catch (error) {
    return { problem: `cannot be read: ${(error as Error).message}`, state: 'unreadable' };
  }
}

/** `original` gives what a file held at the first snapshot; null when nobody knows. */
export function changesBetween(
  before: Snapshot,
  after: Snapshot,
  original: (path: string) => string | null,
): FileChange[] {
  const changes: FileChange[] = [];
  let room = MAX_DIFFS;
  const deadline = performance.now() + MAX_DIFFS_MS;
  const shown = (path: string, was: string | null, is: string | null) => {
    const diff = room > 0 && performance.now() < deadline ? patch(path, was, is) : null;
    room -= diff?.length ?? 0;
    return diff;
  };
  for (const [path, file] of after.files) {
    const old = before.files.get(path);
    if (old?.mark === file.mark && !countsSeconds(file)) continue;
    const text = textOf(join(after.root, path), file);
    if (old?.mark === file.mark && (text === null || original(path) === null)) continue;
    if (!old) changes.push({ path, change: 'created', diff: shown(path, '', text) });
    else if (text === null || text !== original(path)) {
      changes.push({ path, change: 'modified', diff: shown(path, original(path), text) });
    }
  }
  for (const path of before.files.keys()) {
    if (!after.files.has(path) && after.isWhole)
      changes.push({ path, change: 'deleted', diff: shown(path, original(path), '') });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What a file held when the workspace was made. */
export function originalText({
  files,
  original,
}: Pick<Workspace, 'files' | 'original'>): (path: string) => string | null {
  if (original !== null) return (path) => textAt(join(original, path));
  const byPath = new Map(files.map((file) => [file.to, file]));
  return (path) => {
    const file = byPath.get(path);
    if (!file) return null;
    return 'text' in file ? file.text : textAt(file.from);
  };
}

function textAt(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats ? textOf(path, { size: stats.size, isFile: stats.isFile() }) : null;
}

function patch(path: string, before: string | null, after: string | null): string | null {
  if (before === null || after === null) return null;
  // A line break in a name would be one in the header.
  const name = path.replace(/[\p{Cc}\u2028\u2029]/gu, (sign) => JSON.stringify(sign).slice(1, -1));
  return createPatch(name, before, after, undefined, undefined, { context: 3, timeout: MAX_DIFF_MS }) ?? null;
}

/** null: it cannot be read. */
function entriesOf(dir: string): Dirent[] | null {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null;
  }
}

/** What bytes become that are no text. */
const NOT_TEXT = '\ufffd';

/** `b\xff.txt` */
function escapedBytes(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function markOf({ ino, size, ctimeMs }: Stats): Pick<FileMark, 'mark' | 'size'> {
  return { mark: `${ino} ${size} ${ctimeMs}`, size };
}

/** Its disk does: a file may have been changed within the same second, and be as long as it was. */
function countsSeconds({ mark }: FileMark): boolean {
  return Number(mark.split(' ')[2]) % 1000 === 0;
}

/** null: not text, or too long to show. */
function textOf(
  path: string,
  { size, isFile }: { readonly size: number; readonly isFile: boolean },
): string | null {
  if (!isFile || size > MAX_TEXT) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    return null;
  }
}
