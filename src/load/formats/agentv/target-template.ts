/** The files that a target puts into the workspace of every case. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Case } from '../../../model/case.ts';
import { filesBelow } from './files.ts';

/** A file of the case's own stays in its place. */
export function withTemplate(cases: readonly Case[], folder: string): Case[] {
  const { files } = filesBelow(folder);
  const digest = createHash('sha256');
  for (const { from, to } of files) digest.update(`\0${to}\0`).update(readFileSync(from));
  const content = digest.digest('hex');
  return cases.map((it) => {
    const own = new Set(it.files.map(({ to }) => to));
    const hash = createHash('sha256').update(`${it.hash} ${content}`).digest('hex');
    return { ...it, files: [...files.filter(({ to }) => !own.has(to)), ...it.files], hash: `sha256:${hash}` };
  });
}
