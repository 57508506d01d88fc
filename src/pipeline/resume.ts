/** `aam eval --resume` and `--retry-undecided`: takes up a run that another process began. */
import { dirname, join } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import type { EvalReport } from '../model/report.ts';
import type { RunOptions } from '../model/run.ts';
import { readReport } from '../report/read.ts';
import type { EvalOptions } from './eval.ts';
import { type RunLock, takeRun } from './run-lock.ts';
import { isFixed, type OptionName, optionNames, optionWords } from './run-options.ts';
import { type FoundRun, findRuns, namedRun, readRun, reportFolders, resumeCommand } from './runs.ts';
import { findLeftovers, removeLeftovers } from './stale.ts';

export interface ResumeRequest {
  readonly host: Host;
  /** null: the newest run that is not finished. */
  readonly id: string | null;
  /** A file or folder of the package; null: the one at the working folder. */
  readonly path: string | null;
  /** Runs also again what is undecided. */
  readonly retryUndecided: boolean;
  /** What was asked for this time. */
  readonly given: GivenOptions;
  /** An archive is made of the results themselves, also of a run that is over. */
  readonly wantsEvidence: boolean;
}

export type GivenOptions = Partial<Omit<RunOptions, 'tape'>> & {
  readonly tape?: Partial<RunOptions['tape']> | undefined;
};

/** A run that this process has taken up. */
export interface ResumedRun extends FoundRun {
  readonly lock: RunLock;
  readonly retryUndecided: boolean;
}

export interface FinishedRun {
  readonly report: EvalReport;
  readonly path: string;
  readonly root: string;
}

export type Resumable =
  | { readonly finished: FinishedRun; readonly outputs: RunOptions['outputs'] }
  | { readonly options: RunOptions & Pick<EvalOptions, 'path' | 'resume'> };

/** Throws a UserError when there is no such run, it is at work, or something else is asked of it than at its start. */
export async function openRun(request: ResumeRequest): Promise<Resumable> {
  const { host, id, path, retryUndecided, given, wantsEvidence } = request;
  const runs = await findRuns(host, path);
  const run = id === null ? newest(runs, retryUndecided) : namedRun(runs, id);
  const options = merged(run, given);
  // Also a run that is over may have been killed while it tidied up.
  await removeLeftovers(await findLeftovers([dirname(dirname(run.dir))], reportFolders([run])));
  // A file that is asked for only now has to be written.
  const wantsResults =
    wantsEvidence || [given.output, given.jsonl, given.benchmarkJson].some((it) => it != null);
  if (!isOpen(run, retryUndecided) && !wantsResults) {
    const finished = await finishedRun(run);
    if (finished) return { finished, outputs: options.outputs };
  }
  const lock = takeRun(run.dir);
  if ('pid' in lock) throw atWork(run, lock.pid);
  // Another process may have worked on it until this one had it.
  const latest = (await readRun(run.dir, run.home)) ?? run;
  const { home, record } = latest;
  return {
    options: {
      ...options,
      path: record.file === null ? home : join(home, record.file),
      resume: { ...latest, lock, retryUndecided },
    },
  };
}

function newest(runs: readonly FoundRun[], retryUndecided: boolean): FoundRun {
  const [latest] = runs;
  if (!latest)
    throw new UserError('there is no run of this package that could be continued', 'start one:  aam eval');
  const idle = runs.filter(({ state }) => state !== 'running');
  const run = idle.find((it) => isOpen(it, retryUndecided)) ?? idle[0];
  if (run) return run;
  throw atWork(latest, latest.pid);
}

function isOpen({ state, contents }: FoundRun, retryUndecided: boolean): boolean {
  if (state !== 'finished') return true;
  return retryUndecided && [...contents.results.values()].some(({ verdict }) => verdict === 'SKIP');
}

/** null: the report is gone, and is to be made again. */
async function finishedRun({ contents, home }: FoundRun): Promise<FinishedRun | null> {
  const path = contents.end?.report;
  const report = path === undefined ? null : await readReport(path).catch(() => null);
  return report && path !== undefined ? { report, path, root: home } : null;
}

function atWork({ record }: FoundRun, pid: number | null): UserError {
  return new UserError(
    `the run ${record.id} is at work in another process (${pid})`,
    `wait until it ends, or end it and then:  ${resumeCommand(record.id)}`,
  );
}

/** What decides a verdict stays as it was; the rest may be asked for anew. */
function merged({ record }: FoundRun, { tape, outputs, ...others }: GivenOptions): RunOptions {
  const given: Partial<RunOptions> = {
    ...others,
    ...(tape && { tape: { ...record.options.tape, ...tape } }),
    outputs: { ...record.options.outputs, ...outputs },
  };
  const asked = optionNames.filter((name) => given[name] !== undefined);
  const changed = asked.filter((name) => isFixed(name) && !isSame(given[name], record.options[name]));
  if (changed.length > 0) throw otherwise(record.id, changed, record.options, given);
  return { ...record.options, ...Object.fromEntries(asked.map((name) => [name, given[name]])) };
}

function otherwise(
  id: string,
  changed: readonly OptionName[],
  before: RunOptions,
  given: Partial<RunOptions>,
): UserError {
  const words = (name: OptionName) =>
    `${optionWords(name)}: it was ${JSON.stringify(before[name])} and is ${JSON.stringify(given[name])}`;
  return new UserError(
    `the run ${id} was started with other options, so its results would not belong together`,
    ...changed.map(words),
    'leave them out, or start a new run without --resume',
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
