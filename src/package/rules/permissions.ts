/** Permissions: the audit of what a package asks for, and the grammar of how it asks. */
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import type { Manifest, Permissions } from '../../model/manifest.ts';
import { pathProblem } from '../../model/names.ts';
import type { AgentPackage } from '../../model/package.ts';
import { error, openWord, warning } from './report.ts';

const HOST = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?$/i;
const IP_ADDRESS = /^\d+(?:\.\d+){3}(?::\d+)?$/;

/** Warnings only, for every package, whatever it holds. */
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

/** Within `aam validate`, a package with nothing to run need not declare permissions. */
export function* permissionRules(pkg: AgentPackage): Iterable<Diagnostic> {
  const { manifest } = pkg;
  if (!manifest) return;
  if (manifest.value.permissions || runsSomething(pkg)) yield* auditPermissions(pkg);
  const { permissions, extras, permissionGrants } = manifest.value;
  const declared: [Path, Permissions | undefined][] = [
    [['permissions'], permissions],
    ...Object.entries(extras ?? {}).map(([name, extra]): [Path, Permissions | undefined] => [
      ['extras', name, 'permissions'],
      extra.permissions,
    ]),
    ...Object.entries(permissionGrants ?? {}).map(([name, grant]): [Path, Permissions] => [
      ['permissionGrants', name],
      grant,
    ]),
  ];
  for (const [at, it] of declared) if (it) yield* grammar(manifest, at, it);
}

function runsSomething({ hooks, mcp, skills, files }: AgentPackage): boolean {
  return Boolean(hooks || mcp) || skills.some(({ dir }) => files.has(dir ? `${dir}/scripts` : 'scripts'));
}

function* grammar(
  manifest: Located<Manifest>,
  at: Path,
  { fs, network, shell }: Permissions,
): Iterable<Diagnostic> {
  for (const kind of ['read', 'write'] as const) {
    for (const [index, glob] of (fs?.[kind] ?? []).entries()) {
      const problem = pathProblem(glob);
      if (!problem) continue;
      const message = `the pattern ${JSON.stringify(glob)} ${problem}`;
      const hint = 'patterns are relative to the project';
      yield error(manifest, [...at, 'fs', kind, index], 'path-outside', message, hint);
    }
  }
  for (const [index, host] of (network?.hosts ?? []).entries()) {
    if (host === '*' || (HOST.test(host) && !IP_ADDRESS.test(host))) continue;
    const message = `${JSON.stringify(host)} is not the name of a host`;
    const hint = 'write example.com, or *.example.com for one level below; no addresses';
    yield error(manifest, [...at, 'network', 'hosts', index], 'wrong-value', message, hint);
  }
  for (const [index, scheme] of (network?.schemes ?? []).entries()) {
    yield* openWord(manifest, [...at, 'network', 'schemes', index], scheme, ['https', 'http', 'wss', 'ws']);
  }
  for (const [index, binary] of (shell?.binaries ?? []).entries()) {
    if (!binary.includes('/')) continue;
    const message = `${JSON.stringify(binary)} matches nothing: programs are compared by name`;
    const hint = `write ${JSON.stringify(binary.slice(binary.lastIndexOf('/') + 1))}`;
    yield warning(manifest, [...at, 'shell', 'binaries', index], 'wrong-value', message, hint);
  }
}
