/** What is seen in a workspace after somebody worked there. */
import { type Observed, pathsOf } from '../check/graders.ts';
import type { Case } from '../model/case.ts';
import { normalizePath, pathProblem } from '../model/names.ts';
import type { FileChange } from '../model/trial.ts';
import { notAFile } from '../sandbox/real-file.ts';
import {
  changesBetween,
  originalText,
  readWorkspaceText,
  type Snapshot,
  takeSnapshot,
  type Workspace,
} from '../sandbox/workspace.ts';

export type SeenFiles = Pick<
  Observed,
  'created' | 'notFiles' | 'existedBefore' | 'present' | 'read' | 'fileGap'
>;

export interface FilesSeen {
  readonly seen: SeenFiles;
  readonly changes: readonly FileChange[];
  readonly after: Snapshot;
}

/** `seenAt`: where the one who worked saw it. `isUntouched`: it is known to be as it was. */
export function lookAtFiles(
  it: Pick<Case, 'graders'>,
  workspace: Pick<Workspace, 'root' | 'before' | 'files' | 'original'>,
  seenAt: string,
  isUntouched = false,
): FilesSeen {
  const { root, before } = workspace;
  const isKnown = isUntouched && before.isWhole;
  const after = isKnown ? before : takeSnapshot(root, wantedFiles(it), before.unseen);
  const changes = isKnown ? [] : changesBetween(before, after, originalText(workspace));
  const notFiles = Object.fromEntries(
    [...after.files].flatMap(([path, { isFile }]) => {
      const what = isFile ? null : notAFile(root, path, seenAt);
      return what === null ? [] : [[path, what]];
    }),
  );
  const isFile = (path: string) => !Object.hasOwn(notFiles, path);
  const created = changes.filter(({ change }) => change === 'created').map(({ path }) => path);
  return {
    seen: {
      created: created.filter(isFile),
      notFiles,
      existedBefore: [...before.files.keys()],
      present: [...after.files.keys()].filter(isFile),
      read: (path) => readWorkspaceText(root, path),
      fileGap: after.isWhole ? null : 'there are more files in the workspace than were looked at',
    },
    changes,
    after,
  };
}

/** Looked at in any case, however much else there is. */
function wantedFiles(it: Pick<Case, 'graders'>): string[] {
  return pathsOf(it)
    .filter((path) => pathProblem(path) === null)
    .map(normalizePath)
    .filter((path) => !path.startsWith('.git/'));
}
