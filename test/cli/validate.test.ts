import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validationReport } from '../../src/model/validation-report.ts';
import { aam } from '../helpers/cli.ts';
import { type Files, MANIFEST, skillText, writePackage } from '../helpers/package.ts';

const TIDY: Files = { 'package.agent.json': MANIFEST, 'skills/echo/SKILL.md': skillText('echo') };

const BROKEN: Files = {
  'package.agent.json': '{\n  "name": "Demo",\n  "version": "1"\n}\n',
  'skills/echo/SKILL.md': '---\nname: echo\n---\nBody.\n',
  'hooks/hooks.json':
    '{\n  "version": 1,\n  "hooks": {\n    "pre-tool-use": [\n      { "matcher": "(", "hooks": [{ "type": "command", "command": "hooks/scripts/gaurd.sh" }] }\n    ]\n  }\n}\n',
  'hooks/scripts/guard.sh!': '#!/bin/sh\n',
  'evals/cases/a.yaml':
    'name: a\ntarget: skill:ecko\ninput:\n  prompt: Hi\nexpected:\n  contians: [x]\njudge:\n  criteria: Fine\n',
};

describe('aam validate', () => {
  it('is quiet about a tidy minimal package, also when strict', async () => {
    await using pkg = await writePackage(TIDY);
    expect(await aam(['validate', '--strict'], { cwd: pkg.root })).toEqual({
      code: 0,
      stdout: '✓ demo 1.0.0: no problems in 2 files\n',
      stderr: '',
    });
  });

  it('tells everything at once, each with its place and what to do', async () => {
    await using pkg = await writePackage(BROKEN);
    const { code, stdout } = await aam(['validate'], { cwd: pkg.root });
    expect(code).toBe(1);
    expect(stdout).toMatchInlineSnapshot(`
      "error: evals/cases/a.yaml:2:9: there is no skill ecko in this package
        did you mean echo?
      error: hooks/hooks.json:5:20: the matcher does not compile: /(/: Unterminated group
      error: hooks/hooks.json:5:67: hooks/scripts/gaurd.sh does not exist
        did you mean hooks/scripts/guard.sh?
      error: package.agent.json:2:11: name must be name or @scope/name in lower case (a-z, 0-9, hyphens), each part 64 at most, not "Demo"
      error: package.agent.json:3:14: version must be a SemVer version such as 1.0.0, not "1"
      error: skills/echo/SKILL.md:2:1: description is required
      warning: evals/cases/a.yaml:6:3: expected.contians is not a known field
        did you mean expected.contains?

      ✗ Demo 1: 6 errors and 1 warning in 5 files
      "
    `);
  });

  it('prints errors and warnings for machines', async () => {
    await using pkg = await writePackage(BROKEN);
    const { code, stdout } = await aam(['validate', '--json'], { cwd: pkg.root });
    expect(code).toBe(1);
    const report = validationReport.parse(JSON.parse(stdout));
    expect(report).toMatchObject({ ok: false, packages: [{ root: pkg.root }] });
    expect(report.errors.map(({ rule }) => rule)).toContain('bad-regex');
    expect(report.warnings).toContainEqual({
      severity: 'warning',
      rule: 'unknown-key',
      file: 'evals/cases/a.yaml',
      line: 6,
      column: 3,
      message: 'expected.contians is not a known field',
      hint: 'did you mean expected.contains?',
    });
  });

  it('lets warnings pass unless strict', async () => {
    await using pkg = await writePackage({ ...TIDY, 'package.agent.json': { ...MANIFEST, descripton: 'x' } });
    expect(await aam(['validate'], { cwd: pkg.root })).toMatchObject({ code: 0 });
    expect(await aam(['validate', '--strict'], { cwd: pkg.root })).toMatchObject({ code: 1 });
  });

  it('looks at a part of a package when asked to', async () => {
    await using pkg = await writePackage(BROKEN);
    const file = await aam(['validate', 'evals/cases/a.yaml'], { cwd: pkg.root });
    expect(
      file.stdout.match(/^(error|warning): \S+:/gm)?.every((it) => it.includes('evals/cases/a.yaml')),
    ).toBe(true);
    const folder = await aam(['validate', 'skills'], { cwd: pkg.root });
    expect(folder).toMatchObject({ code: 1 });
    expect(folder.stdout).not.toContain('hooks.json');
    const inside = await aam(['validate', '.'], { cwd: join(pkg.root, 'skills/echo') });
    expect(inside.stdout).toContain('error: SKILL.md:2:1: description is required');
  });

  it('does not call a skill clean that the package around it never reads', async () => {
    await using pkg = await writePackage({ ...TIDY, 'extra/SKILL.md': '---\nnam: BAD\n---\n' });
    for (const args of [['extra'], ['extra/SKILL.md']]) {
      const { code, stdout } = await aam(['validate', ...args], { cwd: pkg.root });
      expect(code).toBe(1);
      expect(stdout).toContain('error: extra/SKILL.md:2:1: name is required');
    }
    expect((await aam(['validate', 'skills/echo'], { cwd: pkg.root })).stdout).toBe(
      '✓ demo 1.0.0: no problems in 1 file\n',
    );
  });

  it('checks several packages, and for circles between them', async () => {
    await using pkg = await writePackage({
      'a/package.agent.json': { name: 'a', version: '1.0.0', dependencies: { b: '^1.0.0' } },
      'b/package.agent.json': { name: 'b', version: '1.0.0', dependencies: { a: '^1.0.0' } },
    });
    const { code, stdout } = await aam(['validate', 'a', 'b'], { cwd: pkg.root });
    expect(code).toBe(1);
    expect(stdout).toContain('depend on each other in a circle: a → b → a');
    expect((await aam(['validate', 'a'], { cwd: pkg.root })).code).toBe(0);
  });

  it('runs the permission audit alone', async () => {
    await using pkg = await writePackage({
      ...BROKEN,
      'package.agent.json': {
        ...MANIFEST,
        permissions: { shell: { allow: true }, network: { hosts: ['*'] } },
      },
    });
    const { code, stdout } = await aam(['validate', '--permissions'], { cwd: pkg.root });
    expect(code).toBe(0);
    expect(stdout).toContain('any program may be run');
    expect(stdout).toContain('"*" allows every host');
    expect(stdout).not.toContain('error');
    await using none = await writePackage(TIDY);
    expect((await aam(['validate', '--permissions'], { cwd: none.root })).stdout).toContain(
      'no permissions are declared',
    );
    expect((await aam(['validate', '--permissions', '--strict'], { cwd: none.root })).code).toBe(1);
  });

  it.each([
    [['validate', 'no/such/path'], 'no/such/path does not exist'],
    [['validate', '--stric'], '(Did you mean --strict?)'],
    [['validate', '/'], 'is not a package'],
    [['validate', '-C', '/no/such/folder'], 'there is no such folder'],
  ])('what cannot be run is an error: %j', async (args, message) => {
    const result = await aam(args, { cwd: tmpdir() });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});
