/** The contract of a site: where the trials of a run are executed, on this machine or on others. */
import type { Capture, Trial, TrialResult } from '../model/trial.ts';
import type { Usage } from '../model/usage.ts';
import type { RunLimits } from './eval-context.ts';
import type { CostBudget } from './eval-cost.ts';
import type { Redaction } from './redaction.ts';
import type { EvalTapes } from './tapes.ts';

/** Ready for the trials of one run. */
export interface Site extends AsyncDisposable {
  /** What agents get of the package, as it was when the run began. */
  readonly packageCopy: string;
  /** null: the engine has none, or does not tell. */
  readonly engineVersion: string | null;
  readonly redaction: Redaction;
  readonly limits: RunLimits;
  /** Agents at a time. */
  readonly jobs: number;
  readonly tapes: EvalTapes;
  /** What agents do not get of the package, and why. */
  readonly packageWarnings: readonly string[];
  readonly warnings: readonly string[];
  /** `signal` ends what is under way. */
  start(records: RunRecords, signal: AbortSignal): Promise<Executor>;
}

/** Where a run keeps what its trials leave behind. */
export interface RunRecords {
  /** Of the run. */
  readonly id: string;
  /** Which process of the run this is; the first one is 1. */
  readonly session: number;
  /** Gives the path of the capture, relative to the run's folder. */
  capture(capture: Capture): string;
}

export interface Executor {
  readonly budget: CostBudget;
  /** What came up while trials ran, and concerns none of them alone. */
  readonly warnings: readonly string[];
  /** Brings trials to their verdicts and begins with the first. Never rejects. Those that wait cost next to nothing. */
  runAll(trials: readonly Trial[], watch: RunWatch): Promise<void>;
}

export interface RunWatch {
  /** One has begun; this is how to look at the tokens used so far. */
  onStart(trial: Trial, usage: () => Usage): void;
  onJudge(trial: Trial): void;
  onEnd(trial: Trial, executed: Executed): void;
}

export interface Executed {
  readonly result: TrialResult;
  /** Why the run cannot go on: then the result decides nothing. */
  readonly fault: Error | null;
  /** To be called when the result is kept and need not be kept elsewhere. */
  onKept?(): void;
}
