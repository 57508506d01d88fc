/** Runs cases that the file formats at hand cannot say: read from a package, then changed. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Case } from '../../src/model/case.ts';
import type { EvalReport } from '../../src/model/report.ts';
import type { Capture } from '../../src/model/trial.ts';
import type { EvalOptions, runPlan as RunPlan } from '../../src/pipeline/eval.ts';
import type { EvalPlan, planEval as PlanEval } from '../../src/pipeline/eval-plan.ts';
import { modelEnv } from './eval.ts';
import { type ModelRequest, type ModelServerOptions, modelServer, type Script } from './model-server.ts';

export interface PlannedRun {
  readonly report: EvalReport;
  readonly requests: readonly ModelRequest[];
  /** Of each case, in their order; null: nothing was captured. */
  readonly captures: readonly (Capture | null)[];
}

export interface PlannedOptions extends Partial<Omit<EvalOptions, 'host'>> {
  readonly root: string;
  readonly script?: Script;
  readonly judgeScript?: NonNullable<ModelServerOptions['judge']>;
  readonly env?: NodeJS.ProcessEnv;
  /** Of every case. */
  readonly change?: (it: Case) => Case;
  readonly changePlan?: (plan: EvalPlan) => EvalPlan;
}

/** With what was built, since programs inside the sandbox are. */
export async function runPlanned(options: PlannedOptions): Promise<PlannedRun> {
  const { root, script = [{ text: 'Done.' }], judgeScript, env, change, changePlan, ...given } = options;
  const { runPlan }: { runPlan: typeof RunPlan } = await import(built('pipeline/eval.js'));
  const { planEval }: { planEval: typeof PlanEval } = await import(built('pipeline/eval-plan.js'));
  await using server = await modelServer(script, judgeScript ? { judge: judgeScript } : {});
  const host = { env: { ...process.env, ...modelEnv(server.url), ...env }, cwd: root, home: homedir() };
  const all: EvalOptions = { ...DEFAULTS, noJudge: !judgeScript, ...given, host };
  const planned = await planEval(all);
  const trials = planned.trials.map((trial) => ({ ...trial, case: change?.(trial.case) ?? trial.case }));
  const changed = { ...planned, trials };
  const { report } = await runPlan(changePlan?.(changed) ?? changed, all);
  const captures = await Promise.all(
    report.cases.map(async ({ capture }) =>
      capture === null ? null : (JSON.parse(await readFile(join(root, capture), 'utf8')) as Capture),
    ),
  );
  return { report, requests: server.requests, captures };
}

function built(path: string): string {
  return new URL(`../../dist/${path}`, import.meta.url).href;
}

const DEFAULTS: Omit<EvalOptions, 'host' | 'noJudge'> = {
  path: null,
  selection: { cases: [], targets: [] },
  engine: null,
  judge: null,
  timeoutSeconds: null,
  runs: null,
  baseline: false,
  version: '0.0.0-test',
  model: null,
  jobs: 1,
  queue: null,
  judgeVotes: 1,
  judgeAll: false,
  passThreshold: 1,
  sandbox: 'bubblewrap',
  tape: { mode: 'off', folder: null, strict: false, source: 'recorded' },
  keepWorkspace: false,
  maxCostUsd: null,
  maxTokens: null,
  outputBytes: null,
  memoryBytes: null,
  cpuSeconds: null,
  diskBytes: null,
  output: null,
  benchmarkJson: null,
  evidence: null,
  evaluator: null,
  target: null,
  targetsFile: null,
  outputs: {},
  resume: null,
  jsonl: null,
  signal: new AbortController().signal,
};
