/** One execution of a case, and what became of it. Both are plain data: they can travel and be kept. */
import type { AgentEvent } from './agent-event.ts';
import type { Case } from './case.ts';
import type { HookRun } from './hook-log.ts';
import type { Judgement } from './judgement.ts';
import type { Json } from './tests.ts';
import type { Usage } from './usage.ts';

export interface Trial {
  /** Stable: the same case, engine, arm and repetition have the same id in every run. */
  readonly id: string;
  readonly case: Case;
  readonly engine: string;
  readonly arm: 'with' | 'without';
  readonly repetition: number;
}

export type Verdict = 'PASS' | 'FAIL' | 'SKIP';

/** Why something is undecided (SKIP) or failed without its checks. */
export type ErrorKind =
  | 'timeout'
  | 'agent-crashed'
  | 'agent-error'
  | 'too-much-output'
  | 'too-much-disk'
  | 'too-many-processes'
  | 'engine-failed'
  | 'unsupported'
  | 'sandbox'
  /** What the case wants done before the agent starts went wrong. */
  | 'setup-failed'
  | 'interrupted'
  | 'no-judge'
  | 'judge-unusable'
  | 'judge-split'
  | 'tape-miss'
  | 'model-auth'
  | 'model-rate-limit'
  | 'model-overloaded'
  | 'model-server-error'
  | 'model-bad-request'
  | 'model-unreachable'
  | 'model-cut-off'
  | 'model-stalled'
  | 'budget'
  /** A file of the case is not there; the name that the format has for it. */
  | 'file_copy_error'
  /** The case says nothing that could be graded. */
  | 'ungraded'
  | 'check-undecided'
  /** Workers were gone before they had finished it, again and again. */
  | 'worker-lost'
  | 'no-worker'
  | 'internal';

export interface CheckOutcome {
  /** Id of the grader. */
  readonly check: string;
  readonly verdict: Verdict;
  /** From 0 to 1; null: undecided. */
  readonly score: number | null;
  readonly message: string;
  /** What a program told besides. */
  readonly details?: Json;
}

/** What became of a group of graders, criteria and groups. */
export interface GroupOutcome {
  /** Id of the group. */
  readonly group: string;
  readonly verdict: Verdict;
  readonly score: number | null;
  readonly message: string;
  readonly members: readonly string[];
}

export interface TrialResult {
  readonly trial: string;
  readonly case: string;
  readonly verdict: Verdict;
  /** Weighted mean of what graders, criteria and groups scored; null: not scored, or not all of them are decided. */
  readonly score: number | null;
  readonly checks: readonly CheckOutcome[];
  /** Left out: the case has none. */
  readonly groups?: readonly GroupOutcome[];
  readonly error: string | null;
  readonly errorKind: ErrorKind | null;
  readonly durationMs: number;
  /** Of the agent. */
  readonly usage: Usage;
  /** null: nobody told. */
  readonly costUsd: number | null;
  /** null: no judge was asked. */
  readonly judged: Judged | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly engineVersion: string | null;
  readonly output: string;
  readonly skillsActivated: readonly string[];
  readonly warnings: readonly string[];
  /** null: the run had nothing to do with tapes, or there is none of this trial. */
  readonly tape: TapeFacts | null;
  /** Why there is no tape although one was to be recorded. */
  readonly notTaped?: string;
  /** Path of the capture, relative to the run's folder; null when nothing was captured. */
  readonly capture: string | null;
}

/** What the judge made of it, and what that took. */
export interface Judged {
  readonly judgement: Judgement;
  readonly durationMs: number;
  readonly usage: Usage;
  /** null: nobody told. */
  readonly costUsd: number | null;
  readonly warnings: readonly string[];
}

/** The tape that was recorded or replayed. */
interface TapeFacts {
  /** Relative to the package where it is inside. */
  readonly file: string;
  readonly source: 'recorded' | 'scripted';
  readonly recordedAt: string;
}

/** What a trial left behind. */
export interface Capture {
  readonly trial: string;
  readonly command: readonly string[];
  readonly exitCode: number | null;
  readonly ended: string;
  readonly output: string;
  readonly stderr: string;
  readonly events: readonly AgentEvent[];
  readonly hooks: readonly HookRun[];
  readonly files: readonly FileChange[];
}

export interface FileChange {
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  /** Unified diff; null when the file is not text or too large. */
  readonly diff: string | null;
}
