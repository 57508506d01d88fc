/** One thing asked of an agent and how to grade it, whatever format it was written in. Plain data. */
import type { Grader, Scoring, Share } from './grader.ts';
import type { Target } from './target.ts';
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
  /** Instructions for the agent beside the prompt. */
  readonly instructions?: string;
  /** What is made ready before the agent starts and put away after it. */
  readonly setup?: CaseSetup;
  /** Instead of the suite's. */
  readonly timeoutSeconds?: number;
  /** Beside the suite's. */
  readonly env?: Readonly<Record<string, string>>;
  /** For selecting. */
  readonly tags?: readonly string[];
  /** Ids of the graders that `aam test` decides, where it can without an agent. */
  readonly assertions?: readonly string[];
  readonly files: readonly CaseFile[];
  /** What the engine "mock" says to it; left out: what its target says. */
  readonly mock?: MockAnswer;
  readonly graders: readonly Grader[];
  readonly criteria: readonly Criterion[];
  /** What a good result looks like: for the judge, never for the agent. */
  readonly reference: string | null;
  readonly scoring: Scoring;
  /** Why it fails without being run; null: it can be run. */
  readonly fault: CaseFault | null;
  /** As its author wrote it, for programs that grade; left out: the format has no such programs. */
  readonly written?: WrittenCase;
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

interface WrittenCase {
  readonly criteria: string | null;
  /** A text, or messages. */
  readonly input: Json;
  /** A text, data, or messages; null: there is none. */
  readonly expectedOutput: Json;
}

/** A file that is in the workspace before the agent starts. */
export interface CaseFile {
  /** Absolute path of what is copied; null: an empty file is made. */
  readonly from: string | null;
  /** Relative to the workspace. */
  readonly to: string;
}

/** What a stand-in for an agent answers, and what it pretends to have done before. */
export interface MockAnswer {
  readonly response: string;
  readonly toolCalls: readonly MockCall[];
}

interface MockCall {
  readonly tool: string;
  readonly input: Json;
  readonly output: string;
}

export interface CaseSetup {
  readonly repositories: readonly Repository[];
  /** In this order, in the workspace, each in a sandbox of its own. One that fails keeps the agent from starting. */
  readonly before: readonly SetupCommand[];
  /** After the grading; one that fails is told, nothing more. */
  readonly after: readonly SetupCommand[];
}

/** Cloned into the workspace. */
export interface Repository {
  /** Absolute path of a repository on this machine. */
  readonly from: string;
  /** Relative to the workspace. */
  readonly to: string;
  /** Branch, tag or commit; null: what is checked out there. */
  readonly ref: string | null;
  /** So many commits before it. */
  readonly ancestor: number;
}

export interface SetupCommand {
  /** What its author calls it, for messages. */
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** Absolute: visible while it runs, with the project that it is in; null: the workspace. */
  readonly cwd: string | null;
  readonly timeoutMs: number;
}

/** A sentence a judge decides. */
export interface Criterion extends Share {
  readonly id: string;
  readonly text: string;
  /** Left out: it holds or not. Else the judge gives 0 to 10, by these words where there are some. */
  readonly scale?: readonly ScaleRange[];
  /** It must not hold. */
  readonly negate?: boolean;
}

export interface ScaleRange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface CaseFault {
  readonly errorKind: 'file_copy_error';
  readonly error: string;
  /** Those that could not be found, as they are written. */
  readonly files: readonly string[];
}

/** What a format reader makes of one eval source. */
export interface Suite {
  readonly cases: readonly Case[];
  readonly settings: SuiteSettings;
  /** What the file says about itself, for the report. */
  readonly certification?: Certification;
}

/** By the names that fixtures have for them. */
export interface Certification {
  readonly bundle_id?: string | undefined;
  readonly bundle_version?: string | undefined;
  readonly certification_track?: string | undefined;
  readonly risk_tier?: string | undefined;
  readonly data_handling?: string | undefined;
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
  /** Who is asked where the file names targets of its own; see Target. */
  readonly target?: Target;
  /** Share of a case's trials that must pass. */
  readonly passThreshold?: number;
  /** What the whole run may cost. */
  readonly maxCostUsd?: number;
  /** How many cases run at once. */
  readonly jobs?: number;
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
