/** `aam eval`: load → plan → run each case in a real agent → check → report. */
import { setMaxListeners } from 'node:events';
import { dirname, join, relative } from 'node:path';
import { hasProgram } from '../engine/find.ts';
import { makeOwnedFolder, removeOwnedFolder } from '../host/owned-folder.ts';
import { Rubbish } from '../host/rubbish.ts';
import { socketParent } from '../host/socket-folder.ts';
import type { AgentPackage } from '../model/package.ts';
import type { EvalReport } from '../model/report.ts';
import type { RunOptions } from '../model/run.ts';
import { FolderPool } from '../sandbox/folder-pool.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { SANDBOXES } from '../sandbox/sandboxes.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import { observeRun, observeVersion } from './environment.ts';
import type { RunContext, RunLimits } from './eval-context.ts';
import { budgetWarnings, CostBudget, requireMeasurableCost, sessionBudget, spentOn } from './eval-cost.ts';
import type { EvalEvent } from './eval-events.ts';
import {
  type EvidenceOptions,
  type EvidenceWritten,
  prepareEvidence,
  writeEvidence,
} from './eval-evidence.ts';
import { findModels, judgeOf, openGateway } from './eval-models.ts';
import { wantedOutputs } from './eval-outputs.ts';
import { type EvalPlan, type PlanRequest, planEval, requireProgram } from './eval-plan.ts';
import { openRecords, unkept, writeEnd } from './eval-records.ts';
import { cleanReport, reportOf } from './eval-report.ts';
import { defaultJobs, runTrials } from './eval-run.ts';
import { prepareTapes } from './eval-tapes.ts';
import { setUpWorkbench } from './eval-workbench.ts';
import { runGraderProgram } from './grader-program.ts';
import { requireHealthy } from './healthcheck.ts';
import { hiddenFolders } from './hidden-folders.ts';
import { judgePlaces } from './judge-room.ts';
import { requireOwnPlaces, type WantedOutput } from './output-places.ts';
import { createRedaction, findKnownSecrets } from './redaction.ts';
import type { ResumedRun } from './resume.ts';
import { identityOf } from './run-identity.ts';
import { requirePlaces } from './run-places.ts';
import { makeScratch } from './scratch-folder.ts';
import { findLeftovers, removeLeftovers } from './stale.ts';
import { withoutTapes } from './tape-package.ts';
import { tapeFolders } from './tapes.ts';
import type { JudgeRules } from './trial-judgement.ts';

/** Paths are absolute, but for the one of the plan. */
export interface EvalOptions extends RunOptions, Pick<PlanRequest, 'host' | 'path' | 'chosen'> {
  /** Of aam. */
  readonly version: string;
  /** null: a new run. */
  readonly resume: ResumedRun | null;
  /** null: no evidence archive. */
  readonly evidence: EvidenceOptions | null;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: EvalEvent) => void;
}

const NO_JUDGE =
  'the criteria need a judge and none is named: --judge <model>, or "judge" in evals/eval-config.json';
