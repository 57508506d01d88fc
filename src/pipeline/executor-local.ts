/** Executes trials in this process: so many agents at a time, judges beside them. */
import pLimit from 'p-limit';
import type { Trial } from '../model/trial.ts';
import { fullDisk } from './disk-space.ts';
import type { RunContext } from './eval-context.ts';
import type { Executed, Executor, RunWatch } from './site.ts';
import { runTrial } from './trial.ts';
import { type JudgeRules, judgeTrial, needsJudge } from './trial-judgement.ts';

export interface LocalExecutor extends Executor {
  /** Brings one trial to its verdict when its turn comes. Never rejects. */
  run(trial: Trial, watch: Pick<RunWatch, 'onStart' | 'onJudge'>): Promise<Executed>;
}

/** Judges mostly wait for their model. Those that are CLIs themselves are bounded once more, by their room. */
const JUDGES_PER_AGENT = 4;

export function localExecutor(context: RunContext, rules: JudgeRules, jobs: number): LocalExecutor {
  const { budget, tapes, redaction, scratch } = context;
  const agents = pLimit(jobs);
  const judges = pLimit(jobs * JUDGES_PER_AGENT);
  const decide = async (trial: Trial, { onStart, onJudge }: Parameters<LocalExecutor['run']>[1]) => {
    const ran = await agents(async () => {
      const done = await runTrial(trial, context, budget.stopped, (usage) => onStart(trial, usage));
      // Before the next one starts.
      budget.spend(done.result);
      return done;
    });
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
      // One waits behind each agent, so that no place is empty while a result is looked at.
      await Promise.all(Array.from({ length: jobs * (2 + JUDGES_PER_AGENT) }, lane));
    },
  };
}
