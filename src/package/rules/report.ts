/** Short ways for rules to say what they found. */
import { type Diagnostic, fileFinding, finding, type Located, type Path } from '../../model/diagnostic.ts';
import { normalizePath, pathProblem } from '../../model/names.ts';
import { nearest } from '../../model/nearest.ts';
import type { AgentPackage, Inventory } from '../../model/package.ts';
import { filesBelow } from '../files-below.ts';

type Where = Pick<Located<unknown>, 'file' | 'at'>;

export function error(
  where: Where,
  path: Path,
  rule: string,
  message: string,
  hint?: string,
  part?: 'key' | 'value',
): Diagnostic {
  return finding('error', where, path, { rule, message, hint }, part);
}

export function warning(
  where: Where,
  path: Path,
  rule: string,
  message: string,
  hint?: string,
  part?: 'key' | 'value',
): Diagnostic {
  return finding('warning', where, path, { rule, message, hint }, part);
}

/** Whether reading found mistakes in a file. */
export function hasErrors({ diagnostics }: AgentPackage, file: string | null): boolean {
  return diagnostics.some((it) => it.severity === 'error' && it.file === file);
}

export function fileError(file: string, rule: string, message: string, hint?: string): Diagnostic {
  return fileFinding('error', file, { rule, message, hint });
}

export function fileWarning(file: string, rule: string, message: string, hint?: string): Diagnostic {
  return fileFinding('warning', file, { rule, message, hint });
}

/** A written path made relative to the root; or the finding that it may not be used. */
export function insidePath(
  where: Where,
  at: Path,
  written: string,
  base = '',
): { path: string } | { problem: Diagnostic } {
  const problem = pathProblem(written);
  if (problem === null) return { path: normalizePath(base ? `${base}/${written}` : written) };
  return {
    problem: error(
      where,
      at,
      'path-outside',
      `the path ${JSON.stringify(written)} ${problem}`,
      'paths are relative and stay inside the package',
    ),
  };
}

interface NamedFile {
  /** Folder that the path is relative to. */
  readonly base?: string;
  /** What such files are called, in the plural. */
  readonly noun: string;
  readonly folderAllowed?: boolean;
}

/** A file that a document names is there, and in the package. */
export function* namedFile(
  where: Where,
  at: Path,
  written: string,
  files: Inventory,
  { base = '', noun, folderAllowed = false }: NamedFile,
): Iterable<Diagnostic> {
  const checked = insidePath(where, at, written, base);
  if ('problem' in checked) return yield checked.problem;
  const { path } = checked;
  const entry = files.get(path);
  const kind = path === '' ? 'dir' : (entry?.kind ?? 'missing');
  if (kind === 'missing') {
    const hint = suggestFile(written, candidates(files, base, path), noun);
    yield error(where, at, 'missing-file', `${path} does not exist`, hint);
  } else if (kind === 'dir' && !folderAllowed) {
    yield error(where, at, 'not-a-file', `${path || '.'} is a folder, not a file`);
  } else if (entry?.link?.inside === false) {
    const hint = 'copy the file into the package';
    yield error(where, at, 'link-outside', `${path} is a link that leads out of the package`, hint);
  }
}

const MANY = 200;

/** Files below a folder, as written from there; of many, only those in the same folder as the missing one. */
function candidates(files: Inventory, base: string, missing: string): string[] {
  const all = filesBelow(files, base && `${base}/`);
  const few = all.length <= MANY ? all : filesBelow(files, missing.slice(0, missing.lastIndexOf('/') + 1));
  // A case is looked for only from the root: below, what is missing is a fixture.
  return few
    .filter((path) => base === '' || !/\/cases\/[^/]+\.ya?ml$|\/(?:test|eval)-config\.json$/.test(path))
    .slice(0, MANY)
    .map((path) => path.slice(base ? base.length + 1 : 0));
}

/** "did you mean …?", else what there is to choose from. */
export function suggest(word: string, candidates: readonly string[], noun: string): string | undefined {
  const meant = nearest(word, candidates);
  if (meant) return `did you mean ${meant}?`;
  if (candidates.length === 0) return `the package has no ${noun}`;
  return candidates.length <= 8 ? `there is: ${candidates.join(', ')}` : undefined;
}

/** Like `suggest`, but a file of the same name in another folder is the best guess. */
export function suggestFile(word: string, candidates: readonly string[], noun: string): string | undefined {
  const name = word.slice(word.lastIndexOf('/') + 1);
  const moved = candidates.find((it) => it === name || it.endsWith(`/${name}`));
  return moved && name ? `did you mean ${moved}?` : suggest(word, candidates, noun);
}

/** A word of a list that is open: others may come to be, so an unknown one is only warned about. */
export function* openWord(
  where: Where,
  at: Path,
  word: string,
  known: readonly string[],
): Iterable<Diagnostic> {
  if (known.includes(word)) return;
  const meant = nearest(word, known);
  const hint = meant ? `did you mean ${meant}?` : `known: ${known.join(', ')}`;
  yield warning(where, at, 'unknown-value', `${JSON.stringify(word)} is not known here`, hint);
}
