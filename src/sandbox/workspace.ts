/** The folder an agent works in: made fresh, looked at before and after. */
import {
  copyFileSync,
  cpSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createPatch } from 'diff';
import { UserError } from '../model/errors.ts';
import { pathProblem } from '../model/names.ts';
import type { FileChange } from '../model/trial.ts';

/** One file of a new workspace; `from` is an absolute path, and may be a folder. */
export type WorkspaceFile =
  | { readonly to: string; readonly from: string }
  | { readonly to: string; readonly text: string; readonly executable?: boolean };

/** Synchronous: for the few small files of a workspace that is several times faster. */
export function makeWorkspace(root: string, files: readonly WorkspaceFile[]): void {
  mkdirSync(join(root, '.git', 'objects'), { recursive: true });
  mkdirSync(join(root, '.git', 'refs'));
  // Enough of a repository to be a root of its own: agents look upwards for instructions until they meet one.
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(root, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n');
  const folders = new Set<string>([root]);
  for (const file of files) {
    const problem = pathProblem(file.to);
    if (problem) throw new UserError(`the workspace file ${JSON.stringify(file.to)} ${problem}`);
    const target = join(root, file.to);
    const folder = dirname(target);
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    if ('text' in file) writeFileSync(target, file.text, { mode: file.executable ? 0o755 : 0o644 });
    else if (statSync(file.from).isDirectory())
      cpSync(file.from, target, { recursive: true, verbatimSymlinks: true });
    else copyFileSync(file.from, target);
  }
}

export interface Snapshot {
  /** path → what tells a change. */
  readonly files: ReadonlyMap<string, string>;
  /** Text of small files, for showing what changed. */
  readonly texts: ReadonlyMap<string, string>;
}

const MAX_TEXT = 64 * 1024;
const MAX_FILES = 20_000;
/** The repository's own files are no work of the agent. */
const UNSEEN = new Set(['.git']);

export function takeSnapshot(root: string): Snapshot {
  const files = new Map<string, string>();
  const texts = new Map<string, string>();
  const walk = (dir: string) => {
    for (const entry of entriesOf(join(root, dir))) {
      if (files.size >= MAX_FILES) return;
      const path = dir ? `${dir}/${entry.name}` : entry.name;
      if (UNSEEN.has(path)) continue;
      if (entry.isDirectory()) walk(path);
      else look(path);
    }
  };
  const look = (path: string) => {
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (!stats) return;
    files.set(path, `${stats.ino} ${stats.size} ${stats.ctimeMs}`);
    if (stats.isFile() && stats.size <= MAX_TEXT) {
      const text = textOf(join(root, path));
      if (text !== null) texts.set(path, text);
    }
  };
  walk('');
  return { files, texts };
}

export function changesBetween(before: Snapshot, after: Snapshot): FileChange[] {
  const changes: FileChange[] = [];
  for (const [path, mark] of after.files) {
    const old = before.files.get(path);
    if (old === undefined)
      changes.push({ path, change: 'created', diff: patch(path, '', after.texts.get(path)) });
    else if (old !== mark && !sameText(before.texts.get(path), after.texts.get(path))) {
      changes.push({
        path,
        change: 'modified',
        diff: patch(path, before.texts.get(path), after.texts.get(path)),
      });
    }
  }
  for (const path of before.files.keys()) {
    if (!after.files.has(path))
      changes.push({ path, change: 'deleted', diff: patch(path, before.texts.get(path), '') });
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Rewriting a file with what it held is no change; of files that are not text only their times tell. */
function sameText(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && before === after;
}

function patch(path: string, before: string | undefined, after: string | undefined): string | null {
  if (before === undefined || after === undefined) return null;
  return createPatch(path, before, after, undefined, undefined, { context: 3 });
}

function entriesOf(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** null: not text. */
function textOf(path: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch {
    return null;
  }
}
