/** The files that a target puts into the workspace of every case. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Case } from '../../../model/case.ts';
import { UserError } from '../../../model/errors.ts';
import { isEvalFile } from '../../eval-files.ts';
import { filesBelow } from './files.ts';

/** A file of the case's own stays in its place. */
export function withTemplate(cases: readonly Case[], folder: string): Case[] {
  const { files } = filesBelow(folder);
  refuseAnswers(files, new Set(cases.flatMap(({ sources = [] }) => sources)));
  const digest = createHash('sha256');
  for (const { from, to } of files) digest.update(`\0${to}\0`).update(readFileSync(from));
  const content = digest.digest('hex');
  return cases.map((it) => {
    const own = new Set(it.files.map(({ to }) => to));
    const hash = createHash('sha256').update(`${it.hash} ${content}`).digest('hex');
    return { ...it, files: [...files.filter(({ to }) => !own.has(to)), ...it.files], hash: `sha256:${hash}` };
  });
}

/** The agent would find them in its workspace. */
function refuseAnswers(files: ReturnType<typeof filesBelow>['files'], sources: ReadonlySet<string>): void {
  const secret = files
    .filter(
      ({ from, to }) => sources.has(from) || isEvalFile(from, '') || /(?:^|\/)\.(?:agentv|aam)\//.test(to),
    )
    .map(({ to }) => to);
  if (secret.length === 0) return;
  throw new UserError(
    `the workspace_template of the target has answers in it: ${secret.slice(0, 3).join(', ')}`,
    'name a folder without eval files and graders',
  );
}
