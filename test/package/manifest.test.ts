import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { CLEAN, type Files, findingsOf, MANIFEST, skillText, writePackage } from '../helpers/package.ts';

/** What is found in the small package when its manifest has these fields too. */
function withFields(fields: object, files: Files = {}): Promise<string[]> {
  const manifest = { ...MANIFEST, permissions: {}, ...fields };
  return findingsOf({ ...CLEAN, 'package.agent.json': manifest, ...files });
}

describe('the manifest', () => {
  it('needs a name and a version', async () => {
    expect(await withFields({ name: undefined, version: undefined })).toMatchInlineSnapshot(`
      [
        "error package.agent.json:1:1 missing-key: name is required",
        "error package.agent.json:1:1 missing-key: version is required",
      ]
    `);
  });

  it.each([
    ['a', true],
    ['a'.repeat(64), true],
    ['a'.repeat(65), false],
    ['a-b-9', true],
    ['9a', false],
    ['-a', false],
    ['A', false],
    ['a_b', false],
    ['a.b', false],
    ['@acme/a', true],
    ['@9_x-y/a', true],
    [`@${'s'.repeat(64)}/${'a'.repeat(64)}`, true],
    [`@${'s'.repeat(65)}/a`, false],
    ['@_x/a', false],
    ['@acme/9a', false],
    ['@acme', false],
    ['acme/a', false],
    ['', false],
  ])('may be called %s: %s', async (name, allowed) => {
    const found = await withFields({ name });
    expect(
      found.every((line) => line.startsWith('error package.agent.json:2:11 wrong-value: name must')),
    ).toBe(true);
    expect(found.length === 0).toBe(allowed);
  });

  it.each([
    ['1.0.0', true],
    ['0.0.0-alpha.1+build.2', true],
    ['1.0', false],
    ['v1.0.0', false],
    ['01.0.0', false],
    ['1.0.0-01', false],
    ['latest', false],
  ])('may have the version %s: %s', async (version, allowed) => {
    expect(await withFields({ version })).toEqual(
      allowed
        ? []
        : [
            `error package.agent.json:3:14 wrong-value: version must be a SemVer version such as 1.0.0, not "${version}"`,
          ],
    );
  });

  it.each([
    ['1.2.3', true],
    ['^1.2.3', true],
    ['~1.2.3', true],
    ['>=1.2.3', true],
    ['>1.2.3', true],
    ['<=1.2.3', true],
    ['<1.2.3-rc.1', true],
    ['>=1.0.0 <2.0.0', true],
    ['*', true],
    ['1.x', false],
    ['^1', false],
    ['1.0.0 - 2.0.0', false],
    ['^1.0.0 || ^2.0.0', false],
    ['<2.0.0 >=1.0.0', false],
    ['>=1.0.0  <2.0.0', false],
    ['=1.0.0', false],
    ['latest', false],
    ['', false],
  ])('may depend on the range %s: %s', async (range, allowed) => {
    const found = await withFields({ dependencies: { other: range } });
    expect(found.map((line) => line.split(': ')[0])).toEqual(
      allowed ? [] : ['error package.agent.json:6:14 wrong-value'],
    );
  });

  it('has fields of the right kind', async () => {
    expect(
      await withFields({
        description: 'x'.repeat(1025),
        author: { name: 'A' },
        repository: 'not a url',
        homepage: 3,
        keywords: ['a', 'b', 'a'],
        engines: { codex: 1 },
        files: 'skills',
        env: { 'A-B': { description: 'x' }, C: {} },
        quality: { tests: [{ name: 'x' }], evals: [{ name: 'x', metrics: [{ name: 'y' }] }] },
        resolverVersion: 2,
        deprecated: { message: 'x'.repeat(281) },
        'dist-tags': { latest: '1' },
        dependencyGroups: { eval: { description: 'x' }, 'A b': { dependencies: {} } },
        extras: { ocr: {} },
      }),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:5:18 wrong-value: description must be 1024 characters at most, not 1025",
        "error package.agent.json:6:13 wrong-type: author must be a string, not a map of keys",
        "error package.agent.json:9:17 wrong-value: repository must be a URL, not "not a url"",
        "error package.agent.json:10:15 wrong-type: homepage must be a string, not a number (3) (put it in quotes)",
        "error package.agent.json:11:15 wrong-value: keywords must not repeat a keyword",
        "error package.agent.json:17:14 wrong-type: engines.codex must be a string, not a number (1) (put it in quotes)",
        "error package.agent.json:19:12 wrong-type: files must be a list, not a string ("skills")",
        "error package.agent.json:21:5 wrong-key: env.A-B: the key must be a variable name: letters, digits and _",
        "error package.agent.json:24:10 missing-key: env.C.description is required",
        "error package.agent.json:28:7 missing-key: quality.tests[0].command is required",
        "error package.agent.json:33:7 missing-key: quality.evals[0].path is required",
        "error package.agent.json:36:11 missing-key: quality.evals[0].metrics[0].type is required",
        "error package.agent.json:43:22 wrong-value: resolverVersion must be 1, the only resolver version there is, not 2",
        "error package.agent.json:45:16 wrong-value: deprecated.message must be 280 characters at most, not 281",
        "error package.agent.json:48:15 wrong-value: dist-tags.latest must be a SemVer version such as 1.0.0, not "1"",
        "error package.agent.json:51:13 wrong-value: dependencyGroups.eval must have dependencies or systemDependencies",
        "error package.agent.json:54:5 wrong-key: dependencyGroups["A b"]: the key must start with a-z or 0-9 and hold only a-z, 0-9 and hyphens",
        "error package.agent.json:59:12 wrong-value: extras.ocr must have dependencies, systemDependencies, artifacts or permissions",
      ]
    `);
  });

  it('warns about fields it does not know, at the key, and says what was meant', async () => {
    expect(
      await withFields({
        descripton: 'x',
        licence: 'MIT',
        zzz: 1,
        systemDependencies: { nodejs: '1', packages: { gem: [] } },
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning package.agent.json:5:3 unknown-key: descripton is not a known field (did you mean description?)",
        "warning package.agent.json:6:3 unknown-key: licence is not a known field (did you mean license?)",
        "warning package.agent.json:7:3 unknown-key: zzz is not a known field",
        "warning package.agent.json:9:5 unknown-key: systemDependencies.nodejs is not a known field (did you mean systemDependencies.node?)",
        "warning package.agent.json:11:7 unknown-key: systemDependencies.packages.gem is not a known field",
      ]
    `);
  });

  it('leaves vendor keys alone when they hold a small map', async () => {
    expect(
      await withFields({
        'x-acme': { a: 1, b: 2, c: 3, d: 4, e: 5 },
        'x-big': { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 },
        'x-text': 'no',
        'x-list': [],
        'x-Bad_Name': {},
        'x-': {},
        [`x-${'a'.repeat(33)}`]: {},
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning package.agent.json:12:12 vendor-key: x-big has more than 5 keys (keep vendor settings small, or in a file of their own)",
        "error package.agent.json:20:13 vendor-key: x-text must be a map of keys",
        "error package.agent.json:21:13 vendor-key: x-list must be a map of keys",
        "error package.agent.json:22:3 vendor-key: x-Bad_Name must be x- and 1 to 32 of a-z, 0-9 and hyphens",
        "error package.agent.json:23:3 vendor-key: x- must be x- and 1 to 32 of a-z, 0-9 and hyphens",
        "error package.agent.json:24:3 vendor-key: x-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa must be x- and 1 to 32 of a-z, 0-9 and hyphens",
      ]
    `);
    expect(await withFields({ 'x-acme': { a: 1 }, [`x-${'a'.repeat(32)}`]: {} })).toEqual([]);
  });

  it('warns about words it does not know where more may come', async () => {
    expect(await withFields({ installMode: 'plugn' })).toMatchInlineSnapshot(`
      [
        "warning package.agent.json:5:18 unknown-value: "plugn" is not known here (did you mean plugin?)",
      ]
    `);
    expect(await withFields({ installMode: { default: 'uaaps', codex: 'global' } })).toMatchInlineSnapshot(`
      [
        "warning package.agent.json:7:14 unknown-value: "global" is not known here (known: uaaps, plugin)",
      ]
    `);
    expect(await withFields({ installMode: 3 })).toMatchInlineSnapshot(`
      [
        "error package.agent.json:5:18 wrong-type: installMode must be a string or a map of keys, not a number (3)",
      ]
    `);
    expect(await withFields({ installMode: { default: 'uaaps', codex: 'plugin' } })).toEqual([]);
  });

  it('publishes patterns inside the package', async () => {
    expect(
      await withFields({ files: ['skills/**', '!secret', '/etc/*', '../x', 'a\\b'] }),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:7:5 files-glob: the pattern "!secret" must not begin with "!" (patterns name what is published, relative to the package)",
        "error package.agent.json:8:5 files-glob: the pattern "/etc/*" is absolute (patterns name what is published, relative to the package)",
        "error package.agent.json:9:5 files-glob: the pattern "../x" leads outside with ".." (patterns name what is published, relative to the package)",
        "error package.agent.json:10:5 files-glob: the pattern "a\\\\b" has a backslash: use forward slashes (patterns name what is published, relative to the package)",
      ]
    `);
  });

  it('has tags that cannot be taken for versions', async () => {
    expect(
      await withFields({ 'dist-tags': { latest: '1.0.0', 'Not Good': '1.0.0', '1.0.0': '1.0.0' } }),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:7:5 dist-tag: the tag "Not Good" must be 1 to 32 of a-z, 0-9 and hyphens",
        "error package.agent.json:8:5 dist-tag: the tag "1.0.0" must be 1 to 32 of a-z, 0-9 and hyphens",
      ]
    `);
  });

  it('does not depend on itself', async () => {
    expect(
      await withFields({
        dependencies: { demo: '*' },
        optionalDependencies: { demo: '*' },
        peerDependencies: { demo: '*' },
      }),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:6:5 dependency-cycle: demo depends on itself (remove this line)",
        "error package.agent.json:9:5 dependency-cycle: demo depends on itself (remove this line)",
        "error package.agent.json:12:5 dependency-cycle: demo depends on itself (remove this line)",
      ]
    `);
    expect(await withFields({ name: 'constructor', dependencies: {} })).toEqual([]);
  });

  it('grants permissions to dependencies only', async () => {
    expect(
      await withFields({
        dependencies: { base: '*' },
        permissionGrants: { bas: {}, base: {}, constructor: {} },
      }),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:9:5 unknown-dependency: bas is not in dependencies (did you mean base?)",
        "error package.agent.json:11:5 unknown-dependency: constructor is not in dependencies (there is: base)",
      ]
    `);
  });

  it('has extras made of registered artifacts', async () => {
    const artifacts = { skills: [{ name: 'echo', path: 'skills/echo' }] };
    expect(
      await withFields({
        artifacts,
        extras: { ocr: { artifacts: { skills: ['ecko', 'echo'], commands: ['run'] } } },
      }),
    ).toMatchInlineSnapshot(`
      [
        "error package.agent.json:17:11 unknown-artifact: ecko is not in artifacts.skills (did you mean echo?)",
        "error package.agent.json:21:11 unknown-artifact: run is not in artifacts.commands (the package has no artifacts.commands)",
      ]
    `);
    expect(await withFields({ artifacts, extras: { ocr: { artifacts: { skills: ['echo'] } } } })).toEqual([]);
  });

  it('names evals that are there', async () => {
    const quality = (path: string) => ({ quality: { evals: [{ name: 'x', path }] } });
    const files = { 'evals/cases/a.yaml': 'name: a\ninput: {prompt: Hi}\njudge: {criteria: Good}\n' };
    expect(await withFields(quality('evals/cases/b.yaml'), files)).toMatchInlineSnapshot(`
      [
        "error package.agent.json:9:17 missing-file: evals/cases/b.yaml does not exist (did you mean evals/cases/a.yaml?)",
      ]
    `);
    expect(await withFields(quality('evals/cases'), files)).toMatchInlineSnapshot(`
      [
        "error package.agent.json:9:17 not-a-file: evals/cases is a folder, not a file",
      ]
    `);
    expect(await withFields(quality('./evals/cases/a.yaml'), files)).toEqual([]);
  });
});

describe('the file of the manifest', () => {
  const skill = { 'skills/echo/SKILL.md': skillText('echo') };

  it('may be YAML, within what JSON can say', async () => {
    const yaml = 'name: demo\nversion: 1.0.0\npermissions: {}\n';
    expect(await findingsOf({ ...skill, 'package.agent.yaml': yaml })).toEqual([]);
    expect(await findingsOf({ ...skill, 'package.agent.yml': yaml })).toEqual([]);
    const beyond = 'name: &n demo\nversion: !!str 1.0.0\ncategory: *n\npermissions: {}\nname: demo\n';
    expect(await findingsOf({ ...skill, 'package.agent.yaml': beyond })).toMatchInlineSnapshot(`
      [
        "error package.agent.yaml:1:10 yaml-subset: anchors are not allowed here (write the value out)",
        "error package.agent.yaml:2:16 yaml-subset: tags are not allowed here (write the value out)",
        "error package.agent.yaml:3:11 yaml-subset: aliases are not allowed here (write the value out)",
        "error package.agent.yaml:5:1 duplicate-key: the key "name" is there twice (remove one of them)",
      ]
    `);
  });

  it('is JSON when both are there', async () => {
    const files = { ...CLEAN, 'package.agent.yaml': 'name: other\n', 'package.agent.yml': 'name: third\n' };
    expect(await findingsOf(files)).toMatchInlineSnapshot(`
      [
        "warning package.agent.yaml two-manifests: is not read, because package.agent.json is there too (keep one of them)",
        "warning package.agent.yml two-manifests: is not read, because package.agent.json is there too (keep one of them)",
      ]
    `);
    await using pkg = await writePackage(files);
    expect(await readPackage(pkg.root)).toMatchObject({
      name: 'demo',
      manifest: { file: 'package.agent.json' },
    });
  });

  it('may begin with a byte order mark and have the line ends of Windows', async () => {
    const text =
      '\ufeff{\r\n  "name": "demo",\r\n  "versoin": "1.0.0",\r\n  "version": "1",\r\n  "permissions": {}\r\n}\r\n';
    expect(await findingsOf({ ...skill, 'package.agent.json': text })).toMatchInlineSnapshot(`
      [
        "warning package.agent.json:3:3 unknown-key: versoin is not a known field (did you mean version?)",
        "error package.agent.json:4:14 wrong-value: version must be a SemVer version such as 1.0.0, not "1"",
      ]
    `);
  });

  it('may be no JSON at all: the rest is still read', async () => {
    const files = {
      'package.agent.json': '{\n  "name": "demo",\n}\n',
      'skills/echo/SKILL.md': skillText('Echo'),
    };
    expect(await findingsOf(files)).toMatchInlineSnapshot(`
      [
        "error package.agent.json:3:1 syntax: there is a comma too many before this }",
        "error skills/echo/SKILL.md:2:7 wrong-value: name must hold only a-z, 0-9 and hyphens, 1 to 64 of them, not "Echo"",
      ]
    `);
    expect(await findingsOf({ ...files, 'package.agent.json': '' })).toHaveLength(2);
  });
});
