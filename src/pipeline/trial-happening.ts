/** What a judge may know about a trial, and what is missing from it. */
import type { Happening } from '../judge/digest.ts';
import type { HookRun } from '../model/hook-log.ts';
import type { FileChange, Trial } from '../model/trial.ts';
import type { EvalPlan } from './eval-plan.ts';
import type { AgentRun } from './trial-agent.ts';

export interface Left {
  readonly run: AgentRun;
  readonly output: string;
  readonly hooks: readonly HookRun[];
  readonly files: readonly FileChange[];
  /** Why reports of hooks are missing. */
  readonly hookGap: string | null;
  /** All files of the workspace were looked at. */
  readonly sawAllFiles: boolean;
}

export function happeningOf(
  { case: { prompt } }: Trial,
  { engine, engineName }: EvalPlan,
  { run, output, hooks, files, hookGap, sawAllFiles }: Left,
): Happening {
  const unreadable = run.events.filter(({ type }) => type === 'unreadable').length;
  const hasHiddenAgents = engineName === 'codex' && run.events.some(({ type }) => type === 'sub-agent');
  const gaps = [
    run.gap,
    unreadable > 0 ? `${unreadable} lines of what the agent printed could not be read` : null,
    hookGap,
    sawAllFiles ? null : 'not all files of the workspace were looked at',
    hasHiddenAgents ? 'of what sub-agents did, only their last words are recorded' : null,
  ];
  return {
    prompt,
    output,
    events: run.events,
    hooks,
    files,
    // Of the user's own agent aam sees what it prints and what it leaves behind.
    observed: { actions: engine.shows.actions, hooks: engine.shows.hooks },
    gaps: gaps.filter((gap) => gap !== null),
  };
}
