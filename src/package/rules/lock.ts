/** The lock file is in step with the manifest, and its graph has no cycle. */
import satisfies from 'semver/functions/satisfies.js';
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import type { Lock } from '../../model/lock.ts';
import type { Manifest } from '../../model/manifest.ts';
import { own } from '../../model/own.ts';
import type { AgentPackage } from '../../model/package.ts';
import { findCycle } from '../graph.ts';
import { error, hasErrors, warning } from './report.ts';

const RELOCK = 'install again so that the lock is written anew';

export function* lockRules(pkg: AgentPackage): Iterable<Diagnostic> {
  const { lock } = pkg;
  if (!lock) return;
  // Of a manifest with mistakes something may be missing: it is no measure for the lock.
  const manifest = hasErrors(pkg, pkg.manifestFile) ? null : pkg.manifest;
  const edges = new Map(
    Object.entries(lock.value.resolved).map(([name, entry]) => [name, Object.keys(entry.dependencies ?? {})]),
  );
  const root = manifest?.value.name;
  if (manifest) {
    const { name, dependencies } = manifest.value;
    // That the package depends on itself is for the manifest's rules to say.
    edges.set(
      name,
      Object.keys(dependencies ?? {}).filter((it) => it !== name),
    );
  }
  const cycle = findCycle(edges);
  if (cycle) yield circle(lock, cycle, root);
  yield* entries(lock, root);
  if (manifest) yield* againstManifest(lock, manifest, edges);
}

/** Shown at an edge that stands in the lock: the first, unless it is the manifest's own. */
function circle(lock: Located<Lock>, cycle: readonly string[], root: string | undefined): Diagnostic {
  const [from = '', to = ''] = cycle[0] === root ? cycle.slice(1) : cycle;
  const message = `the dependencies go in a circle: ${cycle.join(' → ')}`;
  const at = ['resolved', from, 'dependencies', to];
  return error(lock, at, 'dependency-cycle', message, 'one of them must not depend on the next', 'key');
}

/** Each entry's own dependencies are in the lock, at the very version it names. */
function* entries(lock: Located<Lock>, root: string | undefined): Iterable<Diagnostic> {
  for (const [name, entry] of Object.entries(lock.value.resolved)) {
    for (const [dependency, wanted] of Object.entries(entry.dependencies ?? {})) {
      if (dependency === root) continue;
      const locked = own(lock.value.resolved, dependency);
      const at = ['resolved', name, 'dependencies', dependency];
      if (!locked) {
        yield error(lock, at, 'lock-out-of-step', `${dependency} is not in the lock`, RELOCK, 'key');
      } else if (locked.version !== wanted) {
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
        RELOCK,
      );
    }
    if (source.version !== entry.version) {
      yield error(
        lock,
        ['resolved', name, 'source', 'version'],
        'lock-out-of-step',
        `${name} is ${entry.version} but its source says ${source.version}`,
        RELOCK,
      );
    }
  }
}

function* againstManifest(
  lock: Located<Lock>,
  manifest: Located<Manifest>,
  edges: ReadonlyMap<string, readonly string[]>,
): Iterable<Diagnostic> {
  const { resolved } = lock.value;
  const { resolutions } = manifest.value;
  const wanted = requirements(manifest.value, lock.value);
  for (const { name, range, at, need } of wanted) {
    const say = need === 'peer' ? warning : error;
    const entry = own(resolved, name);
    if (!entry) {
      const message = `${name} is not in package.agent.lock`;
      if (need !== 'optional') yield say(manifest, at, 'lock-out-of-step', message, RELOCK, 'key');
      // A resolution overrules the range, and is looked at below.
    } else if (own(resolutions, name) === undefined && !allows(range, entry.version)) {
      const message = `${name} ${range} is asked for, but ${entry.version} is locked`;
      yield say(manifest, at, 'lock-out-of-step', message, RELOCK);
    }
  }
  for (const [name, range] of Object.entries(resolutions ?? {})) {
    const entry = own(resolved, name);
    const at = ['resolutions', name];
    if (!entry) {
      const message = `${name} is not among the resolved packages`;
      yield error(manifest, at, 'unknown-dependency', message, 'remove it, or install again', 'key');
    } else if (!allows(range, entry.version)) {
      const message = `${name} is to be ${range}, but ${entry.version} is locked`;
      yield error(manifest, at, 'lock-out-of-step', message, RELOCK);
    }
  }
  const needed = reachable(
    wanted.map(({ name }) => name),
    edges,
  );
  for (const name of Object.keys(resolved)) {
    if (needed.has(name)) continue;
    const message = `${name} is locked but nothing depends on it`;
    yield warning(lock, ['resolved', name], 'lock-out-of-step', message, RELOCK, 'key');
  }
}

/** npm's rules, except that `*` takes in prereleases. */
function allows(range: string, version: string): boolean {
  return range === '*' || satisfies(version, range);
}

interface Requirement {
  readonly name: string;
  readonly range: string;
  readonly at: Path;
  readonly need: 'required' | 'optional' | 'peer';
}

/** What the manifest asks for, with the groups and extras that the lock says are selected. */
function requirements(manifest: Manifest, lock: Lock): Requirement[] {
  const list = (
    map: Readonly<Record<string, string>> | undefined,
    at: Path,
    need: Requirement['need'] = 'required',
  ) => Object.entries(map ?? {}).map(([name, range]) => ({ name, range, at: [...at, name], need }));
  const chosen = (
    kind: 'dependencyGroups' | 'extras',
    selected: Readonly<Record<string, boolean>> | undefined,
  ) =>
    Object.entries(manifest[kind] ?? {}).flatMap(([name, it]) =>
      list(it.dependencies, [kind, name, 'dependencies'], own(selected, name) ? 'required' : 'optional'),
    );
  return [
    ...list(manifest.dependencies, ['dependencies']),
    ...list(manifest.optionalDependencies, ['optionalDependencies'], 'optional'),
    ...list(manifest.peerDependencies, ['peerDependencies'], 'peer'),
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
