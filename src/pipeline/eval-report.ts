/** The report of a run: everything that was asked for, found out and decided. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EvalReport } from '../model/report.ts';
import type { TrialResult } from '../model/trial.ts';
import { buildReport } from '../report/build.ts';
import { reportBytes } from '../report/json-text.ts';
import { readReport } from '../report/read.ts';
import { writeAtomically, writeNew } from '../report/write.ts';
import type { SandboxName } from '../sandbox/sandboxes.ts';
import type { Observed } from './environment.ts';
import { type CostBudget, spentOn } from './eval-cost.ts';
import type { EvalPlan } from './eval-plan.ts';
import type { Journal } from './journal.ts';
import type { JournalContents } from './journal-lines.ts';
import { shownFrom } from './run-places.ts';
import type { Site } from './site.ts';
import { askedModel, notTapedWarnings, tapeSummary } from './tape-summary.ts';

export interface RunFacts {
  readonly timestamp: string;
  /** Of all processes that worked on the run. */
  readonly durationMs: number;
  readonly interrupted: boolean;
  readonly jobs: number;
  readonly passThreshold: number;
  readonly sandbox: SandboxName;
  /** null: it is a command of the user's, or does not tell. */
  readonly engineVersion: string | null;
  readonly packageHash: string;
  readonly observed: Observed;
  /** Findings that came up before the trials. */
  readonly warnings: readonly string[];
}

interface Reported {
  readonly plan: EvalPlan;
  readonly journal: Journal;
  readonly site: Site;
  readonly budget: CostBudget;
}

export async function reportOf(
  { plan, journal, site, budget }: Reported,
  results: ReadonlyMap<string, TrialResult>,
  facts: RunFacts,
): Promise<EvalReport> {
  const { tapes, limits, redaction } = site;
  const { pkg, home, settings } = plan;
  const { environment, commit } = facts.observed;
  const told = [...results.values()].find((result) => result.engineVersion !== null)?.engineVersion;
  const run = {
    id: `eval-run-${journal.id}`,
    timestamp: facts.timestamp,
    duration_seconds: Math.round(facts.durationMs / 10) / 100,
    config: {
      engine: plan.engineName,
      engine_version: told ?? facts.engineVersion,
      ...(plan.engineName === 'command' && { command: commandRecord(plan, site) }),
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
    package: { name: pkg.name, version: pkg.version, hash: facts.packageHash, git_commit: commit },
    suite: { format: plan.source.format, file: plan.source.file },
    ...(plan.certification && { certification: plan.certification }),
    sandbox: {
      kind: facts.sandbox,
      // Without a sandbox nothing holds an agent back.
      network: facts.sandbox === 'none' || settings.network,
      memory_bytes: limits.memoryBytes,
      cpu_seconds: limits.cpuSeconds,
      disk_bytes: limits.diskBytes,
      output_bytes: limits.outputBytes,
    },
    warnings: [
      ...plan.warnings,
      ...site.packageWarnings,
      ...sandboxWarnings(facts.sandbox, plan),
      ...facts.warnings,
      ...(await tapes.warnings()),
      ...notTapedWarnings([...results.values()]),
      ...budget.warnings,
      ...journalWarnings(journal.before),
    ],
    interrupted: facts.interrupted,
    tape: tapeSummary(tapes, [...results.values()], home, plan.engineName),
    provider: plan.engine.provider,
    captureFolder: shownFrom(home, journal.dir),
    skillsOffered: skillsOffered(plan),
  };
  const { cases, ...rest } = buildReport(plan.trials, results, run, (it) => redaction.value(it));
  return { ...redaction.value(rest), cases };
}

/** The agent itself, as far as aam knows it; a key in it is not for the report. */
function commandRecord(plan: EvalPlan, { redaction }: Site): string[] {
  return [...redaction.value(plan.settings.command ?? [])];
}

/** null: the engine does not tell which it used. */
function skillsOffered({ pkg, engine }: EvalPlan): string[] | null {
  if (!engine.shows.skills) return null;
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

function journalWarnings({ damaged, superseded }: JournalContents): string[] {
  const { tokens, costUsd } = spentOn(superseded);
  const cost = costUsd === null ? 'an unknown amount' : `$${costUsd.toFixed(4)}`;
  return [
    ...(damaged > 0
      ? [
          `${damaged === 1 ? 'a line' : `${damaged} lines`} of the journal could not be read, as after a loss of power: what stood there ran again`,
        ]
      : []),
    ...(tokens > 0
      ? [
          `trials that were interrupted or run again took ${tokens} tokens and ${cost} more, which count for the limits and stand nowhere else in this report`,
        ]
      : []),
  ];
}

/** Where the user says, replacing what is there; else under a name that no other run has. */
export async function writeReport(report: EvalReport, home: string, output: string | null): Promise<string> {
  const folder = join(home, 'evals', 'reports');
  const path = output ?? (await ownReport(folder, report));
  if (path === null) return await writeNew(join(folder, `${nameOf(report)}.json`), reportBytes(report));
  await writeAtomically(path, reportBytes(report));
  return path;
}

function nameOf({ timestamp }: EvalReport): string {
  return timestamp.replaceAll(':', '-');
}

/** The one that an earlier process of the same run wrote; null: there is none. */
async function ownReport(folder: string, report: EvalReport): Promise<string | null> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((it) => it.startsWith(nameOf(report)) && it.endsWith('.json'))) {
    const path = join(folder, name);
    const found = await readReport(path).catch(() => null);
    if (found?.id === report.id) return path;
  }
  return null;
}
