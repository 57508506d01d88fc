/** What a trial left behind in its workspace and in the log of its hooks. */
import { type Observed, pathsOf } from '../check/graders.ts';
import type { LineSocket } from '../host/line-socket.ts';
import { type HookRun, type HookStart, hookRun, hookStart } from '../model/hook-log.ts';
import { normalizePath, pathProblem } from '../model/names.ts';
import type { FileChange, Trial } from '../model/trial.ts';
import type { Installation } from '../package/install.ts';
import { notAFile } from '../sandbox/real-file.ts';
import {
  changesBetween,
  originalText,
  readWorkspaceText,
  type Snapshot,
  takeSnapshot,
  type Workspace,
} from '../sandbox/workspace.ts';
import { hookWarnings, unendedHooks } from './hook-warnings.ts';

type Traces = Pick<
  Observed,
  | 'hooks'
  | 'installed'
  | 'hookGap'
  | 'created'
  | 'notFiles'
  | 'existedBefore'
  | 'present'
  | 'fileGap'
  | 'read'
>;

export interface Gathered {
  readonly traces: Traces;
  readonly files: readonly FileChange[];
  readonly sawAllFiles: boolean;
  readonly warnings: readonly string[];
}

/** `seenAt`: where the agent saw its workspace. */
export function gatherTraces(
  trial: Trial,
  workspace: Workspace,
  hookLog: LineSocket | null,
  installed: Installation,
  seenAt: string,
): Gathered {
  const { root, before, warnings } = workspace;
  const lines = hookLog?.lines ?? [];
  const hooks = lines.flatMap(readHookRun);
  const starts = lines.flatMap(readHookStart);
  const lost = lines.length - hooks.length - starts.length + (hookLog?.dropped ?? 0);
  const after = takeSnapshot(root, wantedFiles(trial), before.unseen);
  const files = changesBetween(before, after, originalText(workspace));
  const notFiles = Object.fromEntries(
    [...after.files].flatMap(([path, { isFile }]) => {
      const what = isFile ? null : notAFile(root, path, seenAt);
      return what === null ? [] : [[path, what]];
    }),
  );
  const isFile = (path: string) => !Object.hasOwn(notFiles, path);
  const unseen = after.isWhole ? null : 'there are more files in the workspace than were looked at';
  const tampered = touched(before, after, installed.hookFiles);
  return {
    traces: {
      hooks,
      installed: installed.hooks,
      hookGap:
        lost > 0
          ? `${lost} reports of hooks could not be read`
          : tampered.length > 0
            ? `the agent changed ${tampered.join(', ')}, where its hooks are set`
            : null,
      created: files
        .filter(({ change }) => change === 'created')
        .map(({ path }) => path)
        .filter(isFile),
      notFiles,
      existedBefore: [...before.files.keys()],
      present: [...after.files.keys()].filter(isFile),
      fileGap: unseen,
      read: (path) => readWorkspaceText(root, path),
    },
    files,
    sawAllFiles: before.isWhole && after.isWhole,
    warnings: [
      ...warnings,
      ...hookWarnings(hooks),
      ...unendedHooks(starts, hooks, installed.hooks),
      ...tampered.map((path) => `the agent changed ${path}, so hooks of the package may not have run`),
      ...(unseen === null ? [] : [unseen]),
    ],
  };
}

export function readHookRun(line: unknown): HookRun[] {
  const parsed = hookRun.safeParse(line);
  return parsed.success ? [parsed.data] : [];
}

function readHookStart(line: unknown): HookStart[] {
  const parsed = hookStart.safeParse(line);
  return parsed.success ? [parsed.data] : [];
}

/** Looked at in any case, however much else there is. */
function wantedFiles({ case: it }: Trial): string[] {
  return pathsOf(it)
    .filter((path) => pathProblem(path) === null)
    .map(normalizePath)
    .filter((path) => !path.startsWith('.git/'));
}

/** Also when the same text stands there again: in between, another one may have counted. */
function touched(before: Snapshot, after: Snapshot, paths: readonly string[]): string[] {
  return paths.filter((path) => before.files.get(path)?.mark !== after.files.get(path)?.mark);
}
