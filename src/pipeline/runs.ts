/** The runs of a package: where they are, and how each of them stands. */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ancestors } from '../host/programs.ts';
import { discoverPackage } from '../load/discover.ts';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import { type RunRecord, runRecord } from '../model/run.ts';
import { type JournalContents, readJournal } from './journal-lines.ts';
import { lastOwner } from './run-lock.ts';
import { stateFolder } from './run-places.ts';

/** `died`: its process is gone without a word. */
type RunState = 'running' | 'finished' | 'interrupted' | 'died';

export interface FoundRun {
  /** Absolute. */
  readonly dir: string;
  /** The package, or the folder of the eval file, as it is now: folders can be moved. */
  readonly home: string;
  readonly record: RunRecord;
  readonly contents: JournalContents;
  readonly state: RunState;
  /** Of the process that has it now; null: none. */
  readonly pid: number | null;
}

/** The newest first. `path`: a file or folder of the package; null: the one at the working folder. */
export async function findRuns(host: Host, path: string | null): Promise<FoundRun[]> {
  const start = resolve(host.cwd, path ?? '.');
  const places = await runPlaces(start, host);
  const runs = await Promise.all(places.map(({ dir, home }) => readRun(dir, home)));
  const above = ancestors(start);
  return runs
    .filter((run) => run !== null)
    .filter(({ home }) => above.includes(home) || home.startsWith(`${start}/`))
    .sort((a, b) => (a.record.id < b.record.id ? 1 : -1));
}

/** Folders that hold `runs`, of the package at a path and of packages that cannot be written. */
export async function aamFolders(host: Host, path: string | null): Promise<string[]> {
  const own = await ownFolder(resolve(host.cwd, path ?? '.'));
  return [...(own === null ? [] : [own]), stateFolder(host)];
}

/** null: it was killed before it began, or another version of aam made it. */
export async function readRun(dir: string, home: string | null): Promise<FoundRun | null> {
  const text = await readFile(join(dir, 'run.json'), 'utf8').catch(() => null);
  const record = text === null ? null : recordIn(text);
  if (record === null) return null;
  const journal = await readFile(join(dir, 'journal.jsonl'), 'utf8').catch(() => '');
  const contents = readJournal(journal);
  const owner = lastOwner(dir);
  const isRunning = owner?.isLiving === true && !(contents.end && contents.session === owner.session);
  return {
    dir,
    home: home ?? record.home,
    record,
    contents,
    state: isRunning ? 'running' : (contents.end?.state ?? 'died'),
    pid: isRunning ? owner.pid : null,
  };
}

/** As the run's own folder or its report is called. */
export function namedRun(runs: readonly FoundRun[], name: string): FoundRun {
  const id = name.replace(/^eval-run-/, '');
  const run = runs.find(({ record }) => record.id === id);
  if (run) return run;
  throw new UserError(
    `there is no run ${name} of this package that could be continued`,
    'see all:  aam runs',
  );
}

/** The command that runs what is missing. */
export function resumeCommand(id: string): string {
  return `aam eval --resume ${id}`;
}

/** Where runs write what they are asked for. */
export function reportFolders(runs: readonly FoundRun[]): string[] {
  const files = runs.flatMap(({ home, contents, record: { options } }) => [
    join(home, 'evals', 'reports', 'report.json'),
    ...[contents.end?.report, options.output, options.jsonl, options.benchmarkJson],
    ...Object.values(options.outputs),
  ]);
  return [...new Set(files.filter((file) => typeof file === 'string').map((file) => dirname(file)))];
}

async function runPlaces(start: string, host: Host): Promise<{ dir: string; home: string | null }[]> {
  const own = await ownFolder(start);
  const inside = own === null ? [] : subfolders(own).map((dir) => ({ dir, home: dirname(own) }));
  return [...inside, ...subfolders(stateFolder(host)).map((dir) => ({ dir, home: null }))];
}

/** The nearest `.aam` with runs, but none of another package further up. */
async function ownFolder(start: string): Promise<string | null> {
  const root = await discoverPackage(start, start).then(
    (found) => found.root,
    () => '/',
  );
  const folders = ancestors(start).filter(
    (dir) => dir === root || dir.startsWith(`${root.replace(/\/$/, '')}/`),
  );
  return folders.map((dir) => join(dir, '.aam')).find((dir) => existsSync(join(dir, 'runs'))) ?? null;
}

function subfolders(aam: string): string[] {
  const runs = join(aam, 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(runs, entry.name));
}

function recordIn(text: string): RunRecord | null {
  try {
    return runRecord.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
