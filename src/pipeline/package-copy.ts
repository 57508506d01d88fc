/** The read-only copy of a package that hooks and MCP servers run from: the answers are not in it. */
import { realpathSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyFileWithin } from '../host/copy-file.ts';
import { beginningOf } from '../load/beginning.ts';
import type { Case } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { AgentPackage } from '../model/package.ts';
import { answerFinder, isNeeded } from '../package/answers.ts';
import { leftOut, packageCopy } from '../package/install.ts';

export interface Cleaned {
  /** Without the files that agents must not see. */
  readonly pkg: AgentPackage;
  readonly warnings: readonly string[];
}

/** Beyond these a package is no longer searched: a run must not wait for gigabytes of assets. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 32 * 1024 * 1024;

/** Evals and tests are known by their place; copies of their answers are found by what is in them. */
export function withoutAnswers(pkg: AgentPackage, cases: readonly Case[]): Cleaned {
  const find = answerFinder(pkg, cases);
  const files = new Map(pkg.files);
  const warnings = [...leftOut(pkg)];
  const unread: string[] = [];
  let bytes = 0;
  for (const path of packageCopy(pkg)) {
    const entry = pkg.files.get(path);
    if (entry?.kind !== 'file' || entry.size === 0) continue;
    if (bytes >= MAX_BYTES) {
      unread.push(path);
      continue;
    }
    const text = beginningOf(join(pkg.root, path), MAX_FILE_BYTES)?.toString() ?? '';
    bytes += Math.min(entry.size, MAX_FILE_BYTES);
    const why = find(text);
    if (why === null) {
      if (entry.size > MAX_FILE_BYTES) unread.push(path);
    } else if (isNeeded(pkg, path, text)) warnings.push(`${path} ${why}, and agents can read it`);
    else {
      files.delete(path);
      warnings.push(`${path} ${why}, so agents do not get it`);
    }
  }
  if (unread.length > 0) warnings.push(unsearched(unread));
  return { pkg: { ...pkg, files }, warnings };
}

export async function copyPackage(pkg: AgentPackage, to: string): Promise<void> {
  requireCopyable(pkg);
  const root = realpathSync(pkg.root);
  await mkdir(to);
  const folders = new Set<string>();
  for (const path of packageCopy(pkg)) {
    const target = join(to, path);
    const folder = dirname(target);
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    if (pkg.files.get(path)?.kind === 'dir')
      await cp(join(pkg.root, path), target, { recursive: true, verbatimSymlinks: true });
    else copyFileWithin(root, join(root, path), target);
  }
}

/** Beyond this a run would fill disks with copies: a file full of holes takes no room until it is copied. */
const MAX_COPIED = 4 * 1024 ** 3;

function requireCopyable(pkg: AgentPackage): void {
  const sizes = packageCopy(pkg).map((path) => ({ path, size: pkg.files.get(path)?.size ?? 0 }));
  const total = sizes.reduce((sum, { size }) => sum + size, 0);
  if (total <= MAX_COPIED) return;
  const largest = sizes.toSorted((a, b) => b.size - a.size)[0];
  throw new UserError(
    `the package has ${Math.round(total / 1024 ** 3)} GiB, and each run copies it: ${MAX_COPIED / 1024 ** 3} GiB are the most`,
    `take large files out of it, such as ${largest?.path}`,
  );
}

function unsearched(paths: readonly string[]): string {
  const others = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
  return `${paths[0]}${others}: too large to be searched to the end for answers of eval cases`;
}
