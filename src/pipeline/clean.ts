/** `aam clean`: removes what killed processes left behind, and old runs when asked to. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { removeOwnedFolder } from '../host/owned-folder.ts';
import type { Host } from '../model/host.ts';
import type { CleanReport } from '../model/run-list.ts';
import { aamFolders, type FoundRun, findRuns } from './runs.ts';
import { findLeftovers, removeLeftovers } from './stale.ts';

export interface CleanRequest {
  readonly host: Host;
  readonly dryRun: boolean;
  /** Removes the records of finished runs that began longer ago than this; null: none. */
  readonly runsOlderThanMs: number | null;
}

export async function clean({ host, dryRun, runsOlderThanMs }: CleanRequest): Promise<CleanReport> {
  const runs = await findRuns(host, null);
  const old = runsOlderThanMs === null ? [] : runs.filter((run) => isOld(run, runsOlderThanMs));
  const found = await findLeftovers(await aamFolders(host, null), reportFolders(runs, host));
  const left = dryRun ? found : await removeLeftovers(found);
  const removed = dryRun ? old : await removeRuns(old);
  return {
    version: 1,
    dry_run: dryRun,
    folders: [...left.folders],
    processes: [...left.processes],
    files: [...left.files],
    runs: removed.map(({ dir }) => dir),
  };
}

function isOld({ state, record }: FoundRun, ms: number): boolean {
  return state === 'finished' && Date.now() - Date.parse(record.timestamp) > ms;
}

function reportFolders(runs: readonly FoundRun[], { cwd }: Host): string[] {
  const files = runs.flatMap(({ contents, record: { options } }) => [
    contents.end?.report,
    options.output,
    options.jsonl,
    options.benchmarkJson,
    ...Object.values(options.outputs),
  ]);
  const named = files.filter((file) => typeof file === 'string').map((file) => dirname(file));
  const homes = [cwd, ...runs.map(({ home }) => home)].map((home) => join(home, 'evals', 'reports'));
  return [...new Set([...homes, ...named])];
}

async function removeRuns(runs: readonly FoundRun[]): Promise<FoundRun[]> {
  const removed = await Promise.all(
    runs.map(async (run) => {
      // First, so that what is left when this is cut short is no run any more.
      await rm(join(run.dir, 'run.json'), { force: true });
      return (await removeOwnedFolder(run.dir)).left === null ? [run] : [];
    }),
  );
  return removed.flat();
}
