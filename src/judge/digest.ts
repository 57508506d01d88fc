/** What a judge is shown of a trial: bounded, with a mark wherever something was left out. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { HookRun } from '../model/hook-log.ts';
import type { FileChange } from '../model/trial.ts';
import { actionLines, hookLines } from './actions.ts';
import { fileExhibits } from './changed-files.ts';
import { cut, cutLines } from './cut.ts';
import { visible } from './visible.ts';

/** What happened in a trial. What its checks made of it has no place here. */
export interface Happening {
  readonly prompt: string;
  /** The agent's final answer. */
  readonly output: string;
  readonly events: readonly AgentEvent[];
  readonly hooks: readonly HookRun[];
  readonly files: readonly FileChange[];
}

/** What a judge is told besides. */
export interface Background {
  /** What a good result looks like, by the author of the case. */
  readonly reference?: string | null;
}

/** One piece of material, exactly as it is shown. */
export interface Exhibit {
  readonly title: string;
  readonly text: string;
  /** It shows what the agent did, and not what it was asked. */
  readonly isDeed: boolean;
}

/** In characters. */
export interface Budgets {
  readonly prompt: number;
  readonly output: number;
  readonly actions: number;
  readonly hooks: number;
  /** Arguments or result of one action, output of one hook. */
  readonly action: number;
  readonly files: number;
  readonly file: number;
}

/** Together about 60,000 tokens at most. */
const BUDGETS: Budgets = {
  prompt: 20_000,
  output: 50_000,
  actions: 60_000,
  hooks: 20_000,
  action: 3_000,
  files: 80_000,
  file: 20_000,
};

const REFERENCE_TITLE =
  'what a good result looks like, by the author of the case: the agent has not seen it, and it is no criterion';

export function digest(happening: Happening & Background, budgets: Budgets = BUDGETS): Exhibit[] {
  const { prompt, output, events, hooks, files, reference } = happening;
  const actions = actionLines(events, output, budgets.action);
  const runs = hookLines(hooks, budgets.action);
  return [
    { title: 'the task that the agent was given', text: shown(prompt, budgets.prompt), isDeed: false },
    ...(reference ? [{ title: REFERENCE_TITLE, text: shown(reference, budgets.prompt), isDeed: false }] : []),
    {
      title: 'the final answer of the agent',
      text: shown(output, budgets.output) || 'The agent gave no answer.',
      isDeed: true,
    },
    {
      title: 'the actions of the agent, one to a line, in their order',
      text: cutLines(actions, budgets.actions) || 'No tool calls and no other actions were recorded.',
      isDeed: true,
    },
    {
      title: 'the hooks that ran, one to a line, in their order',
      text: cutLines(runs, budgets.hooks) || 'No hooks ran.',
      isDeed: true,
    },
    ...fileExhibits(files, budgets),
  ];
}

function shown(text: string, budget: number): string {
  const readable = visible(text);
  return readable.trim() === '' ? '' : cut(readable, budget);
}
