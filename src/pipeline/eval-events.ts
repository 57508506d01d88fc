/** What an eval run tells while it goes on. */
import type { TrialResult } from '../model/trial.ts';
import type { Usage } from '../model/usage.ts';

export type EvalEvent =
  | {
      readonly type: 'run-start';
      /** Trials that are to run. */
      readonly total: number;
      /** Trials that an earlier process of this run has decided. */
      readonly known: number;
      readonly cases: number;
      readonly runs: number;
      readonly baseline: boolean;
      readonly engine: string;
      readonly package: string;
      /** Where captures go, relative to the package. */
      readonly folder: string;
    }
  | {
      readonly type: 'trial-start';
      readonly trial: string;
      /** What people call the trial. */
      readonly label: string;
      readonly usage: () => Usage;
    }
  /** Nothing goes on, and why. */
  | { readonly type: 'waiting'; readonly message: string; readonly details: readonly string[] }
  | { readonly type: 'judge-start'; readonly trial: string; readonly label: string }
  | { readonly type: 'trial-end'; readonly result: TrialResult; readonly label: string };
