/** Executes trials in this process: so many agents at a time, judges beside them. */
import pLimit from 'p-limit';
import type { Trial } from '../model/trial.ts';
import { fullDisk } from './disk-space.ts';
import type { RunContext } from './eval-context.ts';
import type { Executed, Executor, RunWatch } from './site.ts';
import { isOnlyAgent, runTrial, type TrialTurn } from './trial.ts';
import { type JudgeRules, judgeTrial, needsJudge } from './trial-judgement.ts';

export interface LocalExecutor extends Executor {
  /** Brings one trial to its verdict when its turn comes. Never rejects. */
  run(trial: Trial, watch: Pick<RunWatch, 'onStart' | 'onJudge'>): Promise<Executed>;
}

/** Judges mostly wait for their model. Those that are CLIs themselves are bounded once more, by their room. */
const JUDGES_PER_AGENT = 4;
/** While an agent runs the next one is made ready, and the last one is looked at. */
const TRIALS_PER_AGENT = 2;

/** One takes its place in line at its start, however long it is made ready then. */
async function inLine<Result>(
  agents: ReturnType<typeof pLimit>,
  use: (inTurn: TrialTurn['inTurn']) => Promise<Result>,
): Promise<Result> {
  let enter = () => {};
  let leave = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  void agents(() => {
    enter();
    return left;
  });
  try {
    return await use(async (run) => {
      await entered;
      return await run().finally(leave);
    });
  } finally {
    leave();
  }
}

export function localExecutor(context: RunContext, rules: JudgeRules, jobs: number): LocalExecutor {
  const { budget, tapes, redaction, scratch } = context;
  const agents = pLimit(jobs);
  const trialsAtOnce = pLimit(jobs * TRIALS_PER_AGENT);
  const judges = pLimit(jobs * JUDGES_PER_AGENT);
  const decide = async (trial: Trial, { onStart, onJudge }: Parameters<LocalExecutor['run']>[1]) => {
    // With a budget none may start before it is known what the last one has cost.
    const needsPlace = budget.left !== null || !isOnlyAgent(trial);
    const whole = async (inTurn: TrialTurn['inTurn']) => {
      const stopped = () => budget.stopped;
      const done = await runTrial(trial, context, {
        stopped,
        inTurn,
        onStart: (usage) => onStart(trial, usage),
      });
      budget.spend(done.result);
      return done;
    };
    const ran = await trialsAtOnce(() =>
      needsPlace ? agents(() => whole((run) => run())) : inLine(agents, whole),
    );
    if (!needsJudge(trial, ran, rules)) return ran.result;
    // Here the agent's place is free again.
    const decided = await judges(() => {
      onJudge(trial);
      return judgeTrial(trial, ran, rules);
    });
    if (decided.judged) budget.spendOnJudge(decided.judged);
    return decided;
  };
  const run: LocalExecutor['run'] = async (trial, watch) => {
    // Some servers repeat a key, and some agents repeat their server.
    const result = redaction.value(await tapes.run(trial, () => decide(trial, watch)));
    // Whatever an agent or a check made of a full disk decides nothing.
    return { result, fault: result.verdict === 'PASS' ? null : await fullDisk(scratch) };
  };
  return {
    budget,
    warnings: [],
    run,
    async runAll(trials, watch) {
      const waiting = trials.values();
      const lane = async () => {
        for (const trial of waiting) watch.onEnd(trial, await run(trial, watch));
      };
      const lanes = jobs * (TRIALS_PER_AGENT + 1 + JUDGES_PER_AGENT);
      await Promise.all(Array.from({ length: lanes }, lane));
    },
  };
}
