/** The report of a run: everything that was asked for, found out and decided. */
import { join } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import type { EvalReport } from '../model/report.ts';
import type { TrialResult } from '../model/trial.ts';
import { buildReport } from '../report/build.ts';
import { writeAtomically, writeNew } from '../report/write.ts';
import type { SandboxName } from '../sandbox/sandboxes.ts';
import { type Observed, observeVersion } from './environment.ts';
import type { RunContext } from './eval-context.ts';
import type { EvalPlan } from './eval-plan.ts';
import type { Journal } from './journal.ts';
import { shownFrom } from './run-places.ts';
import { askedModel, notTapedWarnings, tapeSummary } from './tape-summary.ts';

export interface RunFacts {
  readonly timestamp: string;
  readonly durationMs: number;
  readonly jobs: number;
  readonly passThreshold: number;
  readonly sandbox: SandboxName;
  readonly host: Host;
  /** Of the engine; null: it is a command of the user's. */
  readonly program: string | null;
  readonly observed: Observed;
  /** What went wrong with the journal. */
  readonly failures: readonly string[];
  /** Findings that came up before the trials. */
  readonly warnings: readonly string[];
}

export async function reportOf(
  context: RunContext,
  results: ReadonlyMap<string, TrialResult>,
  facts: RunFacts,
): Promise<EvalReport> {
  const { plan, journal, tapes, limits, workbench, budget, signal } = context;
  const { pkg, home, settings } = plan;
  const { environment, hash, commit } = facts.observed;
  const told = [...results.values()].find((result) => result.engineVersion !== null)?.engineVersion;
  const engineVersion =
    told ?? (facts.program === null ? null : await observeVersion(facts.host, facts.program));
  return buildReport(plan.trials, results, {
    id: `eval-run-${journal.id}`,
    timestamp: facts.timestamp,
    duration_seconds: Math.round(facts.durationMs / 10) / 100,
    config: {
      engine: plan.engineName,
      engine_version: engineVersion,
      judge: settings.judge,
      timeout: settings.timeoutSeconds,
      model: askedModel(plan.trials, tapes),
      jobs: facts.jobs,
      writable_paths:
        settings.writablePaths === null || facts.sandbox === 'none' ? null : [...settings.writablePaths],
      env: Object.keys(settings.env).sort(),
      runs: plan.runs,
      pass_threshold: facts.passThreshold,
      baseline: plan.baseline,
    },
    environment,
    package: { name: pkg.name, version: pkg.version, hash, git_commit: commit },
    suite: { format: plan.source.format, file: plan.source.file },
    sandbox: {
      kind: facts.sandbox,
      // Without a sandbox nothing holds an agent back.
      network: facts.sandbox === 'none' || settings.network,
      memory_bytes: limits.memoryBytes,
      cpu_seconds: limits.cpuSeconds,
      output_bytes: limits.outputBytes,
    },
    warnings: [
      ...plan.warnings,
      ...workbench.warnings,
      ...sandboxWarnings(facts.sandbox, plan),
      ...facts.warnings,
      ...(await tapes.warnings()),
      ...notTapedWarnings([...results.values()]),
      ...budget.warnings,
      ...facts.failures.map((it) => `the journal could not be written: ${it}`),
    ],
    interrupted: signal.aborted,
    tape: tapeSummary(tapes, [...results.values()], home),
    provider: plan.engine.provider,
    captureFolder: shownFrom(home, journal.dir),
    skillsOffered: skillsOffered(plan),
  });
}

/** null: the engine does not tell which it used. */
function skillsOffered({ pkg, engineName }: EvalPlan): string[] | null {
  if (engineName === 'command') return null;
  const offered = pkg.skills.filter(({ frontmatter }) => !frontmatter?.value.disableModelInvocation);
  return offered.map(({ name }) => name);
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
export async function writeReport(
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
