/** Runs the agent of a trial and reads what it says. */
import { Lines } from '../engine/lines.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { ProcessOutcome } from '../model/process.ts';
import type { RunContext } from './eval-context.ts';
import type { StagedTrial } from './trial-stage.ts';

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

export interface AgentRun {
  readonly outcome: ProcessOutcome;
  readonly events: readonly AgentEvent[];
  /** Everything the agent said to people, its final answer last. */
  readonly said: string;
  readonly end: EventOf<'end'> | undefined;
  readonly session: EventOf<'session'> | undefined;
}

const MAX_EVENTS = 20_000;
const SCRATCH_BYTES = 2 * 1024 * 1024 * 1024;

export async function runAgent(context: RunContext, staged: StagedTrial, cwd: string): Promise<AgentRun> {
  const { plan, sandbox, limits, signal } = context;
  const lines = new Lines();
  const events: AgentEvent[] = [];
  const reading = (async () => {
    for await (const event of plan.engine.read(lines)) {
      if (events.length < MAX_EVENTS || event.type === 'end') events.push(event);
    }
  })();
  const outcome = await sandbox.run({
    argv: staged.command.argv,
    cwd,
    env: { ...plan.settings.env, ...staged.command.env },
    mounts: staged.mounts,
    stdin: staged.command.stdin,
    network: plan.settings.network,
    timeoutMs: plan.settings.timeoutSeconds * 1000,
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
  // What the CLI says only on standard error happened before its end.
  const told = plan.engine.readErrors?.(outcome.stderr.text) ?? [];
  events.splice(events.at(-1)?.type === 'end' ? -1 : events.length, 0, ...told);
  const end = events.findLast((event) => event.type === 'end');
  const messages = events.flatMap((event) =>
    event.type === 'message' && !event.subAgent ? [event.text] : [],
  );
  const final = end?.output ?? '';
  const said = messages.at(-1) === final || final === '' ? messages : [...messages, final];
  return {
    outcome,
    events,
    said: said.join('\n'),
    end,
    session: events.find((event) => event.type === 'session'),
  };
}
