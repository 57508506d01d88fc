/** What a judge is shown of a trial: bounded, with a sign wherever something was left out. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { HookRun } from '../model/hook-log.ts';
import type { FileChange } from '../model/trial.ts';
import { actionLines, hookLines, isDeed } from './actions.ts';
import { fileExhibits } from './changed-files.ts';
import { cut, cutLines } from './cut.ts';
import { entryLine } from './entry.ts';
import { visible } from './visible.ts';

/** What happened in a trial. What its checks made of it has no place here. */
export interface Happening {
  readonly prompt: string;
  /** The agent's final answer. */
  readonly output: string;
  readonly events: readonly AgentEvent[];
  readonly hooks: readonly HookRun[];
  readonly files: readonly FileChange[];
  /** What would be among the events and hooks if it had happened. */
  readonly observed: { readonly actions: boolean; readonly hooks: boolean };
  /** What is missing from all this, in a few words each. With any of it, nothing is shown to be absent. */
  readonly gaps: readonly string[];
}

/** What a judge is told besides. */
export interface Background {
  /** What a good result looks like, by the author of the case. */
  readonly reference?: string | null;
}

/** One piece of material. Cuts in it are told when the mark of a request is known: see cut.ts. */
export interface Exhibit {
  readonly title: string;
  readonly text: string;
  /** The parts of the text that show what the agent did, or that it was seen not to do. Only they prove anything. */
  readonly deeds: readonly string[];
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
  const { prompt, files, gaps, reference } = happening;
  const isWhole = gaps.length === 0 && happening.events.every(({ type }) => !GAPS.has(type));
  return [
    { title: 'the task that the agent was given', text: shown(prompt, budgets.prompt), deeds: [] },
    ...furtherTurns(happening, budgets),
    ...(reference ? [{ title: REFERENCE_TITLE, text: shown(reference, budgets.prompt), deeds: [] }] : []),
    answer(happening, budgets, isWhole),
    actions(happening, budgets, isWhole),
    hooks(happening, budgets, isWhole),
    ...fileExhibits(files, budgets, isWhole),
    ...(gaps.length === 0 ? [] : [missing(gaps, budgets)]),
  ];
}

const GAPS: ReadonlySet<AgentEvent['type']> = new Set(['cut', 'unreadable']);

/** Their places among the actions are marked there too, but a long record is cut. */
function furtherTurns({ events }: Happening, budgets: Budgets): Exhibit[] {
  const prompts = events.flatMap((event) => (event.type === 'turn' ? [event.prompt] : []));
  const title = 'what the user said after each answer of the agent, in the same session, in order';
  const text = cutLines(
    prompts.map((prompt) => entryLine({ userSaid: prompt }, budgets.action)),
    budgets.prompt,
  );
  return prompts.length === 0 ? [] : [{ title, text, deeds: [] }];
}

function answer({ output }: Happening, budgets: Budgets, isWhole: boolean): Exhibit {
  const title = 'the final answer of the agent';
  const text = shown(output, budgets.output);
  if (text !== '') return { title, text, deeds: [text] };
  if (!isWhole) return { title, text: 'No answer is in the record, which is not whole.', deeds: [] };
  return absence(title, 'The agent gave no answer.');
}

function actions({ events, output, observed }: Happening, budgets: Budgets, isWhole: boolean): Exhibit {
  const title = 'the actions of the agent, one to a line, in their order';
  const text = cutLines(actionLines(events, output, budgets.action), budgets.actions);
  if (!observed.actions) return withNote(title, text, 'Tool calls are not recorded for this agent.');
  if (text !== '') return { title, text, deeds: deedsIn(text) };
  if (!isWhole) return { title, text: 'No actions are in the record, which is not whole.', deeds: [] };
  return absence(title, 'No tool calls and no other actions were recorded.');
}

function hooks({ hooks: runs, observed }: Happening, budgets: Budgets, isWhole: boolean): Exhibit {
  const title = 'the hooks that ran, one to a line, in their order';
  const text = cutLines(hookLines(runs, budgets.action), budgets.hooks);
  if (!observed.hooks) return withNote(title, text, 'Hooks are not run for this agent.');
  if (text !== '') return { title, text, deeds: deedsIn(text) };
  if (!isWhole) return { title, text: 'No hooks are in the record, which is not whole.', deeds: [] };
  return absence(title, 'No hooks ran.');
}

function missing(gaps: readonly string[], budgets: Budgets): Exhibit {
  const lines = gaps.map((gap) => `- ${visible(gap).replaceAll('\n', ' ')}`);
  return { title: 'what is missing from this record', text: cutLines(lines, budgets.file), deeds: [] };
}

function absence(title: string, text: string): Exhibit {
  return { title, text, deeds: [text] };
}

function withNote(title: string, text: string, note: string): Exhibit {
  return { title, text: text === '' ? note : `${text}\n${note}`, deeds: deedsIn(text) };
}

function deedsIn(lines: string): string[] {
  const deeds = lines.split('\n').filter(isDeed).join('\n');
  return deeds === '' ? [] : [deeds];
}

function shown(text: string, budget: number): string {
  const readable = visible(text);
  return readable.trim() === '' ? '' : cut(readable, budget);
}
