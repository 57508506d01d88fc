/** The manifest's own promises: what it lists exists, and its parts agree with each other. */
import type { Diagnostic, Located } from '../../model/diagnostic.ts';
import type { Manifest } from '../../model/manifest.ts';
import { pathProblem } from '../../model/names.ts';
import type { AgentPackage } from '../../model/package.ts';
import { error, insidePath, suggest } from './report.ts';

export function* manifestRules(pkg: AgentPackage): Iterable<Diagnostic> {
  const { manifest } = pkg;
  if (!manifest) return;
  yield* listedNames(manifest, pkg);
  yield* extras(manifest);
  yield* dependencies(manifest);
  yield* quality(manifest, pkg);
  for (const [index, glob] of (manifest.value.files ?? []).entries()) {
    const problem = glob.startsWith('!') ? 'must not begin with "!"' : pathProblem(glob);
    if (problem)
      yield error(manifest, ['files', index], 'files-glob', `the pattern ${JSON.stringify(glob)} ${problem}`);
  }
  for (const [tag] of Object.entries(manifest.value.distTags ?? {})) {
    if (!/^[a-z0-9-]{1,32}$/.test(tag)) {
      yield error(manifest, ['dist-tags', tag], 'dist-tag', `${tag} must be 1 to 32 of a-z, 0-9 and hyphens`);
    }
  }
}

/** An artifact is registered under the name it calls itself. */
function* listedNames(manifest: Located<Manifest>, pkg: AgentPackage): Iterable<Diagnostic> {
  const actual = { skills: pkg.skills, commands: pkg.commands, agents: pkg.agents };
  for (const kind of ['skills', 'commands', 'agents'] as const) {
    for (const [index, entry] of (manifest.value.artifacts?.[kind] ?? []).entries()) {
      const names = actual[kind].map(({ name }) => name);
      const there = actual[kind].find(({ file }) => file.startsWith(entry.path.replace(/^\.\//, '')));
      if (there && !names.includes(entry.name)) {
        yield error(
          manifest,
          ['artifacts', kind, index, 'name'],
          'name-mismatch',
          `${entry.name} is called ${there.name} in ${there.file}`,
        );
      }
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
    if (value[kind]?.[value.name]) {
      yield error(
        manifest,
        [kind, value.name],
        'dependency-cycle',
        `${value.name} depends on itself`,
        'remove this line',
      );
    }
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
    );
  }
}

function* quality(manifest: Located<Manifest>, { files }: AgentPackage): Iterable<Diagnostic> {
  for (const [index, { path: written }] of (manifest.value.quality?.evals ?? []).entries()) {
    const at = ['quality', 'evals', index, 'path'];
    const checked = insidePath(manifest, at, written);
    if ('problem' in checked) yield checked.problem;
    else if (!files.has(checked.path))
      yield error(manifest, at, 'missing-file', `${checked.path} does not exist`);
  }
}
