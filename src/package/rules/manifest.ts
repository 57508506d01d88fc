/** The manifest's own promises: what it lists exists, and its parts agree with each other. */
import type { Diagnostic, Located } from '../../model/diagnostic.ts';
import type { Manifest } from '../../model/manifest.ts';
import { normalizePath, pathProblem } from '../../model/names.ts';
import { own } from '../../model/own.ts';
import type { AgentPackage } from '../../model/package.ts';
import { error, namedFile, openWord, suggest } from './report.ts';

export function* manifestRules(pkg: AgentPackage): Iterable<Diagnostic> {
  const { manifest } = pkg;
  if (!manifest) return;
  yield* listedNames(manifest, pkg);
  yield* extras(manifest);
  yield* dependencies(manifest);
  yield* installModes(manifest);
  for (const [index, { path }] of (manifest.value.quality?.evals ?? []).entries()) {
    yield* namedFile(manifest, ['quality', 'evals', index, 'path'], path, pkg.files, { noun: 'files' });
  }
  for (const [index, glob] of (manifest.value.files ?? []).entries()) {
    const problem = glob.startsWith('!') ? 'must not begin with "!"' : pathProblem(glob);
    const hint = 'patterns name what is published, relative to the package';
    if (problem) {
      const message = `the pattern ${JSON.stringify(glob)} ${problem}`;
      yield error(manifest, ['files', index], 'files-glob', message, hint);
    }
  }
  for (const tag of Object.keys(manifest.value.distTags ?? {})) {
    if (/^[a-z0-9-]{1,32}$/.test(tag)) continue;
    const message = `the tag ${JSON.stringify(tag)} must be 1 to 32 of a-z, 0-9 and hyphens`;
    yield error(manifest, ['dist-tags', tag], 'dist-tag', message, undefined, 'key');
  }
}

/** Everything the package may lean on at run time. */
export function allDependencies(manifest: Manifest): Readonly<Record<string, string>> {
  return { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
}

/** An artifact is registered under the name it calls itself. */
function* listedNames(manifest: Located<Manifest>, pkg: AgentPackage): Iterable<Diagnostic> {
  const actual = { skills: pkg.skills, commands: pkg.commands, agents: pkg.agents };
  for (const kind of ['skills', 'commands', 'agents'] as const) {
    for (const [index, entry] of (manifest.value.artifacts?.[kind] ?? []).entries()) {
      const files = ['', 'SKILL.md', 'agent.yaml', 'agent.yml'].map((name) =>
        normalizePath(`${entry.path}/${name}`),
      );
      const there = actual[kind].find(({ file }) => files.includes(file));
      if (!there || there.name === entry.name) continue;
      const message = `${entry.name} is called ${there.name} in ${there.file}`;
      const at = ['artifacts', kind, index, 'name'];
      yield error(manifest, at, 'name-mismatch', message, 'use the same name in both');
    }
  }
}

function* extras(manifest: Located<Manifest>): Iterable<Diagnostic> {
  for (const [name, extra] of Object.entries(manifest.value.extras ?? {})) {
    for (const kind of ['skills', 'commands', 'agents'] as const) {
      const listed = (manifest.value.artifacts?.[kind] ?? []).map((entry) => entry.name);
      for (const [index, artifact] of (extra.artifacts?.[kind] ?? []).entries()) {
        if (listed.includes(artifact)) continue;
        const message = `${artifact} is not in artifacts.${kind}`;
        yield error(
          manifest,
          ['extras', name, 'artifacts', kind, index],
          'unknown-artifact',
          message,
          suggest(artifact, listed, `artifacts.${kind}`),
        );
      }
    }
  }
}

function* dependencies(manifest: Located<Manifest>): Iterable<Diagnostic> {
  const { value } = manifest;
  for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'] as const) {
    if (own(value[kind], value.name) === undefined) continue;
    const message = `${value.name} depends on itself`;
    yield error(manifest, [kind, value.name], 'dependency-cycle', message, 'remove this line', 'key');
  }
  const known = Object.keys(value.dependencies ?? {});
  for (const name of Object.keys(value.permissionGrants ?? {})) {
    if (known.includes(name)) continue;
    yield error(
      manifest,
      ['permissionGrants', name],
      'unknown-dependency',
      `${name} is not in dependencies`,
      suggest(name, known, 'dependencies'),
      'key',
    );
  }
}

function* installModes(manifest: Located<Manifest>): Iterable<Diagnostic> {
  const { installMode } = manifest.value;
  const modes = typeof installMode === 'string' ? [['', installMode]] : Object.entries(installMode ?? {});
  for (const [platform = '', mode = ''] of modes) {
    yield* openWord(manifest, ['installMode', ...(platform ? [platform] : [])], mode, ['uaaps', 'plugin']);
  }
}
