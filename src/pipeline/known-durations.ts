/** How long trials took before, as earlier reports of the package tell. */
import { readFile, stat } from 'node:fs/promises';
import { jsonOrNull } from '../model/json-or-null.ts';
import type { EvalReport } from '../model/report.ts';
import type { Trial } from '../model/trial.ts';
import { newestReports } from '../report/find.ts';
import type { EvalPlan } from './eval-plan.ts';

const REPORTS = 3;
/** Reading a larger one takes longer than a good order saves. */
const MAX_BYTES = 4 * 1024 * 1024;

/** In seconds; null: no report tells. Of several the newest counts, and in it the mean of the repetitions. */
export async function knownDurations(
  { home, engineName }: Pick<EvalPlan, 'home' | 'engineName'>,
  trials: readonly Trial[],
): Promise<(trial: Trial) => number | null> {
  const known = new Map<string, number>();
  const durationOf = ({ case: { name }, arm }: Trial) => known.get(keyOf(name, arm)) ?? null;
  for (const path of await newestReports(home, REPORTS)) {
    if (trials.every((trial) => durationOf(trial) !== null)) break;
    const report = await smallReport(path);
    if (report?.config?.engine !== engineName) continue;
    for (const [key, seconds] of durationsIn(report)) if (!known.has(key)) known.set(key, seconds);
  }
  return durationOf;
}

/** Whatever is in the file: a report that is wrong or from another time is no reason not to run. */
type Told<Value> = Value extends readonly (infer Item)[]
  ? readonly Told<Item>[] | undefined
  : Value extends object
    ? { readonly [Key in keyof Value]?: Told<Value[Key]> } | null | undefined
    : unknown;

/** Not looked at as a whole, which would take ten times as long. null: it is too large, or cannot be read. */
async function smallReport(path: string): Promise<Told<EvalReport>> {
  const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }));
  if (size > MAX_BYTES) return null;
  return jsonOrNull(await readFile(path, 'utf8').catch(() => '')) as Told<EvalReport>;
}

function durationsIn(report: NonNullable<Told<EvalReport>>): Map<string, number> {
  const all = new Map<string, number[]>();
  for (const it of listOf(report.cases)) {
    for (const trial of listOf(it?.trials)) {
      const seconds = trial?.duration_seconds;
      // Without a capture it did not run.
      if (typeof seconds !== 'number' || typeof trial?.capture !== 'string') continue;
      const key = keyOf(it?.name, trial.arm);
      all.set(key, [...(all.get(key) ?? []), seconds]);
    }
  }
  return new Map([...all].map(([key, list]) => [key, list.reduce((sum, it) => sum + it, 0) / list.length]));
}

function listOf<Item>(value: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(value) ? value : [];
}

function keyOf(name: unknown, arm: unknown): string {
  return `${arm} ${name}`;
}
