/** Runs the trials of a plan: so many agents at a time, judges beside them, each result kept as soon as it is known. */
import { availableParallelism, freemem } from 'node:os';
import pLimit from 'p-limit';
import type { Trial, TrialResult } from '../model/trial.ts';
import { longestFirst } from '../plan/order.ts';
import { fullDisk } from './disk-space.ts';
import type { RunContext } from './eval-context.ts';
import type { EvalEvent } from './eval-events.ts';
import { isOver } from './journal-lines.ts';
import { knownDurations } from './known-durations.ts';
import { shownFrom } from './run-places.ts';
import { runTrial } from './trial.ts';
import { trialLabel } from './trial-arm.ts';
import { type JudgeRules, judgeTrial, needsJudge } from './trial-judgement.ts';

export interface RunRules {
  readonly jobs: number;
  readonly rules: JudgeRules;
  /** Results of trials that need not run. */
  readonly known: ReadonlyMap<string, TrialResult>;
  readonly onEvent: ((event: EvalEvent) => void) | undefined;
}

/** Judges mostly wait for their model. Those that are CLIs themselves are bounded once more, by their room. */
const JUDGES_PER_AGENT = 4;

export async function runTrials(
  context: RunContext,
  { jobs, rules, known, onEvent }: RunRules,
): Promise<Map<string, TrialResult>> {
  const { plan, journal, budget } = context;
  const results = new Map(known);
  const trials = plan.trials.filter(({ id }) => !known.has(id));
  const kept: Promise<unknown>[] = [];
  onEvent?.({
    type: 'run-start',
    total: trials.length,
    known: plan.trials.length - trials.length,
    cases: new Set(plan.trials.map((trial) => trial.case.name)).size,
    runs: plan.runs,
    baseline: plan.baseline,
    engine: plan.engineName,
    package: plan.pkg.version ? `${plan.pkg.name} ${plan.pkg.version}` : plan.pkg.name,
    folder: shownFrom(plan.home, journal.dir),
  });
  const agents = pLimit(jobs);
  const judges = pLimit(jobs * JUDGES_PER_AGENT);
  const runOne = async (trial: Trial) => {
    const label = trialLabel(trial, plan);
    const watch = (usage: () => TrialResult['usage']) =>
      onEvent?.({ type: 'trial-start', trial: trial.id, label, usage });
    const decide = async () => {
      const ran = await agents(async () => {
        const done = await runTrial(trial, context, budget.stopped, watch);
        // Before the next one starts.
        budget.spend(done.result);
        return done;
      });
      if (!needsJudge(trial, ran, rules)) return ran.result;
      // Here the agent's place is free again.
      const decided = await judges(() => {
        onEvent?.({ type: 'judge-start', trial: trial.id, label });
        return judgeTrial(trial, ran, rules);
      });
      if (decided.judged) budget.spendOnJudge(decided.judged);
      return decided;
    };
    // Some servers repeat a key, and some agents repeat their server.
    const result = context.redaction.value(await context.tapes.run(trial, decide));
    const full = result.verdict === 'PASS' ? null : await fullDisk(context.scratch);
    // Whatever an agent or a check made of it decides nothing.
    if (full !== null) journal.fail(full);
    const earlier = journal.before.results.get(trial.id);
    results.set(trial.id, isOver(result) || !earlier ? result : earlier);
    // The disk is waited for beside the next trial, not before it.
    const written = full === null ? journal.append(result).catch(() => {}) : Promise.resolve();
    kept.push(written.then(() => onEvent?.({ type: 'trial-end', result, label })));
  };
  // One after the other, or as far as the money goes, they run as they are written.
  const isOrdered = jobs === 1 || budget.left !== null;
  await Promise.all((isOrdered ? trials : longestFirst(trials, await knownDurations(plan))).map(runOne));
  journal.hurry();
  await Promise.all(kept);
  return results;
}

const AGENT_MEMORY = 400 * 1024 * 1024;

/** Agents mostly wait for their model, so two for each core, as long as there is memory for them. */
export function defaultJobs(): number {
  return Math.max(1, Math.min(2 * availableParallelism(), Math.floor(freemem() / AGENT_MEMORY)));
}
