/** The permission audit: warnings about packages that ask for more than they say. */
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { AgentPackage } from '../../model/package.ts';
import { warning } from './report.ts';

/** For every package, whatever it holds. */
export function* auditPermissions({ manifest }: AgentPackage): Iterable<Diagnostic> {
  if (!manifest) return;
  const permissions = manifest.value.permissions;
  if (!permissions) {
    yield warning(
      manifest,
      [],
      'permissions',
      'no permissions are declared, so nothing limits what the package may do',
      'declare permissions: {} if it needs none',
    );
    return;
  }
  const { fs, network, shell } = permissions;
  if (shell?.allow && !shell.binaries?.length) {
    yield warning(
      manifest,
      ['permissions', 'shell'],
      'permissions',
      'any program may be run',
      'list the programs in permissions.shell.binaries',
    );
  }
  for (const [index, glob] of (fs?.write ?? []).entries()) {
    if (['**', '.', './', './**', '**/*'].includes(glob)) {
      yield warning(
        manifest,
        ['permissions', 'fs', 'write', index],
        'permissions',
        `${JSON.stringify(glob)} allows writing everywhere in the project`,
        'name the folders that are written',
      );
    }
  }
  for (const [index, host] of (network?.hosts ?? []).entries()) {
    if (host === '*')
      yield warning(
        manifest,
        ['permissions', 'network', 'hosts', index],
        'permissions',
        '"*" allows every host',
        'name the hosts',
      );
  }
  for (const [index, scheme] of (network?.schemes ?? []).entries()) {
    if (scheme === 'http')
      yield warning(
        manifest,
        ['permissions', 'network', 'schemes', index],
        'permissions',
        'http is not encrypted',
        'use https',
      );
  }
}

/** The audit within `aam validate`: a package with nothing to run need not declare permissions. */
export function* permissionRules(pkg: AgentPackage): Iterable<Diagnostic> {
  const declared = pkg.manifest?.value.permissions !== undefined;
  if (declared || runsSomething(pkg)) yield* auditPermissions(pkg);
}

function runsSomething({ hooks, mcp, skills, files }: AgentPackage): boolean {
  if (hooks || mcp) return true;
  const scripts = skills.map(({ dir }) => (dir ? `${dir}/scripts/` : 'scripts/'));
  return [...files.keys()].some((path) => scripts.some((prefix) => path.startsWith(prefix)));
}
