/** What a run writes down: before its first trial, when it cannot go on, and at its end. */
import { join } from 'node:path';
import { ownName } from '../host/owner.ts';
import { UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import type { RunIdentity, RunOptions } from '../model/run.ts';
import type { TrialResult } from '../model/trial.ts';
import { isFullDisk } from './disk-space.ts';
import type { EvalPlan, PlanRequest } from './eval-plan.ts';
import { writeReport } from './eval-report.ts';
import { writeResults } from './eval-results.ts';
import { Journal, type JournalSetting } from './journal.ts';
import type { ResumedRun } from './resume.ts';
import { differences } from './run-identity.ts';
import { recordedOptions } from './run-options.ts';
import { resumeCommand } from './runs.ts';

interface Records {
  /** Holds `runs`. */
  readonly aam: string;
  readonly timestamp: string;
  readonly plan: EvalPlan;
  readonly identity: RunIdentity;
  readonly options: RunOptions & Pick<PlanRequest, 'chosen'>;
  /** null: a new run. */
  readonly resume: ResumedRun | null;
}

/** Throws a UserError when a run is taken up that was of something else. */
export async function openRecords(records: Records, setting: JournalSetting): Promise<Journal> {
  const { aam, timestamp, plan, identity, options, resume } = records;
  if (resume) {
    requireSame(resume, identity);
    return await Journal.reopen(resume.record.id, resume.dir, resume.lock, setting);
  }
  const { home, source, pkg } = plan;
  const cases = options.chosen?.cases;
  const describe = (id: string) => ({
    version: 1 as const,
    id,
    timestamp,
    process: ownName(),
    home,
    file: source.file,
    package: { name: pkg.name, version: pkg.version },
    options: { ...recordedOptions(options), ...(cases && { selection: { cases, targets: [] } }) },
    identity,
  });
  return await Journal.create(aam, timestamp, describe, setting);
}

const MAX_TOLD = 10;

function requireSame({ record }: ResumedRun, identity: RunIdentity): void {
  const changed = differences(record.identity, identity);
  if (changed.length === 0) return;
  const more = changed.length > MAX_TOLD ? [`and ${changed.length - MAX_TOLD} more`] : [];
  throw new UserError(
    `the run ${record.id} cannot be continued: it was of something else`,
    ...changed.slice(0, MAX_TOLD),
    ...more,
    'undo that, or start a new run:  aam eval',
  );
}

/** The records of a run cannot be written any more. */
export async function unkept(journal: Journal, { trials }: EvalPlan): Promise<UserError> {
  await journal.settle();
  const { failure, dir, id } = journal;
  const why = isFullDisk(failure) ? 'the disk is full' : 'its records cannot be written';
  return new UserError(
    `the run was stopped, because ${why}: ${failure?.message}`,
    `what finished of its ${trials.length} trials is kept in ${dir}`,
    `make room, then run the rest:  ${resumeCommand(id)}`,
  );
}

interface Ending {
  readonly plan: EvalPlan;
  readonly journal: Journal;
  readonly options: Pick<RunOptions, 'output' | 'benchmarkJson' | 'jsonl'>;
}

/** Writes the report and all that goes with it; only when all is there the run is over, else it can be resumed. */
export async function writeEnd(
  report: EvalReport,
  results: ReadonlyMap<string, TrialResult>,
  { plan, journal, options }: Ending,
): Promise<{ readonly path: string | null; readonly failures: readonly Error[] }> {
  const hint = `when that is mended, no case has to run again:  ${resumeCommand(journal.id)}`;
  const failures: Error[] = [];
  const path = await writeReport(report, plan.home, options.output).catch((error: Error) => {
    const kept = `all that finished is kept in ${journal.dir}`;
    const place = options.output ?? join(plan.home, 'evals', 'reports');
    failures.push(new UserError(`the report ${place} could not be written: ${error.message}`, kept, hint));
    return null;
  });
  failures.push(...(await writeResults(plan, results, report, options)));
  if (path === null || failures.length > 0) return { path, failures };
  const state = report.interrupted ? 'interrupted' : 'finished';
  await journal.end({ state, report: path, exitCode: report.exit_code }).catch((error: Error) => {
    failures.push(new UserError(`the end of the run could not be written down: ${error.message}`, hint));
  });
  return { path, failures };
}
