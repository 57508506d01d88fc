/** `aam eval`: load → plan → run each case in a real agent → check → report. */
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, freemem, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import pLimit from 'p-limit';
import { resolveUpstreams } from '../gateway/credentials.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { removeTree } from '../host/remove.ts';
import { PrerequisiteError, UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import type { TrialResult } from '../model/trial.ts';
import { buildReport } from '../report/build.ts';
import { writeAtomically, writeNew } from '../report/write.ts';
import { FolderPool } from '../sandbox/folder-pool.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { SANDBOXES, type SandboxName } from '../sandbox/sandboxes.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import { observeRun, observeVersion } from './environment.ts';
import type { RunContext, RunLimits } from './eval-context.ts';
import { CostBudget, priceBy, requireMeasurableCost } from './eval-cost.ts';
import type { EvalEvent } from './eval-events.ts';
import { type EvalPlan, type PlanRequest, planEval, requireProgram } from './eval-plan.ts';
import { setUpWorkbench } from './eval-workbench.ts';
import { Journal } from './journal.ts';
import { runTrial } from './trial.ts';

export interface EvalOptions extends PlanRequest {
  /** Of aam. */
  readonly version: string;
  /** null: the agent's own default. */
  readonly model: string | null;
  /** null: as many as the machine can take. */
  readonly jobs: number | null;
  readonly sandbox: SandboxName;
  readonly keepWorkspace: boolean;
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
  readonly memoryBytes: number | null;
  readonly cpuSeconds: number | null;
  /** Absolute path of the report; null: evals/reports/<timestamp>.json. */
  readonly output: string | null;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: EvalEvent) => void;
}

const OUTPUT_BYTES = 16 * 1024 * 1024;

export async function runEval(options: EvalOptions): Promise<{ report: EvalReport; path: string }> {
  const started = performance.now();
  const timestamp = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const plan = await planEval(options);
  const { pkg, settings, engineName } = plan;
  requireMeasurableCost(options.maxCostUsd, engineName, settings.prices);
  const program = engineName === 'command' ? null : requireProgram(engineName, options.host);
  await using gateway = await openGateway(plan, options);
  await using sandbox: Sandbox = await SANDBOXES[options.sandbox](options.host);
  await using journal = await Journal.create(pkg.root, timestamp);
  const scratch = await mkdtemp(join(tmpdir(), 'aam-eval-'));
  const limits: RunLimits = {
    outputBytes: OUTPUT_BYTES,
    memoryBytes: options.memoryBytes,
    cpuSeconds: options.cpuSeconds,
  };
  const jobs = options.jobs ?? defaultJobs();
  const chores: Promise<unknown>[] = [];
  const observing = observeRun(pkg, options.host, options.version);
  // Looked at when the run is over; until then its failure must not end the program.
  observing.catch(() => {});
  try {
    const workbench = await setUpWorkbench(sandbox, plan, program, scratch);
    const { model, keepWorkspace, signal } = options;
    const context = {
      plan,
      sandbox,
      gateway,
      workbench,
      journal,
      workspaces: new FolderPool<Workspace>(scratch),
      scratch,
      model,
      limits,
      keepWorkspace,
      signal,
      later: (work: Promise<unknown>) => void chores.push(work),
    };
    const failures: string[] = [];
    const results = await runAll(context, options, jobs, failures);
    const { environment, hash, commit } = await observing;
    const told = [...results.values()].find((result) => result.engineVersion !== null)?.engineVersion;
    const engineVersion = told ?? (program === null ? null : await observeVersion(options.host, program));
    const report = buildReport(plan.trials, results, {
      id: `eval-run-${timestamp.replaceAll(':', '-')}`,
      timestamp,
      duration_seconds: Math.round((performance.now() - started) / 10) / 100,
      config: {
        engine: engineName,
        engine_version: engineVersion,
        judge: settings.judge,
        timeout: settings.timeoutSeconds,
        model,
        jobs,
        writable_paths: settings.writablePaths === null ? null : [...settings.writablePaths],
        env: Object.keys(settings.env).sort(),
      },
      environment,
      package: { name: pkg.name, version: pkg.version, hash, git_commit: commit },
      sandbox: {
        kind: options.sandbox,
        network: settings.network,
        memory_bytes: limits.memoryBytes,
        cpu_seconds: limits.cpuSeconds,
        output_bytes: limits.outputBytes,
      },
      warnings: [...plan.warnings, ...failures.map((it) => `the journal could not be written: ${it}`)],
      interrupted: signal.aborted,
      provider: plan.engine.provider,
      captureFolder: relative(pkg.root, journal.dir),
    });
    return { report, path: await writeReport(report, pkg.root, options.output) };
  } finally {
    await Promise.allSettled(chores);
    if (!options.keepWorkspace) await removeTree(scratch);
  }
}

