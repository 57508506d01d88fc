/** What became of one command that a sandbox ran. */
export interface ProcessOutcome {
  /**
   * `exited`: by itself, see `exitCode`. `timed-out`, `aborted`, `over-limit`: ended by us, with every descendant.
   * `not-started`: the sandbox itself failed, see `error`; this says nothing about the command.
   */
  readonly ended: 'exited' | 'timed-out' | 'aborted' | 'over-limit' | 'not-started';
  readonly exitCode: number | null;
  readonly stdout: CapturedText;
  readonly stderr: CapturedText;
  readonly durationMs: number;
  readonly error?: string;
  /** With `over-limit`. */
  readonly exceeded?: Exceeded;
  /** Not the sandbox failed but the command: it is not there, may not be run, or is too long. */
  readonly unstartable?: true;
}

/** What a command used too much of; `error` goes on where its name stands. */
export interface Exceeded {
  readonly limit: 'disk' | 'processes';
  readonly error: string;
}

/** Output kept within a limit: the beginning and the end survive, the middle is counted. */
export interface CapturedText {
  readonly text: string;
  /** Bytes the command wrote, kept or not. */
  readonly bytes: number;
  readonly truncated: boolean;
}
