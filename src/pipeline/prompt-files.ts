/** The files that a candidate left in its folder, beside those it was given. */
import { stat } from 'node:fs/promises';
import type { Case } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import { type FilesSeen, lookAtFiles } from './files-seen.ts';

export const NO_FILES: Pick<FilesSeen, 'seen'> = {
  seen: {
    created: [],
    notFiles: {},
    existedBefore: [],
    present: [],
    read: () => ({ problem: 'is not there', state: 'missing' }),
    fileGap: 'the files were not looked at',
  },
};

/** `written`: the folder as the user gave it. */
export async function leftFiles(it: Case, root: string, written: string): Promise<FilesSeen> {
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw new UserError(`--workspace ${written}: there is no such folder`);
  const given = it.files.map(({ from, to }) => (from === null ? { to, text: '' } : { to, from }));
  const marks = given.map(({ to }) => [to, { mark: '', size: 0, isFile: true }] as const);
  const before = { root, files: new Map(marks), isWhole: true, unseen: [] };
  return lookAtFiles(it, { root, before, files: given, original: null }, root);
}
