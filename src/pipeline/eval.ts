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
import { budgetWarnings, CostBudget, requireMeasurableCost, sessionBudget } from './eval-cost.ts';
import type { EvalEvent } from './eval-events.ts';
import {
  type EvidenceOptions,
  type EvidenceWritten,
  prepareEvidence,
  writeEvidence,
} from './eval-evidence.ts';
import { findModels, judgeOf, openGateway } from './eval-models.ts';
import { type EvalPlan, type PlanRequest, planEval, requireProgram } from './eval-plan.ts';
import { reportOf, writeReport } from './eval-report.ts';
import { writeResults } from './eval-results.ts';
import { defaultJobs, runTrials } from './eval-run.ts';
import { prepareTapes } from './eval-tapes.ts';
import { setUpWorkbench } from './eval-workbench.ts';
import { runGraderProgram } from './grader-program.ts';
import { requireHealthy } from './healthcheck.ts';
import { hiddenFolders } from './hidden-folders.ts';
import { Journal } from './journal.ts';
import { judgePlaces } from './judge-room.ts';
import { requireOwnPlaces, type WantedOutput } from './output-places.ts';
import { requirePlaces } from './run-places.ts';
import { makeScratch } from './scratch-folder.ts';
import { withoutTapes } from './tape-package.ts';
import { type TapeOptions, tapeFolders } from './tapes.ts';
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
  /** null: no evidence archive. */
  readonly evidence: EvidenceOptions | null;
  /** What the caller writes when the run is over: looked at beforehand. */
  readonly laterOutputs?: readonly WantedOutput[];
  readonly signal: AbortSignal;
  readonly onEvent?: (event: EvalEvent) => void;
}

const NO_JUDGE =
  'the criteria need a judge and none is named: --judge <model>, or "judge" in evals/eval-config.json';
const OUTPUT_BYTES = 16 * 1024 * 1024;

export interface EvalDone {
  readonly report: EvalReport;
  /** Where the report is; null: it could not be written. */
  readonly path: string | null;
  readonly root: string;
  /** What could not be written. It takes nothing from the verdict. */
  readonly failures: readonly Error[];
  /** Writes the evidence archive; null: none was asked for. */
  readonly writeEvidence: (() => Promise<EvidenceWritten>) | null;
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
  await requireOwnPlaces(wantedBy(options), keptBy(plan, options.tape.folder));
  const { aam } = await requirePlaces(home, options, options.host);
  const evidence = await prepareEvidence(options.evidence, plan);
  const program = hasProgram(engineName) ? requireProgram(engineName, options.host) : null;
  const tapesIn = await prepareTapes({ ...options, model: plan.model, plan, program });
  const { judgePlan, ...access } = await findModels(plan, options);
  await using gateway = await openGateway(plan, options, access.upstreams);
  await using sandbox: Sandbox = await SANDBOXES[options.sandbox](
    options.host,
    hiddenFolders([pkg.root, home, ...tapeFolders(options.tape), ...(plan.hides ?? [])], options.host.home),
  );
  const redact = (text: string) => gateway?.redact(text) ?? text;
  await using journal = await Journal.create(aam, timestamp, redact);
  const { path: scratch, warnings: scratchWarnings } = await makeScratch(sandbox);
  const sockets = await mkdtemp(join(socketParent(), 'aam-s-'));
  const limits: RunLimits = {
    outputBytes: options.outputBytes ?? OUTPUT_BYTES,
    memoryBytes: options.memoryBytes,
    cpuSeconds: options.cpuSeconds,
    sessionUsd: sessionBudget(options.maxCostUsd, settings.prices, options.tape.mode),
  };
  const jobs = options.jobs ?? defaultJobs();
  const chores: Promise<unknown>[] = [];
  try {
    const workbench = await setUpWorkbench(sandbox, plan, program, scratch, options.host.home);
    await requireHealthy(plan, sandbox, workbench, scratch, options.signal);
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
      // A replay costs nothing.
      budget: new CostBudget(options.tape.mode === 'replay' ? null : options.maxCostUsd),
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
    const unkept: string[] = [];
    const results = await runTrials(context, {
      ...{ jobs, rules, failures: unkept },
      onEvent: options.onEvent,
    });
    const report = await reportOf(context, results, {
      ...{ timestamp, jobs, program, failures: unkept },
      ...{ passThreshold: options.passThreshold, sandbox: options.sandbox, host: options.host },
      durationMs: performance.now() - started,
      observed: await observing,
      warnings: [
        ...scratchWarnings,
        ...budgetWarnings(options.maxCostUsd, settings.prices, options.tape.mode),
      ],
    });
    const path = await writeReport(report, home, options.output, journal);
    const unwritten = await writeResults(plan, results, report, options);
    const finished = { report, results, plan, options, folder: journal.dir, redact };
    const evidenceWriter = evidence && (() => writeEvidence(evidence, finished));
    return {
      ...{ report, root: home, writeEvidence: evidenceWriter },
      ...(typeof path === 'string'
        ? { path, failures: unwritten }
        : { path: null, failures: [path, ...unwritten] }),
    };
  } finally {
    await Promise.allSettled(chores);
    await removeTree(sockets);
    if (!options.keepWorkspace) await removeTree(scratch);
  }
}

function wantedBy({ output, benchmarkJson, jsonl, laterOutputs = [] }: EvalOptions): WantedOutput[] {
  const named = { '-o': output, '--benchmark-json': benchmarkJson, '--jsonl': jsonl };
  const own = Object.entries(named).flatMap(([option, path]) => (path === null ? [] : [{ option, path }]));
  return [...own, ...laterOutputs];
}

/** The sources of the run: its cases, their files, and the package. */
function keptBy({ home, pkg, source, trials }: EvalPlan, tapes: string | null) {
  const given = new Set(trials.flatMap((it) => it.case.files.flatMap(({ from }) => from ?? [])));
  return {
    files: [...given, ...(source.file === null ? [] : [join(home, source.file)])],
    folders: [home, pkg.root, ...(tapes === null ? [] : [tapes])],
  };
}
