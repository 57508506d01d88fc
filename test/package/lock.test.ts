import { describe, expect, it } from 'vitest';
import { CLEAN, findingsOf, MANIFEST } from '../helpers/package.ts';

interface Entry {
  version: string;
  dependencies?: Record<string, string>;
  source?: unknown;
}

function lockOf(resolved: Record<string, Entry>, fields: object = {}) {
  const entries = Object.entries(resolved).map(([name, { version, dependencies, source }]) => [
    name,
    {
      version,
      integrity: 'sha256-abc',
      source: source ?? { type: 'file', path: `../${name}` },
      dependencies,
    },
  ]);
  return { lockVersion: 2, resolved: Object.fromEntries(entries), ...fields };
}

function withLock(fields: object, lock: unknown): Promise<string[]> {
  return findingsOf({
    ...CLEAN,
    'package.agent.json': { ...MANIFEST, permissions: {}, ...fields },
    'package.agent.lock': lock as object,
  });
}

describe('the lock file', () => {
  it('is of version 2, or 1 with its sources as text', async () => {
    const fields = { dependencies: { base: '^1.0.0' } };
    const entry = { version: '1.0.0', integrity: 'sha256-abc', source: 'registry:base' };
    expect(await withLock(fields, { lockVersion: 1, resolved: { base: entry } })).toEqual([]);
    expect(await withLock(fields, { lockVersion: 2, resolved: { base: entry } })).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:7:17 wrong-type: resolved.base.source must be a map of keys, not a string ("registry:base")",
      ]
    `);
    expect(
      await withLock(fields, { lockVersion: 1, resolved: { base: { ...entry, source: {} } } }),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:7:17 wrong-type: resolved.base.source must be a string, not a map of keys",
      ]
    `);
    expect(await withLock(fields, { lockVersion: 3, resolved: {} })).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:2:18 wrong-value: lockVersion must be 1 or 2, not 3",
      ]
    `);
    expect(await withLock(fields, { resolved: {} })).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:1:1 missing-key: lockVersion is required (it must be 2)",
      ]
    `);
  });

  it('has entries of the right kind', async () => {
    const source = { type: 'registry', registry: 'x', name: 'base', version: '1.0.0' };
    expect(
      await withLock(
        {},
        {
          lockVersion: 2,
          resolved: {
            base: { version: '1', integrity: 'md5-x', source, dependencies: { util: '^1.0.0' } },
            'Bad Name': { version: '1.0.0' },
            util: { version: '1.0.0', integrity: 'sha256-a', source: { type: 'git', url: 'x' }, extra: 1 },
            bundled: {
              version: '1.0.0',
              integrity: 'sha256-a',
              source: { type: 'bundle', path: 'x', tarball: 'y' },
            },
          },
          groups: { a: 'yes' },
        },
      ),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:5:18 wrong-value: resolved.base.version must be a SemVer version such as 1.0.0, not "1"",
        "error package.agent.lock:6:20 wrong-value: resolved.base.integrity must be sha256-<hash>, not "md5-x"",
        "error package.agent.lock:7:17 missing-key: resolved.base.source.tarball is required",
        "error package.agent.lock:14:17 wrong-value: resolved.base.dependencies.util must be a SemVer version such as 1.0.0, not "^1.0.0"",
        "error package.agent.lock:17:5 wrong-key: resolved["Bad Name"]: the key must be name or @scope/name in lower case (a-z, 0-9, hyphens), each part 64 at most",
        "error package.agent.lock:24:17 wrong-value: resolved.util.source.type must be registry, file or bundle, not "git"",
        "warning package.agent.lock:27:7 unknown-key: resolved.util.extra is not a known field",
        "error package.agent.lock:32:17 missing-key: resolved.bundled.source.target is required",
        "warning package.agent.lock:35:9 unknown-key: resolved.bundled.source.tarball is not a known field",
        "error package.agent.lock:40:10 wrong-type: groups.a must be true or false, not a string ("yes")",
      ]
    `);
  });

  it('is in step with what the manifest asks for', async () => {
    const fields = {
      dependencies: { base: '^2.0.0', gone: '1.0.0', constructor: '*', pre: '^1.0.0', any: '*' },
      optionalDependencies: { maybe: '*', old: '^2.0.0' },
      peerDependencies: { host: '*', wrong: '^2.0.0' },
      dependencyGroups: { eval: { dependencies: { judge: '*' } }, docs: { dependencies: { writer: '*' } } },
      extras: { ocr: { dependencies: { ocr: '*' } } },
    };
    const lock = lockOf(
      {
        base: { version: '1.9.0' },
        pre: { version: '1.1.0-rc.1' },
        any: { version: '1.1.0-rc.1' },
        old: { version: '1.0.0' },
        wrong: { version: '1.0.0' },
        stray: { version: '1.0.0', dependencies: { strayed: '1.0.0' } },
        strayed: { version: '1.0.0' },
      },
      { groups: { eval: true, docs: false }, selectedExtras: { ocr: true } },
    );
    expect(await withLock(fields, lock)).toMatchInlineSnapshot(`
      [
        "error package.agent.json:6:13 lock-out-of-step: base ^2.0.0 is asked for, but 1.9.0 is locked (install again so that the lock is written anew)",
        "error package.agent.json:7:5 lock-out-of-step: gone is not in package.agent.lock (install again so that the lock is written anew)",
        "error package.agent.json:8:5 lock-out-of-step: constructor is not in package.agent.lock (install again so that the lock is written anew)",
        "error package.agent.json:9:12 lock-out-of-step: pre ^1.0.0 is asked for, but 1.1.0-rc.1 is locked (install again so that the lock is written anew)",
        "error package.agent.json:14:12 lock-out-of-step: old ^2.0.0 is asked for, but 1.0.0 is locked (install again so that the lock is written anew)",
        "warning package.agent.json:17:5 lock-out-of-step: host is not in package.agent.lock (install again so that the lock is written anew)",
        "warning package.agent.json:18:14 lock-out-of-step: wrong ^2.0.0 is asked for, but 1.0.0 is locked (install again so that the lock is written anew)",
        "error package.agent.json:23:9 lock-out-of-step: judge is not in package.agent.lock (install again so that the lock is written anew)",
        "error package.agent.json:35:9 lock-out-of-step: ocr is not in package.agent.lock (install again so that the lock is written anew)",
        "warning package.agent.lock:44:5 lock-out-of-step: stray is locked but nothing depends on it (install again so that the lock is written anew)",
        "warning package.agent.lock:55:5 lock-out-of-step: strayed is locked but nothing depends on it (install again so that the lock is written anew)",
      ]
    `);
  });

  it('is clean when it is in step', async () => {
    const fields = {
      dependencies: { base: '^1.0.0', any: '*' },
      optionalDependencies: { maybe: '*' },
      peerDependencies: { host: '>=1.0.0 <2.0.0' },
      dependencyGroups: { eval: { dependencies: { judge: '*' } }, docs: { dependencies: { writer: '*' } } },
    };
    const lock = lockOf(
      {
        base: { version: '1.9.0', dependencies: { leaf: '1.0.0' } },
        leaf: { version: '1.0.0' },
        any: { version: '2.0.0-rc.1' },
        host: { version: '1.5.0' },
        judge: { version: '1.0.0' },
      },
      { groups: { eval: true } },
    );
    expect(await withLock(fields, lock)).toEqual([]);
  });

  it('has what its own entries ask for, at the version they name', async () => {
    const lock = lockOf({
      base: { version: '1.0.0', dependencies: { leaf: '2.0.0', gone: '1.0.0', constructor: '1.0.0' } },
      leaf: { version: '1.0.0' },
      named: {
        version: '1.0.0',
        source: { type: 'registry', registry: 'x', name: 'other', version: '1.0.1', tarball: 'y' },
      },
    });
    expect(await withLock({ dependencies: { base: '*', named: '*' } }, lock)).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:12:17 lock-out-of-step: base wants leaf 2.0.0, locked is 1.0.0 (install again so that the lock is written anew)",
        "error package.agent.lock:13:9 lock-out-of-step: gone is not in the lock (install again so that the lock is written anew)",
        "error package.agent.lock:14:9 lock-out-of-step: constructor is not in the lock (install again so that the lock is written anew)",
        "error package.agent.lock:31:17 lock-out-of-step: named comes from a package called other (install again so that the lock is written anew)",
        "error package.agent.lock:32:20 lock-out-of-step: named is 1.0.0 but its source says 1.0.1 (install again so that the lock is written anew)",
      ]
    `);
  });

  it('obeys resolutions, which overrule what is asked for', async () => {
    const lock = lockOf({
      base: { version: '3.0.0', dependencies: { leaf: '1.0.0' } },
      leaf: { version: '1.0.0' },
    });
    const dependencies = { base: '^1.0.0' };
    expect(await withLock({ dependencies, resolutions: { base: '3.0.0' } }, lock)).toEqual([]);
    expect(
      await withLock({ dependencies, resolutions: { base: '^2.0.0', leaf: '2.0.0', none: '*' } }, lock),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:9:13 lock-out-of-step: base is to be ^2.0.0, but 3.0.0 is locked (install again so that the lock is written anew)",
        "error package.agent.json:10:13 lock-out-of-step: leaf is to be 2.0.0, but 1.0.0 is locked (install again so that the lock is written anew)",
        "error package.agent.json:11:5 unknown-dependency: none is not among the resolved packages (remove it, or install again)",
      ]
    `);
    expect(await withLock({ dependencies, resolutions: {} }, lock)).toHaveLength(1);
  });

  it('has no dependencies that go in a circle', async () => {
    const circle = lockOf({
      a: { version: '1.0.0', dependencies: { b: '1.0.0' } },
      b: { version: '1.0.0', dependencies: { c: '1.0.0' } },
      c: { version: '1.0.0', dependencies: { b: '1.0.0' } },
    });
    expect(await withLock({ dependencies: { a: '*' } }, circle)).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:23:9 dependency-cycle: the dependencies go in a circle: b → c → b (one of them must not depend on the next)",
      ]
    `);
    const self = lockOf({ a: { version: '1.0.0', dependencies: { a: '1.0.0' } } });
    expect(await withLock({ dependencies: { a: '*' } }, self)).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:12:9 dependency-cycle: the dependencies go in a circle: a → a (one of them must not depend on the next)",
      ]
    `);
    const throughUs = lockOf({ a: { version: '1.0.0', dependencies: { demo: '1.0.0' } } });
    expect(await withLock({ dependencies: { a: '*' } }, throughUs)).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:12:9 dependency-cycle: the dependencies go in a circle: a → demo → a (one of them must not depend on the next)",
      ]
    `);
    const diamond = lockOf({
      a: { version: '1.0.0', dependencies: { c: '1.0.0' } },
      b: { version: '1.0.0', dependencies: { c: '1.0.0' } },
      c: { version: '1.0.0' },
    });
    expect(await withLock({ dependencies: { a: '*', b: '*' } }, diamond)).toEqual([]);
  });

  it('is JSON even beside a manifest in YAML', async () => {
    const files = { ...CLEAN, 'package.agent.lock': 'lockVersion: 2\n' };
    expect(await findingsOf(files)).toMatchInlineSnapshot(`
      [
        "error package.agent.lock:1:1 syntax: this is not JSON (keys and text stand in double quotes)",
      ]
    `);
  });
});
