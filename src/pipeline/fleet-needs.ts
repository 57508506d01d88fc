/** What a run needs of its workers, and who of those that are there can serve it. */
import rsort from 'semver/functions/rsort.js';
import { hasProgram } from '../engine/find.ts';
import { readJudgeName } from '../judge/model-name.ts';
import { lacks, type WorkerFacts, type WorkerNeeds } from '../model/needs.ts';
import { needsInWords } from '../model/needs-words.ts';
import type { EvalOptions } from './eval.ts';
import { needsAnyJudge } from './eval-judge.ts';
import type { EvalPlan } from './eval-plan.ts';

/** `version`: of the engine, a range; null: any. */
export function needsOf(plan: EvalPlan, options: EvalOptions, version: string | null): WorkerNeeds {
  return {
    aam: options.version,
    engine: plan.engineName,
    engineVersion: hasProgram(plan.engineName) ? version : null,
    providers: providersOf(plan, options),
    tags: [...new Set(options.queue?.tags ?? [])].sort(),
    sandbox: options.sandbox,
    network: plan.settings.network,
  };
}

function providersOf({ engine, settings, trials }: EvalPlan, { noJudge }: EvalOptions): string[] {
  const isJudged = !noJudge && trials.some((trial) => needsAnyJudge(trial.case));
  const judge = isJudged && settings.judge !== null ? readJudgeName(settings.judge).provider : null;
  return [...new Set([engine.provider, judge])].filter((it) => it !== null).sort();
}

/**
 * Results of several versions of an agent do not belong into one report, unless the user says so. The version that most
 * agents could run with; null: nobody could serve, or the engine has no versions.
 */
export function commonVersion(workers: readonly WorkerFacts[], needs: WorkerNeeds): string | null {
  const places = new Map<string, number>();
  for (const worker of workers) {
    const version = worker.engines[needs.engine];
    if (!version || lacks(worker, needs).length > 0) continue;
    places.set(version, (places.get(version) ?? 0) + worker.jobs);
  }
  const most = Math.max(0, ...places.values());
  return rsort([...places].flatMap(([version, jobs]) => (jobs === most ? [version] : [])))[0] ?? null;
}

export function able(workers: readonly WorkerFacts[], needs: WorkerNeeds): WorkerFacts[] {
  return workers.filter((worker) => lacks(worker, needs).length === 0);
}

const MAX_TOLD = 8;

/** Why nobody can serve, for people. */
export function whyNobody(
  workers: readonly WorkerFacts[],
  needs: WorkerNeeds,
): { message: string; details: string[] } {
  const told = workers.slice(0, MAX_TOLD).map((it) => `${it.id}: ${lacks(it, needs).join('; ')}`);
  const more = workers.length > MAX_TOLD ? [`and ${workers.length - MAX_TOLD} more`] : [];
  return {
    message: `no worker can serve this run, which needs ${needsInWords(needs)}`,
    details:
      workers.length === 0 ? ['no worker is there at all:  aam worker --queue <url>'] : [...told, ...more],
  };
}
