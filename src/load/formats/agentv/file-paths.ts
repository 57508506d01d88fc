/** `file_paths`: files that are in the workspace, without a word about them in the prompt. */
import type { CaseFile } from '../../../model/case.ts';
import { givenFile } from './files.ts';
import { itemsOf, type Part } from './part.ts';
import type { Reading } from './reading.ts';
import { textIn } from './values.ts';

export interface Copied {
  readonly files: readonly CaseFile[];
  readonly problems: readonly string[];
  /** Those that were not found, as they are written. */
  readonly missing: readonly string[];
}

/** Looked for from the skill's folder, then from the eval file's, then from the repository, as in evals.json. */
export function readFilePaths(part: Part | null, { findings, place, isAnswer }: Reading): Copied {
  const files: CaseFile[] = [];
  const problems: string[] = [];
  const missing: string[] = [];
  for (const item of part === null ? [] : Array.isArray(part.value) ? itemsOf(part) : [part]) {
    const written = textIn(item, findings);
    if (written === null) continue;
    const folders = [...(place.skill === null ? [] : [place.skill]), ...item.doc.folders];
    const found = givenFile(written, { ...item.doc, folders }, place, isAnswer);
    if ('file' in found) files.push(found.file);
    else {
      const message = `the file ${JSON.stringify(written)} ${found.problem}`;
      problems.push(message);
      missing.push(written);
      const hint = 'paths are relative to the skill’s folder; the case fails until the file is there';
      findings.error(item, { rule: 'file_copy_error', message, hint });
    }
  }
  return { files, problems, missing };
}
