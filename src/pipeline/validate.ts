/** `aam validate`: load → every rule → findings. */
import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Discovered, discoverPackage } from '../load/discover.ts';
import { readPackage } from '../load/formats/uaaps/package.ts';
import { type Diagnostic, finding } from '../model/diagnostic.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';
import type { ValidationReport } from '../model/validation-report.ts';
import { findCycle } from '../package/graph.ts';
import { auditPermissions } from '../package/rules/permissions.ts';
import { checkPackage } from '../package/rules.ts';
import { evalFilesBelow, evalFilesIn, isEvalFile, validateSuites } from './validate-suites.ts';

export interface ValidateOptions {
  readonly cwd: string;
  /** What `${{ NAME }}` in eval files stands for. */
  readonly env: Host['env'];
  readonly paths: readonly string[];
  /** Only the permission audit. */
  readonly permissionsOnly: boolean;
  /** Warnings count as findings. */
  readonly strict: boolean;
}

export async function validate(options: ValidateOptions): Promise<ValidationReport> {
  const files = options.permissionsOnly ? [] : options.paths.filter((path) => isEvalFile(path, options.cwd));
  const others = options.paths.filter((path) => !files.includes(path));
  const places = await Promise.all(others.map((path) => discover(path, options)));
  const found = places.flatMap((it) => ('root' in it ? [it] : []));
  const outside = places.flatMap((it) => ('evals' in it ? it.evals : []));
  const around = new Map<string, AgentPackage>();
  for (const { root } of found) if (!around.has(root)) around.set(root, await readPackage(root));
  const discovered = found.map((it) => ownSkill(it, around.get(it.root)));
  const packages: AgentPackage[] = [];
  for (const root of new Set(discovered.map((it) => it.root)))
    packages.push(around.get(root) ?? (await readPackage(root)));

  const diagnostics = packages.flatMap((pkg) => {
    const findings = options.permissionsOnly
      ? [...auditPermissions(pkg)]
      : [...checkPackage(pkg), ...packageCycle(pkg, packages)];
    return findings
      .filter(({ file }) => isAsked(file, discovered, pkg.root))
      .map((it) => fromCwd(it, pkg.root, options.cwd));
  });
  const asked = [...files.map((path) => resolve(options.cwd, path)), ...outside];
  const inside = packages.flatMap((pkg) => evalFilesIn(pkg, (file) => isAsked(file, discovered, pkg.root)));
  const suites = await validateSuites(
    options.permissionsOnly ? [] : [...new Set([...asked, ...inside])],
    options.cwd,
    options.env,
  );
  diagnostics.push(...suites.flatMap((it) => it.diagnostics));
  const errors = diagnostics.filter((it) => it.severity === 'error');
  const warnings = diagnostics.filter((it) => it.severity === 'warning');
  return {
    version: 1,
    ok: errors.length === 0 && (!options.strict || warnings.length === 0),
    errors,
    warnings,
    packages: packages.map(({ name, version, root, files }) => ({
      name,
      version,
      root,
      files: [...files].filter(([path, { kind }]) => kind === 'file' && isAsked(path, discovered, root))
        .length,
    })),
    suites: suites.map(({ format, file, cases }) => ({ format, file, cases })),
  };
}

/** A package; or the eval files of a folder that is part of none. */
async function discover(
  path: string,
  { cwd, permissionsOnly }: ValidateOptions,
): Promise<Discovered | { readonly evals: readonly string[] }> {
  try {
    return await discoverPackage(path, cwd);
  } catch (error) {
    const folder = resolve(cwd, path);
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && folder !== '/';
    const evals = isFolder && !permissionsOnly ? evalFilesBelow(folder) : [];
    if (evals.length > 0) return { evals };
    throw error;
  }
}

/** A SKILL.md that the package around it does not read is validated for itself: it must not pass unseen. */
function ownSkill(discovered: Discovered, around: AgentPackage | undefined): Discovered {
  const { root, part, skill } = discovered;
  if (skill === null || !around) return discovered;
  const dir = relative(root, skill);
  if (around.skills.some((it) => it.dir === dir)) return discovered;
  return { root: skill, part: relative(skill, join(root, part)), skill: null };
}

/** Whether a file is below a part of the package that was asked for. */
function isAsked(file: string, discovered: readonly Discovered[], root: string): boolean {
  const parts = discovered.filter((it) => it.root === root).map(({ part }) => part);
  return parts.some((part) => part === '' || file === part || file.startsWith(`${part}/`));
}

function fromCwd(diagnostic: Diagnostic, root: string, cwd: string): Diagnostic {
  return { ...diagnostic, file: relative(cwd, join(root, diagnostic.file)) };
}

/** Packages validated together must not depend on each other in a circle. */
function* packageCycle(pkg: AgentPackage, packages: readonly AgentPackage[]): Iterable<Diagnostic> {
  const edges = new Map(
    packages.map(({ name, manifest }) => [
      name,
      Object.keys(manifest?.value.dependencies ?? {}).filter((dependency) => dependency !== name),
    ]),
  );
  const cycle = findCycle(edges);
  if (!cycle || !pkg.manifest || cycle[0] !== pkg.name) return;
  yield finding('error', pkg.manifest, ['dependencies', cycle[1] ?? ''], {
    rule: 'dependency-cycle',
    message: `the packages depend on each other in a circle: ${cycle.join(' → ')}`,
  });
}
