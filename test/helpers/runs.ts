/** Looks at what runs leave behind. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EvalReport } from '../../src/model/report.ts';
import { evalCase, withOwnAgent } from './eval.ts';
import type { Files } from './package.ts';

/** Cases whose prompt is their number, for an agent that is a shell script and gets it as `$1`. */
export function numberedPackage(
  count: number,
  script: string,
  expected: (index: number) => object = () => ({}),
): Files {
  const cases = Array.from({ length: count }, (_, index) => [
    `evals/cases/c-${index}.yaml`,
    evalCase(`c-${index}`, { input: { prompt: String(index) }, expected: expected(index) }),
  ]);
  const command = ['/bin/sh', '-c', script, 'agent', '{prompt}'];
  return { ...withOwnAgent('', { command }), ...Object.fromEntries(cases) };
}

/** A report without what differs between two runs of the same. */
export function normalised(report: EvalReport): unknown {
  const run = report.id.replace(/^eval-run-/, '');
  const text = JSON.stringify(report)
    .replaceAll(run, 'RUN')
    .replaceAll(report.timestamp, 'TIME')
    .replace(/"duration_seconds":[\d.]+/g, '"duration_seconds":0')
    .replace(/"seconds":\{[^}]*\}/g, '"seconds":{}');
  return JSON.parse(text);
}

export async function journalOf(root: string, run: string): Promise<string> {
  return await readFile(join(root, '.aam/runs', run, 'journal.jsonl'), 'utf8');
}

export async function runIds(root: string): Promise<string[]> {
  return await readdir(join(root, '.aam/runs')).catch(() => []);
}

/** Runs that can be continued. */
export async function begunRuns(root: string): Promise<string[]> {
  const ids = await runIds(root);
  const begun = ids.map(async (id) =>
    (await readdir(join(root, '.aam/runs', id))).includes('run.json') ? [id] : [],
  );
  return (await Promise.all(begun)).flat();
}
