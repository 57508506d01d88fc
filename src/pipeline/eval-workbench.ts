/** What all trials of a run share: where things stand inside the sandbox, and the read-only copy of the package. */
import { cpSync, mkdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyFileWithin } from '../host/copy-file.ts';
import { UserError } from '../model/errors.ts';
import { type Installation, installation } from '../package/install.ts';
import type { Mount, Sandbox } from '../sandbox/sandbox.ts';
import { agentFolder } from './agent-folder.ts';
import { type EnginePlace, placeEngine } from './engine-place.ts';
import type { EvalPlan } from './eval-plan.ts';
import { projectAmong, projectAround } from './hidden-folders.ts';
import { copyPackage, withoutAnswers } from './package-copy.ts';

export interface Workbench {
  /** Mounts that every trial gets. */
  readonly mounts: readonly Mount[];
  /** What hooks and servers of the package run from. */
  readonly packageMount: Mount;
  /** null: the engine needs nothing of aam's. */
  readonly engine: EnginePlace | null;
  /** What to install, given where a trial's hook definitions and report socket are. */
  install(hooksFile: string, hooksSocket: string): Installation;
  /** What is installed comes from here: edits to the package during a run have no effect on it. */
  readonly packageCopy: string;
  /** What agents do not get of the package, and why. */
  readonly warnings: readonly string[];
  /** What a folder of the user's is seen with by commands that run in it; see projectAround. */
  projectAround(folder: string): string;
  /** The run's own copy of a file that a case gives to the agent. */
  caseFile(path: string): string;
}

export async function setUpWorkbench(
  sandbox: Sandbox,
  plan: EvalPlan,
  program: string | null,
  dir: string,
  userHome: string,
): Promise<Workbench> {
  const { pkg: whole, engineName, trials, settings } = plan;
  const copy = join(dir, 'package');
  const { pkg, warnings } = withoutAnswers(
    whole,
    trials.map((trial) => trial.case),
  );
  await copyPackage(pkg, copy);
  const packageMount: Mount = { from: copy, to: '/package', mode: 'ro' };
  const needsPlace = program !== null || engineName === 'completion';
  const engine = needsPlace ? placeEngine(sandbox, program) : null;
  const instructions =
    pkg.instructions === null ? null : await readFile(join(copy, pkg.instructions), 'utf8');
  const packageRoot = sandbox.seenAt(packageMount);
  const shim = engine === null ? [] : [engine.node, engine.shim];
  const around = (path: string) =>
    plan.projects ? projectAmong(plan.projects, path) : projectAround(path, plan.home, userHome);
  const cwd = settings.target?.shell?.cwd ?? null;
  const folder = cwd === null ? null : await agentFolder(around(cwd), plan, dir);
  let latest: { readonly key: string; readonly installation: Installation } | null = null;
  return {
    mounts: [...(engine?.mounts ?? []), ...(folder?.mounts ?? [])],
    packageMount,
    engine,
    packageCopy: copy,
    warnings: [...warnings, ...(folder?.warnings ?? [])],
    projectAround: around,
    caseFile: copyOnce(join(dir, 'case-files')),
    // Where things are at the same place for every trial, this is worked out once.
    install(hooksFile, hooksSocket) {
      const key = `${hooksFile}\0${hooksSocket}`;
      if (latest?.key === key) return latest.installation;
      const where = { packageRoot, shim: [...shim, hooksFile, hooksSocket], instructions };
      latest = { key, installation: installation(pkg, engineName, where) };
      return latest.installation;
    },
  };
}

/** Beyond this a run would fill disks with copies. */
const MAX_CASE_FILES = 4 * 1024 ** 3;

/** Synchronous, because many trials may ask for the same file at once. */
function copyOnce(dir: string): (path: string) => string {
  const copies = new Map<string, string>();
  let left = MAX_CASE_FILES;
  return (path) => {
    const known = copies.get(path);
    if (known !== undefined) return known;
    const copy = join(dir, String(copies.size));
    const stats = statSync(path);
    left -= stats.size;
    if (left < 0)
      throw new UserError(
        `the files of the cases have more than ${MAX_CASE_FILES / 1024 ** 3} GiB, with ${path}`,
      );
    if (stats.isDirectory()) cpSync(path, copy, { recursive: true, verbatimSymlinks: true });
    else {
      mkdirSync(dir, { recursive: true });
      copyFileWithin('/', path, copy);
    }
    copies.set(path, copy);
    return copy;
  };
}
