/** What a hook of the package did during a trial, as the shim around it reported. */
export interface HookRun {
  /** In the package's own spelling: pre-tool-use, stop… */
  readonly event: string;
  /** Which group and which hook of it, counted from 0. */
  readonly group: number;
  readonly index: number;
  readonly command: string;
  readonly toolName: string | null;
  /** null: it could not be started or did not end in time. */
  readonly exitCode: number | null;
  readonly decision: 'allow' | 'ask' | 'block' | 'none';
  readonly reason: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Set when the hook itself is broken: missing, crashed, timed out, printed no JSON where JSON was meant. */
  readonly error: string | null;
  readonly durationMs: number;
}
