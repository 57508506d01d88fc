/** `aam eval`: load → plan → run each case in a real agent → check → report. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { hasProgram } from '../engine/find.ts';
import { removeTree } from '../host/remove.ts';
import { socketParent } from '../host/socket-folder.ts';
import type { EvalReport } from '../model/report.ts';
import { FolderPool } from '../sandbox/folder-pool.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { SANDBOXES, type SandboxName } from '../sandbox/sandboxes.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import { observeRun } from './environment.ts';
import type { RunContext, RunLimits } from './eval-context.ts';
import { CostBudget, requireMeasurableCost } from './eval-cost.ts';
import type { EvalEvent } from './eval-events.ts';
import { findModels, judgeOf, openGateway } from './eval-models.ts';
import { type EvalPlan, type PlanRequest, planEval, requireProgram } from './eval-plan.ts';
import { reportOf, writeReport } from './eval-report.ts';
import { writeResults } from './eval-results.ts';
import { defaultJobs, runTrials } from './eval-run.ts';
import { prepareTapes } from './eval-tapes.ts';
import { setUpWorkbench } from './eval-workbench.ts';
import { runGraderProgram } from './grader-program.ts';
import { hiddenFolders } from './hidden-folders.ts';
import { Journal } from './journal.ts';
import { judgePlaces } from './judge-room.ts';
import { requirePlaces } from './run-places.ts';
import { makeScratch } from './scratch-folder.ts';
import { withoutTapes } from './tape-package.ts';
import type { TapeOptions } from './tapes.ts';
import type { JudgeRules } from './trial-judgement.ts';

export interface EvalOptions extends PlanRequest {
  /** Of aam. */
  readonly version: string;
  /** null: as many as the machine can take. */
  readonly jobs: number | null;
  /** How often a judge decides each case. */
  readonly judgeVotes: number;
  readonly noJudge: boolean;
  readonly judgeAll: boolean;
  /** Share of a case's trials that must pass: above 0, at most 1. */
  readonly passThreshold: number;
  readonly sandbox: SandboxName;
  readonly tape: TapeOptions;
  readonly keepWorkspace: boolean;
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
  /** Of each stream of an agent, kept. */
  readonly outputBytes: number | null;
  readonly memoryBytes: number | null;
  readonly cpuSeconds: number | null;
  /** Absolute path of the report; null: evals/reports/<timestamp>.json. */
  readonly output: string | null;
  /** Absolute path of an Agent Skills benchmark.json to write; null: none. */
  readonly benchmarkJson: string | null;
  /** Absolute path for one line of JSON per result; null: none. */
  readonly jsonl: string | null;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: EvalEvent) => void;
}

const NO_JUDGE =
  'the criteria need a judge and none is named: --judge <model>, or "judge" in evals/eval-config.json';
const OUTPUT_BYTES = 16 * 1024 * 1024;

export interface EvalDone {
  readonly report: EvalReport;
  readonly path: string;
  readonly root: string;
}

export async function runEval(options: EvalOptions): Promise<EvalDone> {
  return await runPlan(await planEval(options), options);
}

export async function runPlan(planned: EvalPlan, options: EvalOptions): Promise<EvalDone> {
  const started = performance.now();
  const timestamp = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const plan = { ...planned, pkg: withoutTapes(planned.pkg, options.tape.folder) };
  const { pkg, home, settings, engineName } = plan;
  requireMeasurableCost(options.maxCostUsd, engineName, settings.prices);
  const { aam } = await requirePlaces(home, options, options.host);
  const program = hasProgram(engineName) ? requireProgram(engineName, options.host) : null;
  const tapesIn = await prepareTapes({ ...options, model: plan.model, plan, program });
  const { judgePlan, ...access } = await findModels(plan, options);
  await using gateway = await openGateway(plan, options, access.upstreams);
  await using sandbox: Sandbox = await SANDBOXES[options.sandbox](
    options.host,
    hiddenFolders([pkg.root, home], options.host.home),
  );
  const redact = (text: string) => gateway?.redact(text) ?? text;
  await using journal = await Journal.create(aam, timestamp, redact);
  const { path: scratch, warnings: scratchWarnings } = await makeScratch(sandbox);
  const sockets = await mkdtemp(join(socketParent(), 'aam-s-'));
  const limits: RunLimits = {
    outputBytes: options.outputBytes ?? OUTPUT_BYTES,
    memoryBytes: options.memoryBytes,
    cpuSeconds: options.cpuSeconds,
  };
  const jobs = options.jobs ?? defaultJobs();
  const chores: Promise<unknown>[] = [];
  try {
    const workbench = await setUpWorkbench(sandbox, plan, program, scratch);
    const observing = observeRun(pkg, workbench.packageCopy, options.host, options.version);
    // Looked at when the run is over; until then its failure must not end the program.
    observing.catch(() => {});
    const { keepWorkspace, signal } = options;
    const tapes = tapesIn({
      gateway,
      packageCopy: workbench.packageCopy,
      places: sandbox.isolatesFiles ? [] : [scratch, ...sandbox.places],
    });
    const context: RunContext = {
      plan,
      sandbox,
      gateway,
      workbench,
      journal,
      workspaces: new FolderPool<Workspace>(scratch),
      scratch,
      sockets,
      tapes,
      budget: new CostBudget(options.maxCostUsd),
      limits,
      keepWorkspace,
      userHome: options.host.home,
      signal,
      later: (work: Promise<unknown>) => void chores.push(work),
    };
    const stopped = () => gateway?.stopped?.message ?? context.budget.stopped;
    const room = { sandbox, scratch, signal, stopped, places: judgePlaces(jobs) };
    const rules: JudgeRules = {
      judge: await judgeOf(context, options, judgePlan, room),
      whyNone: options.noJudge ? 'the judge is off (--no-judge)' : NO_JUDGE,
      judgeAll: options.judgeAll,
      runProgram: (program, stdin) => runGraderProgram(context, program, stdin, null),
    };
    const failures: string[] = [];
    const results = await runTrials(context, { jobs, rules, failures, onEvent: options.onEvent });
    const report = await reportOf(context, results, {
      ...{ timestamp, jobs, program, failures },
      ...{ passThreshold: options.passThreshold, sandbox: options.sandbox, host: options.host },
      durationMs: performance.now() - started,
      observed: await observing,
      warnings: scratchWarnings,
    });
    const path = await writeReport(report, home, options.output, journal);
    await writeResults(plan, results, report, options);
    return { report, path, root: home };
  } finally {
    await Promise.allSettled(chores);
    await removeTree(sockets);
    if (!options.keepWorkspace) await removeTree(scratch);
  }
}
