/** The contract of a sandbox. */
import type { ProcessOutcome } from '../model/process.ts';

/** Runs commands in isolation and says what happened. One instance serves many runs, also at once. */
export interface Sandbox extends AsyncDisposable {
  readonly id: 'bubblewrap' | 'none';
  /** True when mounts are real: what is not mounted is not there, and `ro` cannot be written. */
  readonly isolatesFiles: boolean;
  /** Folders of its own that commands see, under a name that is another in every run. */
  readonly places: readonly string[];
  /** The path under which a command sees a mounted folder. */
  seenAt(mount: Mount): string;
  /**
   * Runs one command to its end. Never rejects for what the command does. When this settles, the command
   * and every process it started are gone (with `none`: those of its process group).
   */
  run(request: SandboxRequest): Promise<ProcessOutcome>;
  /** Whether it is known that of all commands that have ended nothing runs any more. */
  isQuiet(): boolean;
}

export interface Mount {
  /** Absolute path on the host. */
  readonly from: string;
  /** Absolute path inside. */
  readonly to: string;
  readonly mode: 'ro' | 'rw';
  /** What it held before; looked up when the command starts where this is not given. */
  readonly held?: DiskUse;
}

export interface DiskUse {
  readonly bytes: number;
  readonly files: number;
}

export interface SandboxRequest {
  readonly argv: readonly [string, ...string[]];
  /** As the command sees it. */
  readonly cwd: string;
  /** Added to the sandbox's own small environment; nothing of the host's gets in. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  /** null: standard input is empty. */
  readonly stdin: string | null;
  readonly network: boolean;
  readonly timeoutMs: number;
  /** Time so far that does not count; asked when the time seems to be up. */
  readonly uncountedMs?: () => number;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** Sees standard output as it comes, all of it. */
  readonly onStdout?: (chunk: Buffer) => void;
}

export interface Limits {
  /** Of each stream, kept; more is counted and dropped. */
  readonly outputBytes: number;
  /** Of the folders that live in memory (/tmp and HOME), each. */
  readonly scratchBytes?: number;
  /** Per process. */
  readonly memoryBytes?: number;
  /** Per process. */
  readonly cpuSeconds?: number;
  /** Per file. */
  readonly fileBytes?: number;
  /** What is added to all folders that the command may write. Looked at every second or so: it is exceeded by as much as that. */
  readonly diskBytes?: number;
  /** And threads, at once. Looked at like the disk. */
  readonly processes?: number;
}
