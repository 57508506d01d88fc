/** The contract of a format: how one kind of eval source becomes a suite. */
import type { Suite } from '../model/case.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { EvaluatorName } from '../model/evaluators.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';

export interface Format {
  /** For people. */
  readonly title: string;
  /** Where a file of this format usually stands in a folder, best first. */
  readonly usualFiles: readonly string[];
  /** Whether a file is of this format; `text` is its beginning. */
  recognises(file: string, text: string): boolean;
  /**
   * `file` is an absolute path. `evaluator`: of formats that know several, the one that decides every case. Never throws
   * for what is written in the file: `diagnostics` say what is wrong.
   */
  read(file: string, env?: Host['env'], evaluator?: EvaluatorName): Promise<LoadedSuite>;
}

export interface LoadedSuite {
  /** Absolute. Reports go below it, and the paths of cases and diagnostics are relative to it. */
  readonly home: string;
  /** What the agent gets. Nothing of the evals is in it. */
  readonly pkg: AgentPackage;
  /** Its cases can all be run as they are written. */
  readonly suite: Suite;
  /** Absolute: folders outside home that no agent may see, because they tell how cases are graded. */
  readonly hides?: readonly string[];
  /** Names of the targets that a case is for, by its name, where its file says so. */
  readonly targetsOf?: ReadonlyMap<string, readonly string[]>;
  /** Cases with mistakes that would spoil them. */
  readonly broken: readonly BrokenCase[];
  /** Names of cases that are written there and not to be run yet. */
  readonly deferred?: readonly string[];
  /** How many cases are written there, those included that cannot be run. */
  readonly found: number;
  /** All of them, those of broken cases included. `file_copy_error` is one that fails its case and no other. */
  readonly diagnostics: readonly Diagnostic[];
}

interface BrokenCase {
  /** Its name, and the other words that select it. */
  readonly words: readonly string[];
  readonly tags?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** It is not to be run yet, so that its mistakes spoil nothing. */
  readonly deferred?: boolean;
}
