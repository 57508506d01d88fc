/** The lock file is in step with the manifest, and its graph has no cycle. */
import satisfies from 'semver/functions/satisfies.js';
import type { Diagnostic, Located } from '../../model/diagnostic.ts';
import type { Lock } from '../../model/lock.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { AgentPackage } from '../../model/package.ts';
import { findCycle } from '../graph.ts';
import { error, warning } from './report.ts';

const RELOCK = 'install again so that the lock is written anew';

export function* lockRules({ lock, manifest }: AgentPackage): Iterable<Diagnostic> {
  if (!lock) return;
  const resolved = lock.value.resolved;
  const edges = new Map(
    Object.entries(resolved).map(([name, entry]) => [name, Object.keys(entry.dependencies ?? {})]),
  );
  const cycle = findCycle(edges);
  if (cycle) {
    yield error(
      lock,
      ['resolved', cycle[0] ?? ''],
      'dependency-cycle',
      `the dependencies go in a circle: ${cycle.join(' → ')}`,
    );
  }
  yield* entries(lock);
  if (manifest) yield* againstManifest(lock, manifest, edges);
}

/** Each entry's own dependencies are in the lock, at the very version it names. */
function* entries(lock: Located<Lock>): Iterable<Diagnostic> {
  for (const [name, entry] of Object.entries(lock.value.resolved)) {
    for (const [dependency, wanted] of Object.entries(entry.dependencies ?? {})) {
      const locked = lock.value.resolved[dependency];
      const at = ['resolved', name, 'dependencies', dependency];
      if (!locked) yield error(lock, at, 'lock-out-of-step', `${dependency} is not in the lock`, RELOCK);
      else if (locked.version !== wanted) {
        yield error(
          lock,
          at,
          'lock-out-of-step',
          `${name} wants ${dependency} ${wanted}, locked is ${locked.version}`,
          RELOCK,
        );
      }
    }
    const { source } = entry;
    if (typeof source !== 'object' || source.type !== 'registry') continue;
    if (source.name !== name) {
      yield error(
        lock,
        ['resolved', name, 'source', 'name'],
        'lock-out-of-step',
        `${name} comes from a package called ${source.name}`,
      );
    }
    if (source.version !== entry.version) {
      yield error(
        lock,
        ['resolved', name, 'source', 'version'],
        'lock-out-of-step',
        `${name} is ${entry.version} but its source says ${source.version}`,
      );
    }
  }
}

function* againstManifest(
  lock: Located<Lock>,
  manifest: Located<Manifest>,
  edges: ReadonlyMap<string, readonly string[]>,
): Iterable<Diagnostic> {
  const { value } = manifest;
  const { resolved } = lock.value;
  const wanted = requirements(value, lock.value);
  for (const { name, range, at, optional } of wanted) {
    const entry = resolved[name];
    const effective = value.resolutions?.[name] ?? range;
    if (!entry) {
      if (!optional)
        yield error(manifest, at, 'lock-out-of-step', `${name} is not in package.agent.lock`, RELOCK);
    } else if (effective !== '*' && !satisfies(entry.version, effective)) {
      yield error(
        manifest,
        at,
        'lock-out-of-step',
        `${name} ${effective} is asked for, but ${entry.version} is locked`,
        RELOCK,
      );
    }
  }
  const needed = reachable(
    wanted.map(({ name }) => name),
    edges,
  );
  for (const name of Object.keys(resolved)) {
    if (!needed.has(name))
      yield warning(
        lock,
        ['resolved', name],
        'lock-out-of-step',
        `${name} is locked but nothing depends on it`,
        RELOCK,
      );
  }
  for (const name of Object.keys(value.resolutions ?? {})) {
    if (!resolved[name])
      yield error(
        manifest,
        ['resolutions', name],
        'unknown-dependency',
        `${name} is not among the resolved packages`,
      );
  }
}

/** What the manifest asks for, with the groups and extras that the lock says are selected. */
function requirements(manifest: Manifest, lock: Lock) {
  const list = (map: Readonly<Record<string, string>> | undefined, at: readonly string[], optional = false) =>
    Object.entries(map ?? {}).map(([name, range]) => ({ name, range, at: [...at, name], optional }));
  const chosen = (
    kind: 'dependencyGroups' | 'extras',
    selected: Readonly<Record<string, boolean>> | undefined,
  ) =>
    Object.entries(manifest[kind] ?? {}).flatMap(([name, it]) =>
      list(it.dependencies, [kind, name, 'dependencies'], selected?.[name] !== true),
    );
  return [
    ...list(manifest.dependencies, ['dependencies']),
    ...list(manifest.optionalDependencies, ['optionalDependencies'], true),
    ...list(manifest.peerDependencies, ['peerDependencies'], true),
    ...chosen('dependencyGroups', lock.groups),
    ...chosen('extras', lock.selectedExtras),
  ];
}

function reachable(roots: readonly string[], edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>();
  const queue = [...roots];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(edges.get(name) ?? []));
  }
  return seen;
}
