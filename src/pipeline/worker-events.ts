/** What a worker tells whoever started it. */
import type { WorkerFacts } from '../model/needs.ts';
import type { Verdict } from '../model/trial.ts';

export type WorkerEvent =
  | { readonly type: 'ready'; readonly worker: WorkerFacts }
  | { readonly type: 'start'; readonly run: string; readonly trial: string }
  | {
      readonly type: 'end';
      readonly run: string;
      readonly trial: string;
      readonly verdict: Verdict;
      readonly error: string | null;
    }
  /** A trial that was not run here, and why. */
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'error'; readonly message: string }
  | { readonly type: 'draining'; readonly active: number };
