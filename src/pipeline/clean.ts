/** `aam clean`: removes what killed processes left behind, and old runs when asked to. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeOwnedFolder } from '../host/owned-folder.ts';
import type { Host } from '../model/host.ts';
import type { CleanReport } from '../model/run-list.ts';
import { aamFolders, type FoundRun, findRuns, reportFolders } from './runs.ts';
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
  const found = await findLeftovers(await aamFolders(host, null), [
    join(host.cwd, 'evals', 'reports'),
    ...reportFolders(runs),
  ]);
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
