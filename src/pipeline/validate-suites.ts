/** Eval files that are not cases of a package's own format. */
import { statSync } from 'node:fs';
import { basename, join, posix, relative, resolve } from 'node:path';
import { FORMATS, type FormatName, formatOf, isUsual } from '../load/formats.ts';
import { takeInventory } from '../load/inventory.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';

export interface ValidatedSuite {
  readonly format: FormatName;
  /** Relative to the working folder, like those of the diagnostics. */
  readonly file: string;
  readonly cases: number;
  readonly diagnostics: readonly Diagnostic[];
}

export function isEvalFile(path: string, cwd: string): boolean {
  const absolute = resolve(cwd, path);
  return statSync(absolute, { throwIfNoEntry: false })?.isFile() === true && formatOf(absolute) !== null;
}

/** Where such files usually stand in a package: beside its manifest, with each skill, or under a name of their own. */
export function evalFilesIn(pkg: AgentPackage, isAsked: (file: string) => boolean): string[] {
  const patterns = ['', ...pkg.skills.map(({ dir }) => dir)].flatMap((dir) =>
    USUAL.map((path) => posix.join(dir, path)),
  );
  const isEval = (path: string) =>
    patterns.some((it) => isUsual(path, it)) || NAMES.some((it) => isUsual(basename(path), it));
  return [...pkg.files]
    .filter(([path, { kind }]) => kind === 'file' && isAsked(path) && isEval(path))
    .map(([path]) => join(pkg.root, path))
    .filter((path) => formatOf(path) !== null);
}

const USUAL = Object.values(FORMATS).flatMap(({ usualFiles }) => usualFiles);
/** Names with an ending that no other file has. */
const NAMES = [...new Set(USUAL.map((path) => posix.basename(path)))].filter((name) => name.includes('*'));

/** In a folder that is part of no package. */
export function evalFilesBelow(folder: string): string[] {
  const names = [...new Set(USUAL.map((path) => posix.basename(path)))];
  return [...takeInventory(folder).files]
    .filter(([path, { kind }]) => kind === 'file' && names.some((it) => isUsual(basename(path), it)))
    .map(([path]) => join(folder, path))
    .filter((path) => formatOf(path) !== null);
}

export async function validateSuites(
  files: readonly string[],
  cwd: string,
  env: Host['env'],
): Promise<ValidatedSuite[]> {
  const suites: ValidatedSuite[] = [];
  for (const file of files) {
    const format = formatOf(file);
    if (format === null) continue;
    const { home, found, diagnostics } = await FORMATS[format].read(file, env);
    suites.push({
      format,
      file: relative(cwd, file),
      cases: found,
      diagnostics: diagnostics.map((it) => ({ ...it, file: relative(cwd, join(home, it.file)) })),
    });
  }
  return suites;
}
