/** What the HTML report shows: embedded in the page as JSON. Long texts are cut, and every cut is marked. */
import type { EvalDiff } from './diff.ts';
import type { EvalCaseRecord, EvalReport, EvalTrialRecord, JudgeVerdictRecord } from './report.ts';
import type { FileChange } from './trial.ts';

export type ViewerData =
  | { readonly kind: 'run'; readonly run: ViewerRun }
  | { readonly kind: 'diff'; readonly diff: EvalDiff; readonly a: ViewerRun; readonly b: ViewerRun };

export interface ViewerRun {
  readonly report: Omit<EvalReport, 'cases'>;
  readonly cases: readonly ViewerCase[];
}

export interface ViewerCase
  extends Pick<
    EvalCaseRecord,
    | 'name'
    | 'target'
    | 'verdict'
    | 'duration_seconds'
    | 'error'
    | 'error_kind'
    | 'description'
    | 'file'
    | 'line'
    | 'warnings'
    | 'statistics'
    | 'baseline'
  > {
  /** Which of the trials stands for the case. */
  readonly decisive: number;
  readonly trials: readonly ViewerTrial[];
}

export interface ViewerTrial
  extends Pick<EvalTrialRecord, 'trial' | 'arm' | 'repetition' | 'verdict' | 'duration_seconds'> {
  /** null: left out to keep the page small. */
  readonly details: TrialDetails | null;
  readonly capture: CaptureEntry;
}

export interface TrialDetails
  extends Pick<
    EvalTrialRecord,
    'error' | 'error_kind' | 'agent' | 'usage' | 'cost_usd' | 'warnings' | 'tape' | 'score'
  > {
  readonly checks: EvalTrialRecord['check_details'];
  readonly groups?: NonNullable<EvalTrialRecord['groups']>;
  readonly judge: ViewerJudge | null;
  readonly skills: readonly string[];
  /** The beginning of the output; null: the capture has it. */
  readonly snippet: string | null;
}

/** Without what each vote said in full: the criteria have the reasons that count. */
export interface ViewerJudge
  extends Pick<JudgeVerdictRecord, 'result' | 'reason' | 'model' | 'transport' | 'criteria' | 'cost_usd'> {
  readonly votes: readonly Pick<JudgeVerdictRecord['votes'][number], 'state' | 'model' | 'error'>[];
}

/** `none`: the trial left nothing behind. */
export type CaptureEntry =
  | { readonly state: 'here'; readonly capture: ViewerCapture }
  | { readonly state: 'none' }
  | { readonly state: 'left-out'; readonly why: string };

/** The middle of a long text is left out; `cut` is how many characters it had. */
export type ViewerText = string | { readonly head: string; readonly cut: number; readonly tail: string };

export interface ViewerCapture {
  readonly command: ViewerText;
  readonly exitCode: number | null;
  readonly ended: string;
  readonly output: ViewerText;
  readonly stderr: ViewerText;
  readonly steps: readonly ViewerStep[];
  readonly hooks: readonly ViewerHook[];
  readonly hooksLeftOut: number;
  readonly files: readonly ViewerFile[];
  readonly filesLeftOut: number;
}

/** What the agent did, with the result of a tool at its call. */
export type ViewerStep =
  | { readonly type: 'message'; readonly text: ViewerText; readonly subAgent: boolean }
  | {
      readonly type: 'tool';
      readonly tool: string;
      readonly input: ViewerText;
      /** null: it never came. */
      readonly output: ViewerText | null;
      readonly isError: boolean;
      readonly subAgent: boolean;
    }
  | {
      readonly type: 'note';
      readonly kind:
        | 'session'
        | 'turn'
        | 'skill'
        | 'sub-agent'
        | 'hook'
        | 'denied'
        | 'error'
        | 'end'
        | 'other';
      readonly isBad: boolean;
      readonly title: string;
      readonly text: ViewerText;
    }
  /** Steps that are missing here: from this page (`count`), or from the capture itself. */
  | { readonly type: 'gap'; readonly count: number | null; readonly why: string };

export interface ViewerHook {
  readonly event: string;
  readonly command: string;
  readonly tool: string | null;
  readonly exitCode: number | null;
  readonly decision: string;
  readonly reason: ViewerText;
  readonly stdout: ViewerText;
  readonly stderr: ViewerText;
  readonly error: string | null;
}

export interface ViewerFile extends Pick<FileChange, 'path' | 'change'> {
  /** Unified diff; null when the file is not text or too large. */
  readonly diff: ViewerText | null;
}
