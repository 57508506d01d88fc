/** Asks a model by an agent CLI and the login it has. Whoever makes the transport runs the command. */
import type { JudgeProvider, JudgeTransportId } from '../../model/judgement.ts';
import type { ProcessOutcome } from '../../model/process.ts';
import type { JudgeReply, JudgeTransport } from '../judge.ts';
import type { JudgePrompt } from '../prompt.ts';
import { failedBy, failedToAnswerIn, failedWith, type JudgeDoor } from './door.ts';

/** Translates between a judge's prompt and one CLI. Pure: launches nothing, reads no files. */
export interface JudgeCli {
  readonly id: Exclude<JudgeTransportId, 'api'>;
  readonly provider: JudgeProvider;
  command(prompt: JudgePrompt, setup: JudgeCliSetup): JudgeCommand;
  /** Reads standard output. Must not throw. */
  read(stdout: string): CliReading;
  /** What the CLI says it cost; null: it does not. */
  costIn(stdout: string): number | null;
}

/** All paths are as seen where the command runs. */
export interface JudgeCliSetup {
  /** What starts the CLI, the program itself last. */
  readonly start: readonly [string, ...string[]];
  /** Arguments, variables and config files with which the engine of the same CLI leads it to the gateway. */
  readonly arguments: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly configFiles: Readonly<Record<string, string>>;
  /** Where the config files are put. */
  readonly configDir: string;
  /** An id, or an alias of the CLI; null: its default. */
  readonly model: string | null;
}

interface JudgeCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly configFiles: Readonly<Record<string, string>>;
}

export type CliReading =
  | { readonly state: 'answered'; readonly answer: unknown }
  | { readonly state: 'unusable'; readonly why: string }
  /** The CLI says that its model failed. */
  | { readonly state: 'model-failed'; readonly status: number | null; readonly message: string }
  /** null: it says nothing that can be understood. */
  | { readonly state: 'cli-failed'; readonly message: string | null };

export interface CliTransportOptions {
  readonly cli: JudgeCli;
  readonly setup: JudgeCliSetup;
  readonly door: JudgeDoor;
  readonly run: (command: JudgeCommand, signal: AbortSignal) => Promise<ProcessOutcome>;
  readonly onCost?: (usd: number | null) => void;
}

export function createCliTransport({ cli, setup, door, run, onCost }: CliTransportOptions): JudgeTransport {
  return {
    id: cli.id,
    provider: cli.provider,
    async ask(prompt, signal) {
      const outcome = await run(cli.command(prompt, setup), signal);
      onCost?.(cli.costIn(outcome.stdout.text));
      return replyOf(outcome, cli, door);
    },
  };
}

function replyOf(outcome: ProcessOutcome, cli: JudgeCli, door: JudgeDoor): JudgeReply {
  const { ended, exitCode, stdout, stderr, durationMs, error } = outcome;
  const failed = (errorKind: 'sandbox' | 'interrupted' | 'engine-failed', message: string): JudgeReply => ({
    state: 'failed',
    errorKind,
    error: message,
  });
  if (ended === 'not-started') return failed('sandbox', `the judge could not be started: ${error}`);
  if (ended === 'aborted') return failed('interrupted', 'the run was interrupted while this case was judged');
  if (ended === 'timed-out') return failedToAnswerIn(door, durationMs);
  const reading: CliReading = stdout.truncated
    ? { state: 'unusable', why: `the CLI printed ${stdout.bytes} bytes, which is more than an answer` }
    : cli.read(stdout.text);
  const model = door.usage.models.at(-1) ?? null;
  switch (reading.state) {
    case 'answered':
      if (exitCode === 0) return { ...reading, model };
      return failed('engine-failed', `the judge’s CLI ended with exit code ${exitCode} after its answer`);
    case 'unusable':
      return { ...reading, model };
    case 'model-failed':
      return failedWith(door, reading.status, reading.message);
    case 'cli-failed': {
      if (door.failure) return failedBy(door.failure);
      const last = stderr.text.trim().split('\n').slice(-3).join(' ').slice(0, 300);
      const words = reading.message || last || 'it gave no reason';
      return failed('engine-failed', `the judge’s CLI ended with exit code ${exitCode}: ${words}`);
    }
  }
}
