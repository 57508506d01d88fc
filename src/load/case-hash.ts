/** Equal hashes mean the same case: the same words, and the same files to work with. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CaseFile } from '../model/case.ts';
import { statsOf } from './stats-of.ts';

/** `definition`: all that says what is asked and how it is graded, as JSON. */
export function caseHash(definition: unknown, files: readonly CaseFile[]): string {
  const hash = createHash('sha256').update(JSON.stringify(definition));
  for (const { from, to } of files) {
    hash.update(`${from !== null && isExecutable(from) ? '\0' : ''}\0${to}\0`);
    if (from !== null) hash.update(contentOf(from));
  }
  return `sha256:${hash.digest('hex')}`;
}

function isExecutable(path: string): boolean {
  return ((statsOf(path)?.mode ?? 0) & 0o111) !== 0;
}

/** That it is missing is told elsewhere. */
function contentOf(path: string): Buffer | string {
  try {
    return readFileSync(path);
  } catch {
    return 'missing';
  }
}
