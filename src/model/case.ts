/** One thing asked of an agent and how to grade it, whatever format it was written in. */
export interface Case {
  readonly name: string;
  /** Other words it can be selected by, such as its file's name. */
  readonly aliases: readonly string[];
  readonly description: string | null;
  /** skill:<name>, hook:<event> or agent:<name>. */
  readonly target: string | null;
  readonly prompt: string;
  readonly files: readonly CaseFile[];
  readonly checks: DeclaredChecks;
  readonly criteria: readonly Criterion[];
  /** Where it is defined, relative to the package. */
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

interface DeclaredChecks {
  readonly contains?: readonly string[];
  readonly notContains?: readonly string[];
  readonly filesCreated?: readonly string[];
  readonly agentBlocked?: boolean;
}

/** A sentence a judge decides. */
interface Criterion {
  readonly id: string;
  readonly text: string;
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
