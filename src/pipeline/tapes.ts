/** The contract of tapes in a run, and where they are. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { DoorTape } from '../gateway/door-tape.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { TapeHeader } from '../model/tape.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { type CommandRequest, evalCommand } from './eval-command.ts';
import type { EvalPlan } from './eval-plan.ts';

interface TapeOptions {
  readonly mode: 'record' | 'replay' | 'off';
  /** Absolute; null: evals/tapes of the package. */
  readonly folder: string | null;
  /** Another version of the engine than the tape's is a miss, not a warning. */
  readonly strict: boolean;
  /** What recorded tapes are to say about themselves. */
  readonly source: TapeHeader['source'];
}

export interface EvalTapes {
  readonly mode: TapeOptions['mode'];
  /** Absolute; null without tapes. */
  readonly folder: string | null;
  /** Of the tapes that are recorded; null: none are. */
  readonly source: TapeHeader['source'] | null;
  /** For every door of a trial, those of its judge included. */
  door(trial: Trial): DoorTape | null;
  /** The model to ask the agent for; null: its own default. */
  model(trial: Trial): string | null;
  /** Notes who decides the criteria of a trial. */
  judgedBy(trial: Trial, judge: Omit<TapeJudge, 'name'>): void;
  /** Who decided them on the tape that is replayed; null: nobody did. */
  judge(trial: Trial): TapeJudge | null;
  /** A request cannot even be made for want of something on the tape. */
  miss(trial: Trial, why: string): void;
  /** Where a sandbox without fixed places puts things of this trial. */
  place(trial: Trial, folders: readonly string[]): void;
  /** Runs a trial, and says what its tape makes of the result. */
  run(trial: Trial, work: () => Promise<TrialResult>): Promise<TrialResult>;
  /** Known when the run is over. */
  warnings(): Promise<readonly string[]>;
}

export type TapeJudge = NonNullable<TapeHeader['judge']>;

export interface TapesRequest extends CommandRequest {
  readonly plan: EvalPlan;
  /** Of the engine; null: the engine "command". */
  readonly program: string | null;
  /** Of aam. */
  readonly version: string;
}

/** What is needed of the run once it is set up. */
export interface TapesSetting {
  readonly gateway: Gateway | null;
  readonly packageCopy: string;
  /** Folders with a name that is another in every run; none where the sandbox has fixed places. */
  readonly places: readonly string[];
}

export function tapeFolder(packageRoot: string, given: string | null): string {
  return given ?? join(packageRoot, 'evals', 'tapes');
}

/** Of this run, where they are elsewhere than usual. */
export function tapeFolders({ folder }: TapeOptions): string[] {
  return folder !== null && existsSync(folder) ? [folder] : [];
}

export function tapeFile(folder: string, trial: string): string {
  return join(folder, `${trial}.jsonl`);
}

/** As people find it: from the package's root if it is in there. */
export function shownPath(packageRoot: string, path: string): string {
  const inside = relative(packageRoot, path);
  return inside.startsWith('..') ? path : inside;
}

/** What the case itself says to the agent. */
export function promptsOf({ prompt, followUps }: Trial['case']): string[] {
  return [prompt, ...followUps];
}

/** The command that makes the tape of a trial. `model`: the one of its old tape. */
export function recordCommand(
  { case: it, engine }: Trial,
  request: TapesRequest,
  model: string | null = null,
): string {
  const changes = { cases: [it.name], engine, tape: 'record' } as const;
  return evalCommand(request, { ...changes, model: request.model ?? model });
}