/** null: the engine brings its own model. Without credentials this says so at once. */
async function openGateway(
  { engine, settings }: EvalPlan,
  { host, maxTokens, maxCostUsd }: EvalOptions,
): Promise<Gateway | null> {
  if (engine.provider === null) return null;
  const upstreams = await resolveUpstreams(host);
  const upstream = upstreams[engine.provider];
  if (upstream.state === 'missing') throw new PrerequisiteError(upstream.problem, ...upstream.fix);
  const priced = Object.keys(settings.prices).length > 0;
  return createGateway({
    upstreams,
    budget: {
      ...(maxTokens !== null && { maxTokens }),
      ...(maxCostUsd !== null && priced && { maxCostUsd }),
    },
    ...(priced && { price: priceBy(settings.prices) }),
    timings: timingsFor(settings.timeoutSeconds * 1000),
  });
}

/** Whatever the model does must show before the case's own time is up; agents ask again after a stalled answer. */
function timingsFor(timeoutMs: number) {
  const quarter = Math.max(1_000, timeoutMs / 4);
  return {
    idleMs: Math.min(60_000, quarter),
    headerMs: Math.min(120_000, 2 * quarter),
    maxWaitMs: Math.min(60_000, 2 * quarter),
    connectMs: Math.min(15_000, quarter),
  };
}

const AGENT_MEMORY = 400 * 1024 * 1024;

/** Agents mostly wait for their model, so two for each core, as long as there is memory for them. */
function defaultJobs(): number {
  return Math.max(1, Math.min(2 * availableParallelism(), Math.floor(freemem() / AGENT_MEMORY)));
}

async function runAll(
  context: RunContext,
  options: EvalOptions,
  jobs: number,
  failures: string[],
): Promise<Map<string, TrialResult>> {
  const { plan, journal } = context;
  const { onEvent } = options;
  const results = new Map<string, TrialResult>();
  const kept: Promise<unknown>[] = [];
  const budget = new CostBudget(options.maxCostUsd);
  onEvent?.({
    type: 'run-start',
    total: plan.trials.length,
    engine: plan.engineName,
    package: plan.pkg.version ? `${plan.pkg.name} ${plan.pkg.version}` : plan.pkg.name,
    folder: relative(plan.pkg.root, journal.dir),
  });
  await pLimit(jobs).map([...plan.trials], async (trial) => {
    const watch = (usage: () => TrialResult['usage']) =>
      onEvent?.({ type: 'trial-start', trial: trial.id, case: trial.case.name, usage });
    const result = await runTrial(trial, context, budget.stopped, watch);
    budget.spend(result.costUsd);
    // The disk is waited for beside the next trial, not before it.
    results.set(trial.id, result);
    const written = journal.append(result).catch((error: Error) => failures.push(error.message));
    kept.push(written.then(() => onEvent?.({ type: 'trial-end', result })));
  });
  journal.hurry();
  await Promise.all(kept);
  return results;
}

/** Where the user says, replacing what is there; else under a name that no other run has. */
async function writeReport(report: EvalReport, packageRoot: string, output: string | null): Promise<string> {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  const path =
    output ?? join(packageRoot, 'evals', 'reports', `${report.timestamp.replaceAll(':', '-')}.json`);
  try {
    if (output === null) return await writeNew(path, text);
    await writeAtomically(path, text);
    return path;
  } catch (error) {
    throw new UserError(
      `the report ${path} could not be written: ${(error as Error).message}`,
      `what finished is in ${packageRoot}/.aam/runs`,
    );
  }
}
