/** `aam runs`: the runs of a package, how each stands and what it cost. */
import type { Host } from '../model/host.ts';
import type { ListedRun, RunList } from '../model/run-list.ts';
import type { TrialResult, Verdict } from '../model/trial.ts';
import { spentOn } from './eval-cost.ts';
import { type FoundRun, findRuns, resumeCommand } from './runs.ts';

/** The newest first. `path`: a file or folder of the package; null: the one at the working folder. */
export async function listRuns(host: Host, path: string | null): Promise<RunList> {
  const runs = await findRuns(host, path);
  return { version: 1, runs: runs.map(listed) };
}

function listed({ record, state, contents, dir }: FoundRun): ListedRun {
  const results = [...contents.results.values()];
  const count = (verdict: Verdict) => results.filter((it) => it.verdict === verdict).length;
  const trials = {
    planned: record.identity.trials,
    passed: count('PASS'),
    failed: count('FAIL'),
    undecided: count('SKIP'),
    missing: Math.max(0, record.identity.trials - results.length),
  };
  const attempts = [...results, ...contents.superseded];
  return {
    id: record.id,
    state,
    timestamp: record.timestamp,
    duration_seconds: Math.round(contents.workedMs / 10) / 100,
    package: record.package.version
      ? `${record.package.name} ${record.package.version}`
      : record.package.name,
    engine: record.identity.engine.name,
    trials,
    cost_usd: knownCost(attempts),
    // Of an agent that brings its own model nobody knows what it cost.
    cost_is_complete: record.identity.engine.name !== 'command' && spentOn(attempts).costUsd !== null,
    report: contents.end?.report ?? null,
    folder: dir,
    resume: nextCommand(record.id, state, trials),
  };
}

function knownCost(results: readonly TrialResult[]): number | null {
  const costs = results.flatMap(({ costUsd, judged }) => [costUsd, judged?.costUsd ?? null]);
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

function nextCommand(id: string, state: FoundRun['state'], trials: ListedRun['trials']): string | null {
  if (state === 'running') return null;
  if (state !== 'finished') return resumeCommand(id);
  return trials.undecided > 0 ? `aam eval --retry-undecided ${id}` : null;
}
