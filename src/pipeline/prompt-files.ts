/** The files that a candidate left in its folder, beside those it was given. */
import { stat } from 'node:fs/promises';
import { type Observed, pathsOf } from '../check/graders.ts';
import type { Case } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { FileChange } from '../model/trial.ts';
import { notAFile } from '../sandbox/real-file.ts';
import { changesBetween, originalText, readWorkspaceText, takeSnapshot } from '../sandbox/workspace.ts';

export interface LeftFiles {
  readonly seen: Pick<Observed, 'created' | 'notFiles' | 'existedBefore' | 'present' | 'read' | 'fileGap'>;
  readonly changes: readonly FileChange[];
  readonly gaps: readonly string[];
}

export const NO_FILES: Pick<LeftFiles, 'seen'> = {
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
export async function lookAtFiles(it: Case, root: string, written: string): Promise<LeftFiles> {
  if (!(await stat(root).catch(() => null))?.isDirectory())
    throw new UserError(`--workspace ${written}: there is no such folder`);
  const given = it.files.map(({ from, to }) => (from === null ? { to, text: '' } : { to, from }));
  const marks = given.map(({ to }) => [to, { mark: '', size: 0, isFile: true }] as const);
  const after = takeSnapshot(root, pathsOf(it));
  const changes = changesBetween(
    { root, files: new Map(marks), isWhole: true, unseen: [] },
    after,
    originalText({ files: given, original: null }),
  );
  const notFiles = Object.fromEntries(
    [...after.files].flatMap(([path, { isFile }]) => {
      const what = isFile ? null : notAFile(root, path, root);
      return what === null ? [] : [[path, what]];
    }),
  );
  const isFile = (path: string) => !Object.hasOwn(notFiles, path);
  const gap = after.isWhole ? null : 'there are more files in the workspace than were looked at';
  return {
    seen: {
      created: changes
        .filter(({ change }) => change === 'created')
        .map(({ path }) => path)
        .filter(isFile),
      notFiles,
      existedBefore: given.map(({ to }) => to),
      present: [...after.files.keys()].filter(isFile),
      read: (path) => readWorkspaceText(root, path),
      fileGap: gap,
    },
    changes,
    gaps: gap === null ? [] : [gap],
  };
}
