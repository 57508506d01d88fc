/** Runs the agent of a trial, turn by turn, and reads what it says. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineCommand } from '../engine/engine.ts';
import { Lines } from '../engine/lines.ts';
import type { Door } from '../gateway/gateway.ts';
import type { LineSocket } from '../host/line-socket.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { AgentPackage } from '../model/package.ts';
import type { ProcessOutcome } from '../model/process.ts';
import type { Trial } from '../model/trial.ts';
import type { RunContext } from './eval-context.ts';
import { sandboxLimits } from './sandbox-limits.ts';
import { type AgentRecord, AgentRecorder } from './trial-record.ts';
import type { StagedTrial } from './trial-stage.ts';
import { readHookRun, readHookStart } from './trial-traces.ts';
import { type Fault, findFault, spentAll, wasHeldBack, wasTold, withoutSession } from './trial-verdict.ts';

export interface AgentRun extends AgentRecord {
  /** Of the last turn. */
  readonly outcome: ProcessOutcome;
  /** Of all turns. */
  readonly stderr: string;
  /** Of all turns, without what the agent waited for the model's rate limit. */
  readonly durationMs: number;
  /** What ended the session before its time; null: the agent did its work, so that its checks can decide. */
  readonly fault: Fault | null;
}

/** What an agent talks to, and where it works. */
export interface Surroundings {
  readonly door: Door | null;
  readonly hookLog: LineSocket | null;
  readonly cwd: string;
}

/** Waiting for the model's rate limit is not the agent's time, but no case may go on for ever. */
const MAX_UNCOUNTED_MS = 60_000;

export async function runAgent(
  { case: { prompt: first, followUps, timeoutSeconds }, arm }: Trial,
  context: RunContext,
  staged: StagedTrial,
  around: Surroundings,
): Promise<AgentRun> {
  const { plan, budget } = context;
  const recorder = new AgentRecorder();
  const clock = new CaseClock((timeoutSeconds ?? plan.settings.timeoutSeconds) * 1000, around.door);
  const said: string[] = [];
  const run = async (command: EngineCommand, prompt: string) => {
    const callsCommand = arm === 'with' && callsOwn(prompt, plan.pkg);
    const turn = await runTurn(context, staged, { command, callsCommand }, around, clock, recorder);
    said.push(turn.outcome.stderr.text);
    return turn;
  };
  const done = ({ outcome, told }: Turn, fault: Fault | null): AgentRun => ({
    ...recorder.finish(told),
    outcome,
    fault,
    stderr: said.join(''),
    durationMs: clock.spentMs,
  });
  let turn = await run(staged.first, first);
  for (const prompt of followUps) {
    const { sessionId, costUsd: spentUsd } = recorder;
    const isSpent = budget.left !== null && spentUsd >= budget.left;
    const isLost = sessionId === null && plan.engine.provider !== null;
    const fault = turn.fault ?? (isLost ? withoutSession() : isSpent ? spentAll() : null);
    if (fault !== null) return done(turn, fault);
    recorder.goOn(prompt, turn.told);
    turn = await run(staged.next(prompt, sessionId ?? '', spentUsd), prompt);
  }
  return done(turn, turn.fault);
}

/** Whether a prompt calls a command or a skill of the package, by its own name or with that of the plugin before it. */
function callsOwn(prompt: string, { commands, skills }: AgentPackage): boolean {
  const called = /^\/(\S+)/.exec(prompt)?.[1];
  if (called === undefined) return false;
  return [...commands, ...skills].some(({ name }) => called === name || called.endsWith(`:${name}`));
}

interface Turn {
  readonly outcome: ProcessOutcome;
  /** Events that became known only after the end. */
  readonly told: readonly AgentEvent[];
  readonly fault: Fault | null;
}

async function runTurn(
  { plan, sandbox, limits, signal }: RunContext,
  { mounts, env }: StagedTrial,
  { command, callsCommand }: { readonly command: EngineCommand; readonly callsCommand: boolean },
  { door, hookLog, cwd }: Surroundings,
  clock: CaseClock,
  recorder: AgentRecorder,
): Promise<Turn> {
  if (command.pretended) {
    for (const event of command.pretended) recorder.add(event);
    return { outcome: PRETENDED, told: [], fault: null };
  }
  const lines = new Lines();
  const reading = (async () => {
    for await (const event of plan.engine.read(lines)) recorder.add(event);
  })();
  const asked = door?.usage.requests ?? 0;
  const reported = hookLog?.lines.length ?? 0;
  const time = clock.turn();
  const outcome = await sandbox.run({
    argv: command.argv,
    cwd,
    env: { ...env, ...command.env },
    mounts,
    stdin: command.stdin,
    network: plan.settings.network,
    ...time,
    limits: sandboxLimits(limits, limits.outputBytes),
    signal,
    onStdout: (chunk) => lines.add(chunk),
  });
  clock.spend(outcome.durationMs - time.uncountedMs());
  // What ends all processes at once may reach the agent before aam.
  if (wasTold(outcome) && !signal.aborted) await delay(SAME_MOMENT_MS);
  lines.end();
  await reading;
  await hookLog?.drained();
  const told = plan.engine.readErrors?.(outcome.stderr.text) ?? [];
  const events = [...recorder.turnEvents, ...told];
  const hookLines = hookLog?.lines.slice(reported) ?? [];
  const hooks = hookLines.flatMap(readHookRun);
  const fault = findFault({
    outcome,
    events,
    modelFailure: door?.failure ?? null,
    unanswered: door?.unanswered ?? null,
    requests: (door?.usage.requests ?? 0) - asked,
    askedBefore: asked > 0,
    ranHooks: hookLines.length > 0,
    isInHook: hookLines.flatMap(readHookStart).length > hooks.length,
    heldBack: wasHeldBack(hooks, events),
    callsCommand,
    ownModel: plan.engine.provider === null,
    timeoutSeconds: clock.totalMs / 1000,
    memoryBytes: limits.memoryBytes,
    isInterrupted: signal.aborted,
  });
  return { outcome, told, fault };
}

const SAME_MOMENT_MS = 50;
const NOTHING = { text: '', bytes: 0, truncated: false };

const PRETENDED: ProcessOutcome = {
  ended: 'exited',
  exitCode: 0,
  stdout: NOTHING,
  stderr: NOTHING,
  durationMs: 0,
};

/** The time of a case, for all its turns. */
class CaseClock {
  readonly totalMs: number;
  readonly #door: Door | null;
  #spentMs = 0;

  constructor(totalMs: number, door: Door | null) {
    this.totalMs = totalMs;
    this.#door = door;
  }

  turn(): { readonly timeoutMs: number; readonly uncountedMs: () => number } {
    const before = this.#waitedMs;
    return {
      timeoutMs: Math.max(1, this.totalMs - this.#spentMs),
      uncountedMs: () => this.#waitedMs - before,
    };
  }

  spend(ms: number): void {
    this.#spentMs += ms;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  get #waitedMs(): number {
    return Math.min(this.#door?.waitedMs ?? 0, MAX_UNCOUNTED_MS);
  }
}
