/** `aam eval`: load → plan → run each case in a real agent → check → report. */
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, freemem } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { removeTree } from '../host/remove.ts';
import { socketParent } from '../host/socket-folder.ts';
import { UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { buildReport } from '../report/build.ts';
import { writeAtomically, writeNew } from '../report/write.ts';
import { FolderPool } from '../sandbox/folder-pool.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { SANDBOXES, type SandboxName } from '../sandbox/sandboxes.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import { observeRun, observeVersion } from './environment.ts';
import type { RunContext, RunLimits } from './eval-context.ts';
import { CostBudget, requireMeasurableCost } from './eval-cost.ts';
import type { EvalEvent } from './eval-events.ts';
import { findModels, judgeOf, openGateway } from './eval-models.ts';
import { type EvalPlan, type PlanRequest, planEval, requireProgram } from './eval-plan.ts';
import { writeResults } from './eval-results.ts';
import { prepareTapes } from './eval-tapes.ts';
import { setUpWorkbench } from './eval-workbench.ts';
import { hiddenFolders } from './hidden-folders.ts';
import { Journal } from './journal.ts';
import { judgePlaces } from './judge-room.ts';
import { requirePlaces, shownFrom } from './run-places.ts';
import { makeScratch } from './scratch-folder.ts';
import { withoutTapes } from './tape-package.ts';
import { askedModel, tapeSummary } from './tape-summary.ts';
import type { TapeOptions } from './tapes.ts';
import { runTrial } from './trial.ts';
import { trialLabel } from './trial-arm.ts';
import { type JudgeRules, judgeTrial, needsJudge } from './trial-judgement.ts';

export interface EvalOptions extends PlanRequest {
  /** Of aam. */
  readonly version: string;
  /** null: the agent's own default. */
  readonly model: string | null;
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

export async function runEval(
  options: EvalOptions,
): Promise<{ report: EvalReport; path: string; root: string }> {
  const started = performance.now();
  const timestamp = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const planned = await planEval(options);
  const plan = { ...planned, pkg: withoutTapes(planned.pkg, options.tape.folder) };
  const { pkg, home, settings, engineName } = plan;
  requireMeasurableCost(options.maxCostUsd, engineName, settings.prices);
  const { aam } = await requirePlaces(home, options, options.host);
  const program = engineName === 'command' ? null : requireProgram(engineName, options.host);
  const tapesIn = await prepareTapes({ ...options, plan, program });
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
      signal,
      later: (work: Promise<unknown>) => void chores.push(work),
    };
    const stopped = () => gateway?.stopped?.message ?? context.budget.stopped;
    const room = { sandbox, scratch, signal, stopped, places: judgePlaces(jobs) };
    const rules: JudgeRules = {
      judge: await judgeOf(context, options, judgePlan, room),
      whyNone: options.noJudge ? 'the judge is off (--no-judge)' : NO_JUDGE,
      judgeAll: options.judgeAll,
    };
    const failures: string[] = [];
    const results = await runAll(context, options, { jobs, rules, failures });
    const { environment, hash, commit } = await observing;
    const told = [...results.values()].find((result) => result.engineVersion !== null)?.engineVersion;
    const engineVersion = told ?? (program === null ? null : await observeVersion(options.host, program));
    const report = buildReport(plan.trials, results, {
      id: `eval-run-${journal.id}`,
      timestamp,
      duration_seconds: Math.round((performance.now() - started) / 10) / 100,
      config: {
        engine: engineName,
        engine_version: engineVersion,
        judge: settings.judge,
        timeout: settings.timeoutSeconds,
        model: askedModel(plan.trials, tapes),
        jobs,
        writable_paths:
          settings.writablePaths === null || options.sandbox === 'none' ? null : [...settings.writablePaths],
        env: Object.keys(settings.env).sort(),
        runs: plan.runs,
        pass_threshold: options.passThreshold,
        baseline: plan.baseline,
      },
      environment,
      package: { name: pkg.name, version: pkg.version, hash, git_commit: commit },
      suite: { format: plan.source.format, file: plan.source.file },
      sandbox: {
        kind: options.sandbox,
        // Without a sandbox nothing holds an agent back.
        network: options.sandbox === 'none' || settings.network,
        memory_bytes: limits.memoryBytes,
        cpu_seconds: limits.cpuSeconds,
        output_bytes: limits.outputBytes,
      },
      warnings: [
        ...plan.warnings,
        ...workbench.warnings,
        ...sandboxWarnings(options.sandbox, plan),
        ...scratchWarnings,
        ...(await tapes.warnings()),
        ...context.budget.warnings,
        ...failures.map((it) => `the journal could not be written: ${it}`),
      ],
      interrupted: signal.aborted,
      tape: tapeSummary(tapes, [...results.values()], home),
      provider: plan.engine.provider,
      captureFolder: shownFrom(home, journal.dir),
      skillsOffered: skillsOffered(plan),
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

/** null: the engine does not tell which it used. */
function skillsOffered({ pkg, engineName }: EvalPlan): string[] | null {
  if (engineName === 'command') return null;
  const offered = pkg.skills.filter(({ frontmatter }) => !frontmatter?.value.disableModelInvocation);
  return offered.map(({ name }) => name);
}

/** Some servers repeat a key, and some agents repeat their server. */
function withoutKeys(result: TrialResult, { gateway }: RunContext): TrialResult {
  const text = JSON.stringify(result);
  const clean = gateway?.redact(text) ?? text;
  return clean === text ? result : (JSON.parse(clean) as TrialResult);
}

const AGENT_MEMORY = 400 * 1024 * 1024;

/** Agents mostly wait for their model, so two for each core, as long as there is memory for them. */
function defaultJobs(): number {
  return Math.max(1, Math.min(2 * availableParallelism(), Math.floor(freemem() / AGENT_MEMORY)));
}

interface RunRules {
  readonly jobs: number;
  readonly rules: JudgeRules;
  /** Gets what went wrong with the journal. */
  readonly failures: string[];
}

/** Judges mostly wait for their model, like agents, but take next to nothing while they do. */
const JUDGES_PER_AGENT = 4;

async function runAll(
  context: RunContext,
  options: EvalOptions,
  { jobs, rules, failures }: RunRules,
): Promise<Map<string, TrialResult>> {
  const { plan, journal, budget } = context;
  const { onEvent } = options;
  const results = new Map<string, TrialResult>();
  const kept: Promise<unknown>[] = [];
  onEvent?.({
    type: 'run-start',
    total: plan.trials.length,
    cases: new Set(plan.trials.map((trial) => trial.case.name)).size,
    runs: plan.runs,
    baseline: plan.baseline,
    engine: plan.engineName,
    package: plan.pkg.version ? `${plan.pkg.name} ${plan.pkg.version}` : plan.pkg.name,
    folder: shownFrom(plan.home, journal.dir),
  });
  const agents = pLimit(jobs);
  const judges = pLimit(jobs * JUDGES_PER_AGENT);
  const runOne = async (trial: Trial) => {
    const label = trialLabel(trial, plan);
    const watch = (usage: () => TrialResult['usage']) =>
      onEvent?.({ type: 'trial-start', trial: trial.id, label, usage });
    const decide = async () => {
      const ran = await agents(async () => {
        const done = await runTrial(trial, context, budget.stopped, watch);
        // Before the next one starts.
        budget.spend(done.result);
        return done;
      });
      if (!needsJudge(trial, ran, rules)) return ran.result;
      // Here the agent's place is free again.
      const decided = await judges(() => {
        onEvent?.({ type: 'judge-start', trial: trial.id, label });
        return judgeTrial(trial, ran, rules);
      });
      if (decided.judged) budget.spendOnJudge(decided.judged);
      return decided;
    };
    const result = withoutKeys(await context.tapes.run(trial, decide), context);
    // The disk is waited for beside the next trial, not before it.
    results.set(trial.id, result);
    const written = journal.append(result).catch((error: Error) => failures.push(error.message));
    kept.push(written.then(() => onEvent?.({ type: 'trial-end', result, label })));
  };
  await Promise.all(plan.trials.map(runOne));
  journal.hurry();
  await Promise.all(kept);
  return results;
}

function sandboxWarnings(sandbox: SandboxName, { settings, baseline }: EvalPlan): string[] {
  if (sandbox !== 'none') return [];
  const unkept = [
    ...(settings.network ? [] : ['network: false']),
    ...(settings.writablePaths === null ? [] : ['writable-paths']),
  ];
  const also = unkept.length > 0 ? `; not enforced: ${unkept.join(', ')}` : '';
  return [
    `--sandbox none: the agent could read and write whatever you can, and use the network${also}`,
    ...(baseline ? ['--sandbox none: agents without the package could still find it on the disk'] : []),
  ];
}

/** Where the user says, replacing what is there; else under a name that no other run has. */
async function writeReport(
  report: EvalReport,
  home: string,
  output: string | null,
  journal: Journal,
): Promise<string> {
  const text = `${JSON.stringify(report, null, 2)}\n`;
  const path = output ?? join(home, 'evals', 'reports', `${report.timestamp.replaceAll(':', '-')}.json`);
  try {
    if (output === null) return await writeNew(path, text);
    await writeAtomically(path, text);
    return path;
  } catch (error) {
    throw new UserError(
      `the report ${path} could not be written: ${(error as Error).message}`,
      `what finished is in ${journal.dir}`,
    );
  }
}