const OUTPUT_BYTES = 16 * 1024 * 1024;
const DISK_BYTES = 4 * 1024 ** 3;
const PROCESSES = 4096;

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
  const { host, resume } = options;
  const timestamp = resume?.record.timestamp ?? new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const written = writtenFiles(options, resume?.record.options);
  const plan = { ...planned, pkg: withoutFiles(withoutTapes(planned.pkg, options.tape.folder), written) };
  const { pkg, home, settings, engineName } = plan;
  requireMeasurableCost(options.maxCostUsd, engineName, settings.prices);
  const evidence = await prepareEvidence(options.evidence, plan);
  await requireOwnPlaces(wantedBy(options), keptBy(plan, options.tape.folder));
  const { aam } = await requirePlaces(home, options, host);
  const program = hasProgram(engineName) ? requireProgram(engineName, host) : null;
  const tapesIn = await prepareTapes({ ...options, model: plan.model, plan, program });
  const { judgePlan, ...access } = await findModels(plan, options);
  await removeLeftovers(
    await findLeftovers([aam], [join(home, 'evals', 'reports'), ...written.map((file) => dirname(file))]),
  );
  const engineVersion = program === null ? null : observeVersion(host, program);
  const redaction = createRedaction(await findKnownSecrets(host, plan));
  const attempts = resume ? [...resume.contents.results.values(), ...resume.contents.superseded] : [];
  await using gateway = await openGateway(
    plan,
    options,
    access.upstreams,
    spentOn(attempts),
    redaction.known,
  );
  await using sandbox: Sandbox = await SANDBOXES[options.sandbox](
    host,
    hiddenFolders([pkg.root, home, ...tapeFolders(options.tape), ...(plan.hides ?? [])], host.home),
  );
  const { path: scratch, warnings: scratchWarnings } = await makeScratch(sandbox, options.keepWorkspace);
  const sockets = await makeOwnedFolder(socketParent(), 's').catch(async (error: Error) => {
    await removeOwnedFolder(scratch);
    throw error;
  });
  const limits: RunLimits = {
    outputBytes: options.outputBytes ?? OUTPUT_BYTES,
    memoryBytes: options.memoryBytes,
    cpuSeconds: options.cpuSeconds,
    diskBytes: options.diskBytes ?? DISK_BYTES,
    processes: PROCESSES,
    sessionUsd: sessionBudget(options.maxCostUsd, settings.prices, options.tape.mode),
  };
  const jobs = options.jobs ?? defaultJobs();
  const rubbish = new Rubbish();
  try {
    const workbench = await setUpWorkbench(sandbox, plan, program, scratch, host.home);
    await requireHealthy(plan, sandbox, workbench, scratch, options.signal);
    const observing = observeRun(pkg, host, options.version);
    // Looked at when the run is over; until then its failure must not end the program.
    observing.catch(() => {});
    const { keepWorkspace } = options;
    const { packageCopy } = workbench;
    const identity = await identityOf(plan, {
      packageCopy,
      aamVersion: options.version,
      engineVersion: await engineVersion,
    });
    const stop = new AbortController();
    await using journal = await openRecords(
      { aam, timestamp, plan, identity, resume, options: { ...options, jobs } },
      { toJson: redaction.json, started, onFailure: () => stop.abort() },
    );
    const signal = AbortSignal.any([options.signal, stop.signal]);
    // Everything that runs at once listens to it.
    setMaxListeners(0, signal);
    const tapes = tapesIn({
      gateway,
      packageCopy,
      places: sandbox.isolatesFiles ? [] : [scratch, ...sandbox.places],
    });
    const context: RunContext = {
      plan,
      sandbox,
      gateway,
      redaction,
      workbench,
      journal,
      workspaces: new FolderPool<Workspace>(scratch),
      scratch,
      sockets,
      tapes,
      // A replay costs nothing.
      budget: new CostBudget(options.tape.mode === 'replay' ? null : options.maxCostUsd, attempts),
      limits,
      keepWorkspace,
      userHome: host.home,
      signal,
      rubbish,
    };
    const stopped = () => gateway?.stopped?.message ?? context.budget.stopped;
    const room = { sandbox, scratch, signal, stopped, places: judgePlaces(jobs) };
    const rules: JudgeRules = {
      judge: await judgeOf(context, options, judgePlan, room),
      whyNone: options.noJudge ? 'the judge is off (--no-judge)' : NO_JUDGE,
      judgeAll: options.judgeAll,
      runProgram: (program, stdin) => runGraderProgram(context, program, stdin, null),
    };
    const known = new Map(
      [...journal.before.results].filter(
        ([, { verdict }]) => !(resume?.retryUndecided && verdict === 'SKIP'),
      ),
    );
    const results = await runTrials(context, { jobs, rules, known, onEvent: options.onEvent });
    if (journal.failure) throw await unkept(journal, plan);
    const told = await reportOf(context, results, {
      ...{ timestamp, jobs, interrupted: options.signal.aborted, packageHash: identity.package },
      ...{ passThreshold: options.passThreshold, sandbox: options.sandbox },
      durationMs: journal.before.workedMs + performance.now() - started,
      engineVersion: identity.engine.version,
      observed: await observing,
      warnings: [
        ...scratchWarnings,
        ...budgetWarnings(options.maxCostUsd, settings.prices, options.tape.mode),
      ],
    });
    const report = cleanReport(told, redaction);
    const end = await writeEnd(report, results, { plan, journal, options });
    const finished = { report, results, plan, options, folder: journal.dir, redact: redaction.text };
    const evidenceWriter = evidence && (() => writeEvidence(evidence, finished));
    return { report, root: home, ...end, writeEvidence: evidenceWriter };
  } finally {
    await rubbish.empty();
    await removeOwnedFolder(sockets);
    if (!options.keepWorkspace) await removeOwnedFolder(scratch);
  }
}

/** Files that the user named for the results. */
function writtenFiles(...all: readonly (RunOptions | undefined)[]): string[] {
  const files = all.flatMap((it) =>
    it ? [it.output, it.benchmarkJson, it.jsonl, ...Object.values(it.outputs)] : [],
  );
  return files.filter((file) => file !== null);
}

/** What a run writes is no part of what it is about, also when it lies in the package. */
function withoutFiles(pkg: AgentPackage, files: readonly string[]): AgentPackage {
  const own = new Set(files.map((file) => relative(pkg.root, file)));
  return { ...pkg, files: new Map([...pkg.files].filter(([path]) => !own.has(path))) };
}

function wantedBy({ output, benchmarkJson, jsonl, outputs, evidence }: EvalOptions): WantedOutput[] {
  const archive = evidence?.file ?? null;
  const named = { '-o': output, '--benchmark-json': benchmarkJson, '--jsonl': jsonl, '--evidence': archive };
  const own = Object.entries(named).flatMap(([option, path]) => (path === null ? [] : [{ option, path }]));
  return [...own, ...wantedOutputs(outputs)];
}

/** The sources of the run: its cases, their files, and the package. */
function keptBy({ home, pkg, source, trials }: EvalPlan, tapes: string | null) {
  const given = new Set(
    trials.flatMap(({ case: it }) => [...it.files.flatMap(({ from }) => from ?? []), ...(it.sources ?? [])]),
  );
  return {
    files: [...given, ...(source.file === null ? [] : [join(home, source.file)])],
    folders: [home, pkg.root, ...(tapes === null ? [] : [tapes])],
  };
}
