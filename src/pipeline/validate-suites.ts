/** Eval files that are not cases of a package's own format. */
import { statSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { FORMATS, type FormatName, formatOf, isUsual } from '../load/formats.ts';
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

/** Where such files usually stand in a package: beside its manifest, and with each skill. */
export function evalFilesIn(pkg: AgentPackage, isAsked: (file: string) => boolean): string[] {
  const usual = Object.values(FORMATS).flatMap(({ usualFiles }) => usualFiles);
  const patterns = ['', ...pkg.skills.map(({ dir }) => dir)].flatMap((dir) =>
    usual.map((path) => posix.join(dir, path)),
  );
  return [...pkg.files]
    .filter(
      ([path, { kind }]) => kind === 'file' && isAsked(path) && patterns.some((it) => isUsual(path, it)),
    )
    .map(([path]) => join(pkg.root, path))
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
