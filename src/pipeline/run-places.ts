/** Where a run writes: made sure of before it costs anything. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import { checkWritable } from '../report/write.ts';

export interface RunPlaces {
  /** Holds `runs/<id>/`: `.aam` in the package, or in the user's own folder when the package is read-only. */
  readonly aam: string;
}

/** Where the user wants things; null for the report: below the folder of the run. */
interface Wanted {
  readonly output: string | null;
  readonly benchmarkJson: string | null;
  readonly jsonl: string | null;
}

/** `home`: reports and `.aam` usually go below it. */
export async function requirePlaces(
  home: string,
  { output, benchmarkJson, jsonl }: Wanted,
  host: Host,
): Promise<RunPlaces> {
  for (const file of [output, benchmarkJson, jsonl]) if (file !== null) await requireWritable(file);
  const own = join(home, '.aam');
  const reports = join(home, 'evals', 'reports');
  const problem = (await whyNotWritable(own)) ?? (output === null ? await whyNotWritable(reports) : null);
  if (problem === null) return { aam: own };
  const state = stateFolder(host);
  if (output === null) {
    throw new UserError(
      `the package folder cannot be written: ${problem}`,
      `write the report elsewhere:  aam eval -o FILE   (the records of the run then go to ${state})`,
    );
  }
  const other = await whyNotWritable(state);
  if (other === null) return { aam: state };
  throw new UserError(
    `the records of the run can be written neither to the package nor to ${state}: ${problem}; ${other}`,
    'name another folder for them:  export XDG_STATE_HOME=/path/to/folder',
  );
}

/** Holds the runs of packages that cannot be written. */
export function stateFolder({ env, home }: Pick<Host, 'env' | 'home'>): string {
  return join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'aam');
}

async function requireWritable(file: string): Promise<void> {
  await checkWritable(file).catch((error: Error) => {
    throw new UserError(`${file} cannot be written: ${error.message}`);
  });
}

/** A path below the folder, relative to it; any other one whole. */
export function shownFrom(folder: string, path: string): string {
  const inside = relative(folder, path);
  return inside.startsWith('..') ? path : inside;
}

/** Of a folder that need not be there yet. Makes nothing. */
async function whyNotWritable(folder: string): Promise<string | null> {
  const stats = await stat(folder).catch(() => null);
  if (!stats && folder !== dirname(folder)) return whyNotWritable(dirname(folder));
  if (stats && !stats.isDirectory()) return `${folder} is not a folder`;
  return access(folder, constants.W_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) =>
      `${folder}: ${error.code === 'EROFS' ? 'read-only file system' : 'permission denied'}`,
  );
}
