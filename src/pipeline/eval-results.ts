/** Results in the forms that other tools read. */
import { basename } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import type { TrialResult } from '../model/trial.ts';
import { benchmark } from '../report/benchmark.ts';
import { jsonlRow } from '../report/jsonl.ts';
import { writeAtomically } from '../report/write.ts';
import type { EvalOptions } from './eval.ts';
import type { EvalPlan } from './eval-plan.ts';

/** Returns what could not be written. */
export async function writeResults(
  { trials, pkg }: EvalPlan,
  results: ReadonlyMap<string, TrialResult>,
  report: EvalReport,
  { benchmarkJson, jsonl }: Pick<EvalOptions, 'benchmarkJson' | 'jsonl'>,
): Promise<Error[]> {
  const failures: Error[] = [];
  const write = async (path: string, text: string) => {
    await writeAtomically(path, text).catch((error: Error) => {
      failures.push(new UserError(`${path} could not be written: ${error.message}`));
    });
  };
  const known = trials.flatMap((trial) => {
    const result = results.get(trial.id);
    return result ? [{ trial, result }] : [];
  });
  const { timestamp, agent, judge, suite } = report;
  if (benchmarkJson !== null) {
    const facts = {
      skillName: pkg.skills.length === 1 ? (pkg.skills[0]?.name ?? pkg.name) : pkg.name,
      executorModel: agent.model,
      analyzerModel: judge.model,
      timestamp,
    };
    await write(benchmarkJson, `${JSON.stringify(benchmark(known, facts), null, 2)}\n`);
  }
  if (jsonl !== null) {
    const dataset = suite?.file ? basename(suite.file).replace(/\.\w+$/, '') : pkg.name;
    const rows = known.map((it) => `${JSON.stringify(jsonlRow(it, { dataset, timestamp }))}\n`);
    await write(jsonl, rows.join(''));
  }
  return failures;
}
