/** One thing asked of an agent and how to grade it, whatever format it was written in. Plain data. */
import type { Grader, Scoring, Share } from './grader.ts';
import type { Json } from './tests.ts';

export interface Case {
  readonly name: string;
  /** Other words it can be selected by, such as its file's name. */
  readonly aliases: readonly string[];
  readonly description: string | null;
  /** skill:<name>, hook:<event> or agent:<name>. */
  readonly target: string | null;
  readonly prompt: string;
  /** What the user says after each answer, in the same session; mostly nothing. */
  readonly followUps: readonly string[];
  readonly files: readonly CaseFile[];
  readonly graders: readonly Grader[];
  readonly criteria: readonly Criterion[];
  /** What a good result looks like: for the judge, never for the agent. */
  readonly reference: string | null;
  readonly scoring: Scoring;
  /** Why it fails without being run; null: it can be run. */
  readonly fault: CaseFault | null;
  /** What its author wrote and aam does not read. */
  readonly metadata: Readonly<Record<string, Json>>;
  /** Absolute paths of what else it was made from or is decided by: a prompt, a golden answer, mocks. */
  readonly sources?: readonly string[];
  /** Where it is defined, relative to the suite's home. */
  readonly file: string;
  readonly line: number;
  /** Of the definition and its files: equal hashes mean the same case. */
  readonly hash: string;
}

/** A file that is in the workspace before the agent starts. */
export interface CaseFile {
  /** Absolute path of what is copied; null: an empty file is made. */
  readonly from: string | null;
  /** Relative to the workspace. */
  readonly to: string;
}

/** A sentence a judge decides. */
export interface Criterion extends Share {
  readonly id: string;
  readonly text: string;
}

interface CaseFault {
  readonly errorKind: 'file_copy_error';
  readonly error: string;
}

/** What a format reader makes of one eval source. */
export interface Suite {
  readonly cases: readonly Case[];
  readonly settings: SuiteSettings;
}

export interface SuiteSettings {
  readonly engine: string;
  readonly timeoutSeconds: number;
  readonly judge: string | null;
  /** Trials of each case and arm. */
  readonly runs: number;
  readonly network: boolean;
  /** null: the whole workspace. */
  readonly writablePaths: readonly string[] | null;
  readonly env: Readonly<Record<string, string>>;
  /** For the engine "command". */
  readonly command: readonly string[] | null;
  /** By model id or its beginning. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** Trials of one case: beyond this something else is meant. */
export const MAX_RUNS = 1000;

/** A day. Beyond it timers overflow sooner or later. */
export const MAX_CASE_SECONDS = 86_400;
