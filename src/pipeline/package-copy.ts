/** The read-only copy of a package that hooks and MCP servers run from: the answers are not in it. */
import { closeSync, openSync, readSync } from 'node:fs';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Case } from '../model/case.ts';
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
    const text = beginningOf(join(pkg.root, path));
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
  await mkdir(to);
  const folders = new Set<string>();
  for (const path of packageCopy(pkg)) {
    const target = join(to, path);
    const folder = dirname(target);
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    if (pkg.files.get(path)?.kind === 'dir')
      await cp(join(pkg.root, path), target, { recursive: true, verbatimSymlinks: true });
    else await copyFile(join(pkg.root, path), target);
  }
}

/** Synchronous: for many small files that is several times faster. */
function beginningOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let room = MAX_FILE_BYTES; room > 0; ) {
      const chunk = Buffer.alloc(Math.min(room, 64 * 1024));
      const length = readSync(file, chunk);
      if (length === 0) break;
      chunks.push(chunk.subarray(0, length));
      room -= length;
    }
    return Buffer.concat(chunks).toString();
  } finally {
    closeSync(file);
  }
}

function unsearched(paths: readonly string[]): string {
  const others = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
  return `${paths[0]}${others}: too large to be searched to the end for answers of eval cases`;
}
