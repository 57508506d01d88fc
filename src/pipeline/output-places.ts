/** What a run may write to: nothing twice, and nothing that somebody needs. */
import { open, realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { UserError } from '../model/errors.ts';
import { isReport } from '../model/records.ts';
import { type Destination, findDestination } from '../report/destination.ts';

export interface WantedOutput {
  /** As it is called in messages: `--junit`. */
  readonly option: string;
  /** Absolute. */
  readonly path: string;
}

/** Absolute paths. In folders, former reports may be replaced. */
interface Kept {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const HINT = 'name another file';

/** Throws a UserError before anything is written. */
export async function requireOwnPlaces(wanted: readonly WantedOutput[], kept: Kept): Promise<void> {
  if (wanted.length === 0) return;
  const files = await Promise.all(kept.files.map(realPath));
  const folders = await Promise.all(kept.folders.map(realPath));
  const taken = new Map<string, string>();
  for (const { option, path } of wanted) {
    const { path: place, isStream } = await destination(option, path);
    if (isStream) continue;
    const other = taken.get(place);
    if (other !== undefined) throw new UserError(`${other} and ${option} name the same file: ${path}`, HINT);
    taken.set(place, option);
    if (files.includes(place))
      throw new UserError(`${option} would replace ${path}, which the run needs`, HINT);
    const folder = folders.find((it) => place.startsWith(it + sep));
    if (folder !== undefined && !(await isReplaceable(place)))
      throw new UserError(
        `${option} would replace ${relative(folder, place)} of the package, which is no report of aam`,
        `${HINT}, or remove it first`,
      );
  }
}

async function destination(option: string, path: string): Promise<Destination> {
  return await findDestination(path).catch((error: Error) => {
    throw new UserError(`the file of ${option} cannot be written: ${error.message}`);
  });
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

const BEGINNING = 4 * 1024 * 1024;

/** Nothing, an empty file, or what an earlier run wrote. */
async function isReplaceable(path: string): Promise<boolean> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(size, BEGINNING));
    await file.read(bytes, 0, bytes.length, 0);
    return size === 0 || isReport(bytes.toString());
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
