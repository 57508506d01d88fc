/** What a trial left behind in its workspace and in the log of its hooks. */
import type { Observed } from '../check/graders.ts';
import type { LineSocket } from '../host/line-socket.ts';
import { type HookRun, type HookStart, hookRun, hookStart } from '../model/hook-log.ts';
import type { FileChange, Trial } from '../model/trial.ts';
import type { Installation } from '../package/install.ts';
import type { Snapshot, Workspace } from '../sandbox/workspace.ts';
import { lookAtFiles, type SeenFiles } from './files-seen.ts';
import { hookWarnings, unendedHooks } from './hook-warnings.ts';

type Traces = SeenFiles & Pick<Observed, 'hooks' | 'installed' | 'hookGap'>;

export interface Gathered {
  readonly traces: Traces;
  readonly files: readonly FileChange[];
  readonly sawAllFiles: boolean;
  readonly warnings: readonly string[];
}

/** `seenAt`: where the agent saw its workspace. `isUntouched`: it is known to be as it was made. */
export function gatherTraces(
  trial: Trial,
  workspace: Workspace,
  hookLog: LineSocket | null,
  installed: Installation,
  { seenAt, isUntouched }: { readonly seenAt: string; readonly isUntouched: boolean },
): Gathered {
  const { before, warnings } = workspace;
  const lines = hookLog?.lines ?? [];
  const hooks = lines.flatMap(readHookRun);
  const starts = lines.flatMap(readHookStart);
  const lost = lines.length - hooks.length - starts.length + (hookLog?.dropped ?? 0);
  const { seen, changes, after } = lookAtFiles(trial.case, workspace, seenAt, isUntouched);
  const tampered = touched(before, after, installed.hookFiles);
  return {
    traces: {
      ...seen,
      hooks,
      installed: installed.hooks,
      hookGap:
        lost > 0
          ? `${lost} reports of hooks could not be read`
          : tampered.length > 0
            ? `the agent changed ${tampered.join(', ')}, where its hooks are set`
            : null,
    },
    files: changes,
    sawAllFiles: before.isWhole && after.isWhole,
    warnings: [
      ...warnings,
      ...hookWarnings(hooks),
      ...unendedHooks(starts, hooks, installed.hooks),
      ...tampered.map((path) => `the agent changed ${path}, so hooks of the package may not have run`),
      ...(seen.fileGap === null ? [] : [seen.fileGap]),
    ],
  };
}

export function readHookRun(line: unknown): HookRun[] {
  const parsed = hookRun.safeParse(line);
  return parsed.success ? [parsed.data] : [];
}

export function readHookStart(line: unknown): HookStart[] {
  const parsed = hookStart.safeParse(line);
  return parsed.success ? [parsed.data] : [];
}

/** Also when the same text stands there again: in between, another one may have counted. */
function touched(before: Snapshot, after: Snapshot, paths: readonly string[]): string[] {
  return paths.filter((path) => before.files.get(path)?.mark !== after.files.get(path)?.mark);
}
