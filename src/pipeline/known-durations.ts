/** How long trials took before, as earlier reports of the package tell. */
import { stat } from 'node:fs/promises';
import type { EvalReport } from '../model/report.ts';
import type { Trial } from '../model/trial.ts';
import { newestReports } from '../report/find.ts';
import { readReport } from '../report/read.ts';
import type { EvalPlan } from './eval-plan.ts';

const REPORTS = 3;
/** Reading a larger one takes longer than a good order saves. */
const MAX_BYTES = 4 * 1024 * 1024;

/** In seconds; null: no report tells. Of several the newest counts, and in it the mean of the repetitions. */
export async function knownDurations({
  home,
  engineName,
}: Pick<EvalPlan, 'home' | 'engineName'>): Promise<(trial: Trial) => number | null> {
  const known = new Map<string, number>();
  for (const path of await newestReports(home, REPORTS)) {
    const report = await smallReport(path);
    if (report?.config.engine !== engineName) continue;
    for (const [key, seconds] of durationsIn(report)) if (!known.has(key)) known.set(key, seconds);
  }
  return ({ case: it, arm }) => known.get(keyOf(it.name, arm)) ?? null;
}

/** null: it is too large, or cannot be read, which is no reason not to run. */
async function smallReport(path: string): Promise<EvalReport | null> {
  const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }));
  return size > MAX_BYTES ? null : await readReport(path).catch(() => null);
}

function durationsIn({ cases }: EvalReport): Map<string, number> {
  const all = new Map<string, number[]>();
  for (const { name, trials } of cases) {
    for (const { arm, duration_seconds, capture } of trials) {
      // It did not run.
      if (capture === null) continue;
      const key = keyOf(name, arm);
      all.set(key, [...(all.get(key) ?? []), duration_seconds]);
    }
  }
  return new Map([...all].map(([key, list]) => [key, list.reduce((sum, it) => sum + it, 0) / list.length]));
}

function keyOf(name: string, arm: Trial['arm']): string {
  return `${arm} ${name}`;
}
