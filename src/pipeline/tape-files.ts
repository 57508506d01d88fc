/** Tapes as files: where those of a package and of its eval files are. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import { type EvalSource, loadSource } from './eval-source.ts';
import { shownPath, tapeFolder } from './tapes.ts';
import { evalFilesIn } from './validate-suites.ts';

export interface TapeFilesRequest {
  readonly host: Host;
  /** An eval file, or a folder; null: the package around the working folder, with the eval files of its skills. */
  readonly path: string | null;
  /** Absolute; null: evals/tapes. */
  readonly folder: string | null;
}

/** A folder of tapes, and whose tapes they may be. */
export interface TapeShelf {
  /** As people find it. */
  readonly folder: string;
  /** At least one. */
  readonly sources: readonly EvalSource[];
  /** Absolute, sorted; never empty. */
  readonly paths: readonly string[];
}

export interface TapeShelves {
  readonly shelves: readonly TapeShelf[];
  shown(path: string): string;
}

/** `isWanted`: by the name of the file. Throws a UserError when there is none. */
export async function findTapes(
  { host, path, folder: given }: TapeFilesRequest,
  isWanted: (name: string) => boolean,
): Promise<TapeShelves> {
  const first = await loadSource(path, host);
  const sources = path === null ? [first, ...(await otherSources(first, host))] : [first];
  const shown = (it: string) => shownPath(first.home, it);
  const folders = new Set(sources.map(({ home }) => tapeFolder(home, given)));
  const shelves: TapeShelf[] = [];
  for (const folder of folders) {
    const own = sources.filter(({ home }) => tapeFolder(home, given) === folder);
    const names = (await namesIn(folder, shown(folder))).filter(isWanted).sort();
    const paths = names.map((name) => join(folder, name));
    if (paths.length > 0) shelves.push({ folder: shown(folder), sources: own, paths });
  }
  if (shelves.length > 0) return { shelves, shown };
  const where = shown(tapeFolder(first.home, given));
  const words = ['aam eval', ...(path === null ? [] : [path]), '--tape record'];
  if (given !== null) words.push(`--tapes ${relative(host.cwd, given) || '.'}`);
  throw new UserError(`there are no tapes in ${where}`, `make some:  ${words.join(' ')}`);
}

/** Throws a UserError that says which file it is about. */
export async function readTapeFile(path: string, shown: string): Promise<string> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`${shown} cannot be read: ${whyNot(error)}`);
  });
}

async function otherSources({ pkg, home, file }: EvalSource, host: Host): Promise<EvalSource[]> {
  const own = file === null ? null : join(home, file);
  const files = evalFilesIn(pkg, () => true).filter((it) => it !== own);
  return await Promise.all(files.map((it) => loadSource(it, host)));
}

async function namesIn(folder: string, shown: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new UserError(`${shown} cannot be read: ${whyNot(error)}`);
  });
}

function whyNot({ code, message }: NodeJS.ErrnoException): string {
  return REASONS[code ?? ''] ?? message;
}

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is no folder',
  ENOENT: 'it is a link to nothing',
  EACCES: 'permission denied',
};
