/** What all trials of a run share: where things stand inside the sandbox, and the read-only copy of the package. */
import { cpSync, existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { AgentPackage } from '../model/package.ts';
import { type Installation, installation, packageCopy } from '../package/install.ts';
import type { Mount, Sandbox } from '../sandbox/sandbox.ts';
import type { EvalPlan } from './eval-plan.ts';

export interface Workbench {
  /** Mounts that every trial gets. */
  readonly mounts: readonly Mount[];
  /** As commands see them. */
  readonly node: string;
  readonly bridge: string;
  /** What to install, given where a trial's hook definitions and report socket are. */
  install(hooksFile: string, hooksSocket: string): Installation;
  /** What is installed comes from here: edits to the package during a run have no effect on it. */
  readonly packageCopy: string;
  /** The run's own copy of a file that a case gives to the agent. */
  caseFile(path: string): string;
  /** '' for the engine "command". */
  readonly program: string;
}

export async function setUpWorkbench(
  sandbox: Sandbox,
  { pkg, engineName }: EvalPlan,
  program: string | null,
  dir: string,
): Promise<Workbench> {
  const copy = join(dir, 'package');
  await copyPackage(pkg, copy);
  const inside: Mount = {
    from: fileURLToPath(new URL('../inside', import.meta.url)),
    to: '/aam/inside',
    mode: 'ro',
  };
  const packageMount: Mount = { from: copy, to: '/package', mode: 'ro' };
  const seen = ({ mount, path, host }: Placed) => (mount === null || !sandbox.isolatesFiles ? host : path);
  const node = placeFile(execPath, '/aam/node');
  const engine = program === null ? null : placeProgram(program);
  const mounts = [packageMount, ...(engine ? [inside, node.mount, engine.mount] : [])].filter(
    (it) => it !== null,
  );
  const instructions =
    pkg.instructions === null ? null : await readFile(join(copy, pkg.instructions), 'utf8');
  const packageRoot = sandbox.seenAt(packageMount);
  const shim = [seen(node), join(sandbox.seenAt(inside), 'hook-shim.js')];
  const installations = new Map<string, Installation>();
  return {
    mounts,
    packageCopy: copy,
    caseFile: copyOnce(join(dir, 'case-files')),
    node: seen(node),
    bridge: join(sandbox.seenAt(inside), 'bridge.js'),
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
    program: engine === null ? '' : seen(engine),
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
  if (!path.endsWith('.json')) return false;
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.includes('"eval-run-') && text.includes('"deterministic_checks"');
}

interface Placed {
  readonly mount: Mount | null;
  readonly path: string;
  readonly host: string;
}

/** Programs below /usr are in every sandbox already. */
function placeFile(host: string, to: string): Placed {
  if (host.startsWith('/usr/')) return { mount: null, path: host, host };
  return { mount: { from: host, to, mode: 'ro' }, path: to, host };
}

/** The program alone, since beside it may lie anything; but Codex comes with resources that it needs. */
function placeProgram(host: string): Placed {
  const vendor = dirname(dirname(host));
  if (host.startsWith('/usr/') || !existsSync(join(vendor, 'codex-resources'))) {
    return placeFile(host, `/aam/engine/${basename(host)}`);
  }
  return {
    mount: { from: vendor, to: '/aam/engine', mode: 'ro' },
    path: `/aam/engine/bin/${basename(host)}`,
    host,
  };
}
