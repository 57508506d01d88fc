/** The tapes of a package, as files. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { discoverPackage } from '../load/discover.ts';
import { readPackage } from '../load/formats/uaaps/package.ts';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';
import { withoutTapes } from './tape-package.ts';
import { shownPath, tapeFolder } from './tapes.ts';

export interface TapeFiles {
  readonly pkg: AgentPackage;
  /** As people find it. */
  readonly folder: string;
  /** Absolute, sorted; never empty. */
  readonly paths: readonly string[];
  shown(path: string): string;
}

/** `given`: absolute path of the folder; null: evals/tapes. Throws a UserError when there is none. */
export async function findTapes(host: Host, given: string | null): Promise<TapeFiles> {
  const { root } = await discoverPackage('.', host.cwd);
  const folder = tapeFolder(root, given);
  const names = await readdir(folder).catch(() => []);
  const paths = names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(folder, name));
  const shown = (path: string) => shownPath(root, path);
  if (paths.length === 0) {
    throw new UserError(`there are no tapes in ${shown(folder)}`, 'make some:  aam eval --tape record');
  }
  return { pkg: withoutTapes(await readPackage(root), given), folder: shown(folder), paths, shown };
}
