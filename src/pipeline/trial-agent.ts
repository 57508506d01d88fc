/** Runs the agent of a trial and reads what it says. */
import { Lines } from '../engine/lines.ts';
import type { Door } from '../gateway/gateway.ts';
import type { ProcessOutcome } from '../model/process.ts';
import type { RunContext } from './eval-context.ts';
import { type AgentRecord, AgentRecorder } from './trial-record.ts';
import type { StagedTrial } from './trial-stage.ts';

export interface AgentRun extends AgentRecord {
  readonly outcome: ProcessOutcome;
}

const SCRATCH_BYTES = 2 * 1024 * 1024 * 1024;
/** Waiting for the model's rate limit is not the agent's time, but no case may go on for ever. */
const MAX_UNCOUNTED_MS = 60_000;

export async function runAgent(
  context: RunContext,
  staged: StagedTrial,
  door: Door | null,
  cwd: string,
): Promise<AgentRun> {
  const { plan, sandbox, limits, signal } = context;
  const lines = new Lines();
  const recorder = new AgentRecorder();
  const reading = (async () => {
    for await (const event of plan.engine.read(lines)) recorder.add(event);
  })();
  const outcome = await sandbox.run({
    argv: staged.command.argv,
    cwd,
    env: { ...plan.settings.env, ...staged.command.env },
    mounts: staged.mounts,
    stdin: staged.command.stdin,
    network: plan.settings.network,
    timeoutMs: plan.settings.timeoutSeconds * 1000,
    uncountedMs: () => Math.min(door?.waitedMs ?? 0, MAX_UNCOUNTED_MS),
    limits: {
      outputBytes: limits.outputBytes,
      scratchBytes: SCRATCH_BYTES,
      ...(limits.memoryBytes !== null && { memoryBytes: limits.memoryBytes }),
      ...(limits.cpuSeconds !== null && { cpuSeconds: limits.cpuSeconds }),
    },
    signal,
    onStdout: (chunk) => lines.add(chunk),
  });
  lines.end();
  await reading;
  return { outcome, ...recorder.finish(plan.engine.readErrors?.(outcome.stderr.text) ?? []) };
}
