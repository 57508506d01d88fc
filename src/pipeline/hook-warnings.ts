/** What hooks did that their author should know of, whatever the verdict. */
import type { HookRun, HookStart } from '../model/hook-log.ts';
import type { Installation } from '../package/install.ts';

/** Agents let a tool run when its hook is broken, so a broken hook must not go unseen. */
export function hookWarnings(hooks: readonly HookRun[]): string[] {
  return [
    ...new Set(
      hooks.flatMap((run) => {
        const { event, command, error, stderr } = run;
        if (error !== null) return [`the ${event} hook ${command} is broken: ${error}`];
        if (!looksUnmeant(run)) return [];
        const line = stderr.split('\n').find((it) => ERROR_LIKE.test(it)) ?? stderr;
        return [
          `the ${event} hook ${command} ended with exit code 2, which blocks, and an error-like message: ${line.trim().slice(0, MAX_LINE)}`,
        ];
      }),
    ),
  ];
}

/** Hooks that began and told of no end. */
export function unendedHooks(
  starts: readonly HookStart[],
  ends: readonly HookRun[],
  installed: Installation['hooks'],
): string[] {
  return installed.flatMap(({ event, group, index, command }) => {
    const isIt = (it: HookStart | HookRun) => it.event === event && it.group === group && it.index === index;
    const isOpen = starts.filter(isIt).length > ends.filter(isIt).length;
    return isOpen ? [`the ${event} hook ${command} was still running when the agent was ended`] : [];
  });
}

const MAX_LINE = 200;
/** How common programs begin when they exit with 2 because they were called in a wrong way. */
const ERROR_LIKE =
  /^usage: |: error: |: No such file or directory|: (?:command )?not found|: Is a directory|: Permission denied|(?:invalid|unknown|unrecognized|illegal|not an) option|^Traceback /im;

/** Only the author can tell whether such a block is meant. */
function looksUnmeant({ exitCode, decision, stderr }: HookRun): boolean {
  return exitCode === 2 && decision === 'block' && ERROR_LIKE.test(stderr);
}
