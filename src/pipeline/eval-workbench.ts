/** What all trials of a run share: where things stand inside the sandbox, and the read-only copy of the package. */
import { cpSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AgentPackage } from '../model/package.ts';
import { REPORT_MARK } from '../model/report.ts';
import { type Installation, installation, packageCopy } from '../package/install.ts';
import type { Mount, Sandbox } from '../sandbox/sandbox.ts';
import { type EnginePlace, placeEngine } from './engine-place.ts';
import type { EvalPlan } from './eval-plan.ts';

export interface Workbench {
  /** Mounts that every trial gets. */
  readonly mounts: readonly Mount[];
  /** What hooks and servers of the package run from. */
  readonly packageMount: Mount;
  /** null for the engine "command". */
  readonly engine: EnginePlace | null;
  /** What to install, given where a trial's hook definitions and report socket are. */
  install(hooksFile: string, hooksSocket: string): Installation;
  /** What is installed comes from here: edits to the package during a run have no effect on it. */
  readonly packageCopy: string;
  /** The run's own copy of a file that a case gives to the agent. */
  caseFile(path: string): string;
}

export async function setUpWorkbench(
  sandbox: Sandbox,
  { pkg, engineName }: EvalPlan,
  program: string | null,
  dir: string,
): Promise<Workbench> {
  const copy = join(dir, 'package');
  await copyPackage(pkg, copy);
  const packageMount: Mount = { from: copy, to: '/package', mode: 'ro' };
  const engine = program === null ? null : placeEngine(sandbox, program);
  const instructions =
    pkg.instructions === null ? null : await readFile(join(copy, pkg.instructions), 'utf8');
  const packageRoot = sandbox.seenAt(packageMount);
  const shim = engine === null ? [] : [engine.node, engine.shim];
  const installations = new Map<string, Installation>();
  return {
    mounts: engine?.mounts ?? [],
    packageMount,
    engine,
    packageCopy: copy,
    caseFile: copyOnce(join(dir, 'case-files')),
    // Where a sandbox puts things at the same place for every trial, this is worked out once.
    install(hooksFile, hooksSocket) {
      const key = `${hooksFile}\0${hooksSocket}`;
      const known = installations.get(key);
      if (known) return known;
      const where = { packageRoot, shim: [...shim, hooksFile, hooksSocket], instructions };
      const fresh = installation(pkg, engineName, where);
      installations.set(key, fresh);
      return fresh;
    },
  };
}

/** Synchronous, because many trials may ask for the same file at once. */
function copyOnce(dir: string): (path: string) => string {
  const copies = new Map<string, string>();
  return (path) => {
    const known = copies.get(path);
    if (known !== undefined) return known;
    const copy = join(dir, String(copies.size));
    cpSync(path, copy, { recursive: true, verbatimSymlinks: true });
    copies.set(path, copy);
    return copy;
  };
}

/** The package without evals and tests: hook scripts and MCP servers run from here, the answers are not in it. */
async function copyPackage(pkg: AgentPackage, to: string): Promise<void> {
  await mkdir(to);
  const folders = new Set<string>();
  for (const path of packageCopy(pkg)) {
    if (await isReport(join(pkg.root, path))) continue;
    const target = join(to, path);
    const folder = dirname(target);
    if (!folders.has(folder)) await mkdir(folder, { recursive: true });
    folders.add(folder);
    if (pkg.files.get(path)?.kind === 'dir')
      await cp(join(pkg.root, path), target, { recursive: true, verbatimSymlinks: true });
    else await copyFile(join(pkg.root, path), target);
  }
}

/** A report that was written into the package tells what was expected. */
async function isReport(path: string): Promise<boolean> {
  if (!/\.(?:json|xml|md|html)$/.test(path)) return false;
  const text = await readFile(path, 'utf8').catch(() => '');
  if (text.includes(REPORT_MARK)) return true;
  return text.includes('"eval-run-') && /"(?:deterministic_checks|conclusion)"/.test(text);
}
