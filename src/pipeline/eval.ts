/** `aam eval`: load → plan → run each case in a real agent → check → report. */
import { dirname, join, relative } from 'node:path';
import type { AgentPackage } from '../model/package.ts';
import type { EvalReport } from '../model/report.ts';
import type { RunOptions } from '../model/run.ts';
import type { TrialResult } from '../model/trial.ts';
import { observeRun } from './environment.ts';
import { budgetWarnings, requireMeasurableCost } from './eval-cost.ts';
import type { EvalEvent } from './eval-events.ts';
import {
  type EvidenceOptions,
  type EvidenceWritten,
  prepareEvidence,
  writeEvidence,
} from './eval-evidence.ts';
import { wantedOutputs } from './eval-outputs.ts';
import { type EvalPlan, type PlanRequest, planEval } from './eval-plan.ts';
import { openRecords, unkept, writeEnd } from './eval-records.ts';
import { reportOf } from './eval-report.ts';
import { defaultJobs, runTrials } from './eval-run.ts';
import { requireOwnPlaces, type WantedOutput } from './output-places.ts';
import { withoutQueue } from './queue-missing.ts';
import type { ResumedRun } from './resume.ts';
import { identityOf } from './run-identity.ts';
import { requirePlaces } from './run-places.ts';
import type { Site } from './site.ts';
import type { QueueOptions } from './site-fleet.ts';
import { openLocalSite } from './site-local.ts';
import { findLeftovers, removeLeftovers } from './stale.ts';
import { withoutTapes } from './tape-package.ts';

/** Paths are absolute, but for the one of the plan. */
export interface EvalOptions extends RunOptions, Pick<PlanRequest, 'host' | 'path' | 'chosen'> {
  /** Of aam. */
  readonly version: string;
  /** null: a new run. */
  readonly resume: ResumedRun | null;
  /** null: no evidence archive. */
  readonly evidence: EvidenceOptions | null;
  /** Address of the queue whose workers run the trials; null: they run here. */
  readonly queue: QueueOptions | null;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: EvalEvent) => void;
}

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
  const observing = observeRun(pkg, host, options.version);
  // Looked at when the run is over; until then its failure must not end the program.
  observing.catch(() => {});
  const evidence = await prepareEvidence(options.evidence, plan);
  await requireOwnPlaces(wantedBy(options), keptBy(plan, options.tape.folder));
  const { aam } = await requirePlaces(home, options, host);
  await removeLeftovers(
    await findLeftovers([aam], [join(home, 'evals', 'reports'), ...written.map((file) => dirname(file))]),
  );
  const attempts = resume ? [...resume.contents.results.values(), ...resume.contents.superseded] : [];
  await using site = await openSite(plan, options, attempts);
  const { redaction, jobs } = site;
  const identity = await identityOf(plan, {
    packageCopy: site.packageCopy,
    aamVersion: options.version,
    engineVersion: site.engineVersion,
  });
  const stop = new AbortController();
  await using journal = await openRecords(
    { aam, timestamp, plan, identity, resume, options: { ...options, jobs } },
    { toJson: redaction.json, started, onFailure: () => stop.abort() },
  );
  const executor = await site.start(journal, AbortSignal.any([options.signal, stop.signal]));
  const known = new Map(
    [...journal.before.results].filter(([, { verdict }]) => !(resume?.retryUndecided && verdict === 'SKIP')),
  );
  const results = await runTrials(executor, { plan, journal, jobs, known, onEvent: options.onEvent });
  if (journal.failure) throw await unkept(journal, plan);
  const report = await reportOf({ plan, journal, site, budget: executor.budget }, results, {
    ...{ timestamp, jobs, interrupted: options.signal.aborted, packageHash: identity.package },
    ...{ passThreshold: options.passThreshold, sandbox: options.sandbox },
    durationMs: journal.before.workedMs + performance.now() - started,
    engineVersion: identity.engine.version,
    observed: await observing,
    warnings: [
      ...site.warnings,
      ...executor.warnings,
      ...budgetWarnings(options.maxCostUsd, settings.prices, options.tape.mode),
    ],
  });
  const end = await writeEnd(report, results, { plan, journal, options });
  const finished = { report, results, plan, options, folder: journal.dir, redact: redaction.text };
  const evidenceWriter = evidence && (() => writeEvidence(evidence, finished));
  return { report, root: home, ...end, writeEvidence: evidenceWriter };
}

async function openSite(
  plan: EvalPlan,
  options: EvalOptions,
  attempts: readonly TrialResult[],
): Promise<Site> {
  const { queue, resume } = options;
  if (queue === null) return await openLocalSite(plan, options, options.jobs ?? defaultJobs(), attempts);
  const { openFleetSite } = await import('./site-fleet.ts').catch(withoutQueue);
  return await openFleetSite(
    plan,
    { ...options, queue },
    attempts,
    resume?.record.identity.engine.version ?? null,
  );
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
