/** Has the trials of a plan executed, and keeps each result as soon as it is known. */
import { availableParallelism, freemem } from 'node:os';
import type { Trial, TrialResult } from '../model/trial.ts';
import { longestFirst } from '../plan/order.ts';
import type { EvalEvent } from './eval-events.ts';
import type { EvalPlan } from './eval-plan.ts';
import type { Journal } from './journal.ts';
import { isOver } from './journal-lines.ts';
import { knownDurations } from './known-durations.ts';
import { shownFrom } from './run-places.ts';
import type { Executed, Executor } from './site.ts';
import { trialLabel } from './trial-arm.ts';

export interface RunRules {
  readonly plan: EvalPlan;
  readonly journal: Journal;
  /** Agents at a time. */
  readonly jobs: number;
  /** Results of trials that need not run. */
  readonly known: ReadonlyMap<string, TrialResult>;
  readonly onEvent: ((event: EvalEvent) => void) | undefined;
}

export async function runTrials(
  executor: Executor,
  { plan, journal, jobs, known, onEvent }: RunRules,
): Promise<Map<string, TrialResult>> {
  const results = new Map(known);
  const trials = plan.trials.filter(({ id }) => !known.has(id));
  const keeping = new Set<Promise<void>>();
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
  const labelOf = (trial: Trial) => trialLabel(trial, plan);
  const onEnd = (trial: Trial, { result, fault, onKept }: Executed) => {
    if (fault !== null) journal.fail(fault);
    const earlier = journal.before.results.get(trial.id);
    results.set(trial.id, isOver(result) || !earlier ? result : earlier);
    // The disk is waited for beside the next trial, not before it.
    const written = fault === null ? journal.append(result).then(onKept, () => {}) : Promise.resolve();
    const told = written.then(() => {
      keeping.delete(told);
      onEvent?.({ type: 'trial-end', result, label: labelOf(trial) });
    });
    keeping.add(told);
  };
  // One after the other, or as far as the money goes, they run as they are written.
  const isOrdered = jobs === 1 || trials.length <= jobs || executor.budget.left !== null;
  await executor.runAll(isOrdered ? trials : longestFirst(trials, await knownDurations(plan, trials)), {
    onStart: (trial, usage) =>
      onEvent?.({ type: 'trial-start', trial: trial.id, label: labelOf(trial), usage }),
    onJudge: (trial) => onEvent?.({ type: 'judge-start', trial: trial.id, label: labelOf(trial) }),
    onEnd,
  });
  journal.hurry();
  await Promise.all(keeping);
  return results;
}

const AGENT_MEMORY = 400 * 1024 * 1024;

/** Agents mostly wait for their model, so two for each core, as long as there is memory for them. */
export function defaultJobs(): number {
  return Math.max(1, Math.min(2 * availableParallelism(), Math.floor(freemem() / AGENT_MEMORY)));
}
