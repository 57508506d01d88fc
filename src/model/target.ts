/** Who an eval file wants to be asked, as its `targets.yaml` names it. Plain data. */
import type { JudgeProvider } from './judgement.ts';

export interface Target {
  readonly name: string;
  /** `claude-code`, `codex`, `command` (a shell command), `completion` (a bare model) or `mock`. */
  readonly engine: string;
  /** null: the engine's own default. */
  readonly model: string | null;
  /** null: what the suite says. */
  readonly timeoutSeconds: number | null;
  /** Instructions for the agent beside the prompt. */
  readonly instructions: string | null;
  /** Of `command`. */
  readonly shell: ShellAgent | null;
  /** Of `completion`; null: told by the model's name. */
  readonly provider: JudgeProvider | null;
  /** Of `mock`: what it always answers. */
  readonly response: string | null;
  /** Model that judges; null: the suite's. */
  readonly judge: string | null;
  /** Absolute: a folder whose files are in the workspace, unless the case has others in their place. */
  readonly template?: string;
}

/** An agent that a shell command starts. */
export interface ShellAgent {
  /** With {PROMPT}, {PROMPT_FILE}, {OUTPUT_FILE}, {FILES}, {EVAL_ID}, {ATTEMPT}: each is quoted for the shell. */
  readonly command: string;
  /** Absolute; null: the workspace. */
  readonly cwd: string | null;
  /** How {FILES} names one of them: {path}, {basename}. */
  readonly filesFormat: string;
  readonly healthcheck: { readonly command: string; readonly cwd: string | null } | null;
}
