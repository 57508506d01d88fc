/** Executes trials in this process: so many agents at a time, judges beside them. */
import pLimit from 'p-limit';
import type { Trial } from '../model/trial.ts';
import { fullDisk } from './disk-space.ts';
import type { RunContext } from './eval-context.ts';
import type { Executor, TrialWatch } from './site.ts';
import { runTrial } from './trial.ts';
import { type JudgeRules, judgeTrial, needsJudge } from './trial-judgement.ts';

/** Judges mostly wait for their model. Those that are CLIs themselves are bounded once more, by their room. */
const JUDGES_PER_AGENT = 4;

export function localExecutor(context: RunContext, rules: JudgeRules, jobs: number): Executor {
  const { budget, tapes, redaction, scratch } = context;
  const agents = pLimit(jobs);
  const judges = pLimit(jobs * JUDGES_PER_AGENT);
  const decide = async (trial: Trial, watch: TrialWatch) => {
    const ran = await agents(async () => {
      const done = await runTrial(trial, context, budget.stopped, watch.onStart);
      // Before the next one starts.
      budget.spend(done.result);
      return done;
    });
    if (!needsJudge(trial, ran, rules)) return ran.result;
    // Here the agent's place is free again.
    const decided = await judges(() => {
      watch.onJudge();
      return judgeTrial(trial, ran, rules);
    });
    if (decided.judged) budget.spendOnJudge(decided.judged);
    return decided;
  };
  return {
    budget,
    warnings: [],
    async run(trial, watch) {
      // Some servers repeat a key, and some agents repeat their server.
      const result = redaction.value(await tapes.run(trial, () => decide(trial, watch)));
      // Whatever an agent or a check made of a full disk decides nothing.
      return { result, fault: result.verdict === 'PASS' ? null : await fullDisk(scratch) };
    },
  };
}
