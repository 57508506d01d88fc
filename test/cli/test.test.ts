import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type TestReport, testReport } from '../../src/model/test-report.ts';
import { aam, startAam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type Files, MANIFEST, skillText, writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';

const CASES = 'skills/echo/tests/cases';
const ECHO: Files = { 'package.agent.json': MANIFEST, 'skills/echo/SKILL.md': skillText('echo') };

/** A skill case that runs a command; JSON is YAML too. */
function skillCase(name: string, command: string, expected: object = {}, input: object = {}): object {
  return { name, input: { command, ...input }, expected };
}

async function report(args: readonly string[], root: string): Promise<TestReport> {
  const { stdout } = await aam(['test', '--json', ...args], { cwd: root });
  return testReport.parse(JSON.parse(stdout));
}

const verdicts = (it: TestReport) =>
  Object.fromEntries(it.packages.flatMap((pkg) => pkg.cases.map((one) => [one.name, one.verdict])));

describe('aam test: skill cases', () => {
  it('decides every kind of expectation', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/a.yaml`]: skillCase('exit-default', 'true'),
      [`${CASES}/b.yaml`]: skillCase('exit-default-fails', 'exit 3'),
      [`${CASES}/c.yaml`]: skillCase('exit-given', 'exit 3', { 'exit-code': 3 }),
      [`${CASES}/d.yaml`]: skillCase('stdout', 'echo one two', { 'stdout-contains': ['one', 'two'] }),
      [`${CASES}/e.yaml`]: skillCase('stdout-fails', 'echo one >&2', { 'stdout-contains': ['one'] }),
      [`${CASES}/f.yaml`]: skillCase('stderr', 'echo one >&2', { 'stderr-contains': ['one'] }),
      [`${CASES}/g.yaml`]: skillCase('not-in-stderr', 'echo ERROR >&2', { 'not-contains': ['ERROR'] }),
      [`${CASES}/h.yaml`]: skillCase('not-in-stdout', 'echo ERROR', { 'not-contains': ['ERROR'] }),
      [`${CASES}/i.yaml`]: skillCase('json', `echo '{"a":[1],"b":2}'`, { 'stdout-json': { a: [1] } }),
      [`${CASES}/j.yaml`]: skillCase('json-fails', `echo '{"a":[1,2]}'`, { 'stdout-json': { a: [1] } }),
      [`${CASES}/k.yaml`]: skillCase('stdin', 'cat', { 'stdout-contains': ['given'] }, { stdin: 'given' }),
      [`${CASES}/l.yaml`]: skillCase(
        'no-stdin',
        'cat; echo end',
        { 'stdout-contains': ['end'] },
        { stdin: null },
      ),
    });
    const result = await report([], pkg.root);
    expect(verdicts(result)).toEqual({
      'exit-default': 'PASS',
      'exit-default-fails': 'FAIL',
      'exit-given': 'PASS',
      stdout: 'PASS',
      'stdout-fails': 'FAIL',
      stderr: 'PASS',
      'not-in-stderr': 'FAIL',
      'not-in-stdout': 'FAIL',
      json: 'PASS',
      'json-fails': 'FAIL',
      stdin: 'PASS',
      'no-stdin': 'PASS',
    });
    expect(result).toMatchObject({
      exit_code: 1,
      summary: { total: 12, passed: 7, failed: 5, skipped: 0, invalid: 0 },
    });
  });

  it('runs in the skill’s folder, with the environment it says and no other', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      'skills/echo/tests/test-config.json': { version: 1, env: { MODE: 'test mode', HOME: '/tmp' } },
      [`${CASES}/a.yaml`]: skillCase('env', 'pwd; env | sort', { 'stdout-contains': [] }),
    });
    const { stdout } = await aam(['test', '--json'], { cwd: pkg.root, env: { SECRET_KEY: 'sk-fake' } });
    const lines =
      (JSON.parse(stdout) as TestReport).packages[0]?.cases[0]?.runs[0]?.stdout.trim().split('\n') ?? [];
    const names = lines.filter((line) => line.includes('=')).map((line) => line.split('=')[0]);
    expect(lines[0]).toBe('/package/skills/echo');
    expect(names.sort()).toEqual([
      'HOME',
      'LANG',
      'MODE',
      'PACKAGE_ROOT',
      'PATH',
      'PWD',
      'TMPDIR',
      'TZ',
      'USER',
    ]);
    expect(lines).toContain('MODE=test mode');
    expect(lines).toContain('HOME=/tmp');
  });

  it('shows command, expectation, difference, output and the line', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/01-pages.yaml`]: [
        'name: counts-pages',
        'input:',
        `  command: echo '{"pages":3,"title":"x"}'; echo trouble >&2; exit 4`,
        'expected:',
        '  stdout-json:',
        '    pages: 2',
        '',
      ].join('\n'),
    });
    const { code, stdout } = await aam(['test'], { cwd: pkg.root });
    expect(code).toBe(1);
    expect(stdout.replace(/[\d.]+ m?s/g, 'N ms')).toMatchInlineSnapshot(`
      "✗ skill:echo  counts-pages  01-pages  N ms

       FAIL  skill:echo counts-pages  skills/echo/tests/cases/01-pages.yaml:5:3
        ✗ exit-code: expected exit code 0, got 4
        ✗ stdout-json: stdout differs at pages: expected 2, got 3
            - expected  + actual
             {
            -  "pages": 2
            +  "pages": 3
             }
        $ echo '{"pages":3,"title":"x"}'; echo trouble >&2; exit 4  (in skills/echo; exit code 4; N ms)
        stdout
          │ {"pages":3,"title":"x"}
        stderr
          │ trouble

      1 failed in N ms
      "
    `);
  });

  it('never lets output act on the terminal', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/a.yaml`]: skillCase('nasty', `printf '\\033[2J\\007\\033]0;x\\007'; exit 1`),
    });
    const { stdout } = await aam(['test'], { cwd: pkg.root });
    expect(stdout).toContain('␛[2J␇');
    expect([...stdout].some((char) => char < ' ' && char !== '\n')).toBe(false);
  });
});

describe('aam test: isolation', () => {
  it('keeps the package as it is and shows no case another’s leftovers', async () => {
    const change =
      'ls; echo changed >> SKILL.md; touch left; rm -rf tests; touch "$PACKAGE_ROOT/at-root"; ls "$PACKAGE_ROOT"';
    const files: Record<string, object> = {};
    for (let index = 0; index < 12; index++) {
      files[`${CASES}/${index}.yaml`] = skillCase(`case-${index}`, change, {
        'not-contains': ['left', 'at-root\n'],
      });
    }
    await using pkg = await writePackage({ ...ECHO, ...files });
    const before = await readdir(pkg.root, { recursive: true });
    const result = await report(['-j4'], pkg.root);
    expect(new Set(result.packages[0]?.cases.map((it) => it.runs[0]?.stdout)).size).toBe(1);
    expect(await readdir(pkg.root, { recursive: true })).toEqual(before);
    expect(await readFile(join(pkg.root, 'skills/echo/SKILL.md'), 'utf8')).toBe(skillText('echo'));
  });

  it('shares the rest of the package read-only', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      'skills/other/SKILL.md': skillText('other'),
      'skills/echo/node_modules/dep/index.js': 'module.exports = 42;\n',
      [`${CASES}/a.yaml`]: skillCase(
        'reads',
        'grep -c Does ../other/SKILL.md && node -p "require(\'dep\')"',
        { 'stdout-contains': ['1\n42'] },
      ),
      [`${CASES}/b.yaml`]: skillCase('cannot-write', 'touch ../other/x', {
        'exit-code': 1,
        'stderr-contains': ['Read-only'],
      }),
    });
    expect(verdicts(await report([], pkg.root))).toEqual({ reads: 'PASS', 'cannot-write': 'PASS' });
  });

  it('has no network', async () => {
    const connect = `node -e 'fetch("http://127.0.0.1:9/").catch((e) => console.log(e.cause.code)); require("dns").lookup("example.invalid", (e) => console.log(e.code))'`;
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/a.yaml`]: skillCase('net', `${connect}; ls /sys/class/net 2>/dev/null; cat /proc/net/dev`),
    });
    const out = (await report([], pkg.root)).packages[0]?.cases[0]?.runs[0]?.stdout ?? '';
    expect(out).toMatch(/lo:/);
    expect(out.match(/^\s*\w+:/gm)).toHaveLength(1);
  });

  it('ends every descendant at the time-out, also in a session of its own', async () => {
    const mark = `9${process.pid}`;
    await using pkg = await writePackage({
      ...ECHO,
      'skills/echo/tests/test-config.json': { version: 1, timeout: 0.5 },
      [`${CASES}/a.yaml`]: skillCase(
        'hangs',
        `echo before; (setsid sh -c 'trap "" TERM; sleep ${mark}' &) ; sleep ${mark}`,
      ),
      [`${CASES}/b.yaml`]: skillCase('fine', 'true'),
    });
    const result = await report([], pkg.root);
    expect(result.packages[0]?.cases[0]).toMatchObject({
      verdict: 'FAIL',
      error_kind: 'timeout',
      error: 'still running after 0.5 s; it and all it started were ended',
      runs: [{ stdout: 'before\n', ended: 'timed-out' }],
    });
    expect(verdicts(result)).toMatchObject({ fine: 'PASS' });
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  it('fails a case that prints more than can be checked', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/a.yaml`]: skillCase('loud', 'head -c 20000000 /dev/zero', { 'not-contains': ['x'] }),
    });
    expect((await report([], pkg.root)).packages[0]?.cases[0]).toMatchObject({
      verdict: 'FAIL',
      error_kind: 'too-much-output',
    });
  });

  it('leaves no folder behind', async () => {
    await using pkg = await writePackage({ ...ECHO, [`${CASES}/a.yaml`]: skillCase('a', 'touch x') });
    await using scratch = await temporaryFolder();
    expect((await aam(['test'], { cwd: pkg.root, env: { TMPDIR: scratch.path } })).code).toBe(0);
    expect(await readdir(scratch.path)).toEqual([]);
  });

  it('without a sandbox works on a copy, and says so', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/a.yaml`]: skillCase('a', 'touch x; ls', { 'stdout-contains': ['x'] }),
    });
    const { code, stdout } = await aam(['test', '--sandbox', 'none'], { cwd: pkg.root });
    expect(code).toBe(0);
    expect(stdout).toContain('(sandbox: none)');
    expect(await readdir(join(pkg.root, 'skills/echo'))).toEqual(['SKILL.md', 'tests']);
  });

  it('never downgrades by itself', async () => {
    await using pkg = await writePackage({ ...ECHO, [`${CASES}/a.yaml`]: skillCase('a', 'true') });
    const result = await aam(['test'], { cwd: pkg.root, env: { AAM_BWRAP_BIN: '/bin/false' } });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(
      /^error: bubblewrap \(\/bin\/false\) cannot start a sandbox[\s\S]*--sandbox none\n$/,
    );
  });
});

describe('aam test: hostile cases', () => {
  it.each([
    [
      'prints JSON of 200,000 levels',
      `node -e 'console.log("[".repeat(2e5) + "]".repeat(2e5))'`,
      { 'stdout-json': { a: 1 } },
    ],
    [
      'makes 3,000 folders in each other',
      `node -e 'for (let i = 0; i < 3000; i++) { fs.mkdirSync("d"); process.chdir("d"); } process.exit(1)'`,
      {},
    ],
    ['locks its folders', 'mkdir -p a/b; chmod 000 a/b a; exit 1', {}],
    ['removes its own folder', 'rm -rf "$PWD"; exit 1', {}],
  ])('only fails a case that %s', async (_, command, expected) => {
    await using scratch = await temporaryFolder();
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/a.yaml`]: skillCase('hostile', command, expected),
      [`${CASES}/b.yaml`]: skillCase('fine', 'ls', { 'stdout-contains': ['SKILL.md'] }),
    });
    const { code, stdout } = await aam(['test', '--json', '-j1'], {
      cwd: pkg.root,
      env: { TMPDIR: scratch.path },
    });
    expect(code).toBe(1);
    expect(verdicts(JSON.parse(stdout))).toEqual({ hostile: 'FAIL', fine: 'PASS' });
    expect(await readdir(scratch.path)).toEqual([]);
  });

  it('is not held up by a matcher that takes for ever', async () => {
    await using pkg = await writePackage({
      'package.agent.json': MANIFEST,
      'hooks/hooks.json': {
        version: 1,
        hooks: { stop: [{ matcher: '(a+)+$', hooks: [{ type: 'command', command: 'true' }] }] },
      },
      'hooks/tests/fixtures/f.json': { toolName: `${'a'.repeat(60)}!` },
      'hooks/tests/cases/a.yaml': {
        name: 'a',
        event: 'stop',
        input: { fixture: 'fixtures/f.json' },
        expected: { 'exit-code': 0 },
      },
    });
    expect(verdicts(await report([], pkg.root))).toEqual({ a: 'PASS' });
  });
});

describe('aam test: hook cases', () => {
  const GUARD =
    '#!/bin/sh\ninput=$(cat)\ncase "$input" in *"/etc/"*) echo "denied: $file" >&2; exit 2;; esac\necho \'{"decision":"allow"}\'\n';
  const HOOKS: Files = {
    'package.agent.json': MANIFEST,
    'hooks/scripts/guard.sh!': GUARD,
    'hooks/hooks.json': {
      version: 1,
      hooks: {
        'pre-tool-use': [
          {
            matcher: 'Write',
            hooks: [{ type: 'command', command: '$PACKAGE_ROOT/hooks/scripts/guard.sh' }],
          },
        ],
        stop: [
          { hooks: [{ type: 'prompt', prompt: 'Done?' }] },
          {
            hooks: [
              { type: 'command', command: 'echo first' },
              { type: 'command', command: 'echo second >&2; exit 2' },
              { type: 'command', command: 'echo third' },
            ],
          },
          { hooks: [{ type: 'command', command: 'sleep 20', timeout: 1 }] },
        ],
      },
    },
    'hooks/tests/fixtures/write.json': {
      hookEventName: 'pre-tool-use',
      toolName: 'Write',
      toolInput: { file_path: 'src/a.ts' },
    },
  };
  const hookCase = (name: string, more: object) => ({
    name,
    event: 'pre-tool-use',
    input: { fixture: 'fixtures/write.json' },
    ...more,
  });

  it('sends the fixture with overrides and decides the answer', async () => {
    await using pkg = await writePackage({
      ...HOOKS,
      'hooks/tests/cases/a.yaml': hookCase('allows', {
        expected: { 'exit-code': 0, 'stdout-json': { decision: 'allow' } },
      }),
      'hooks/tests/cases/b.yaml': hookCase('blocks', {
        input: { fixture: 'fixtures/write.json', overrides: { 'toolInput.file_path': '/etc/passwd' } },
        expected: { 'exit-code': 2, 'stderr-contains': ['denied: /etc/passwd'] },
      }),
      'hooks/tests/cases/c.yaml': hookCase('wrong', { expected: { 'exit-code': 2 } }),
    });
    expect(verdicts(await report([], pkg.root))).toEqual({ allows: 'PASS', blocks: 'PASS', wrong: 'FAIL' });
  });

  it('leaves prompts undecided, runs all commands of a group and takes the one that blocks', async () => {
    await using pkg = await writePackage({
      ...HOOKS,
      'hooks/tests/cases/a.yaml': { name: 'prompt', event: 'stop', expected: { 'exit-code': 0 } },
      'hooks/tests/cases/b.yaml': {
        name: 'several',
        event: 'stop',
        'hook-index': 1,
        expected: { 'exit-code': 2, 'stderr-contains': ['second'] },
      },
      'hooks/tests/cases/c.yaml': {
        name: 'own-timeout',
        event: 'stop',
        'hook-index': 2,
        expected: { 'exit-code': 0 },
      },
    });
    const result = await report([], pkg.root);
    expect(verdicts(result)).toEqual({ prompt: 'SKIP', several: 'PASS', 'own-timeout': 'FAIL' });
    const [prompt, several, timeout] = result.packages[0]?.cases ?? [];
    expect(prompt).toMatchObject({ error_kind: 'needs-model' });
    expect(several?.runs).toHaveLength(3);
    expect(timeout?.error).toContain('after 1 s');
    expect((await aam(['test', '--case', 'prompt'], { cwd: pkg.root })).code).toBe(3);
  });

  it('takes a decision in JSON for a block, and hears every command of a group', async () => {
    const deny = `echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`;
    const commands = [deny, `echo '{"ok":true}'; echo SECRET >&2`].map((command) => ({
      type: 'command',
      command,
    }));
    await using pkg = await writePackage({
      'package.agent.json': MANIFEST,
      'hooks/hooks.json': { version: 1, hooks: { stop: [{ hooks: commands }] } },
      'hooks/tests/cases/a.yaml': {
        name: 'deny',
        event: 'stop',
        expected: { 'stdout-json': { hookSpecificOutput: { permissionDecision: 'deny' } } },
      },
      'hooks/tests/cases/b.yaml': { name: 'secret', event: 'stop', expected: { 'not-contains': ['SECRET'] } },
    });
    expect(verdicts(await report([], pkg.root))).toEqual({ deny: 'PASS', secret: 'FAIL' });
  });

  it('has as much longer for several commands as aam was stopped', async () => {
    await using log = await temporaryFolder();
    const started = join(log.path, 'started');
    const commands = [`echo > ${started}; sleep 0.5`, 'echo second'];
    await using pkg = await writePackage({
      'package.agent.json': MANIFEST,
      'hooks/hooks.json': {
        version: 1,
        hooks: { stop: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] },
      },
      'hooks/tests/test-config.json': { version: 1, timeout: 3 },
      'hooks/tests/cases/a.yaml': { name: 'a', event: 'stop', expected: { 'stdout-contains': ['second'] } },
    });
    const { child, ended } = startAam(['test', '--sandbox', 'none'], pkg.root);
    await expect.poll(() => existsSync(started)).toBe(true);
    child.kill('SIGSTOP');
    await sleep(5000);
    child.kill('SIGCONT');
    expect(await ended).toMatchObject({ code: 0 });
  });

  it('tells what is wrong in hooks.json, with its line', async () => {
    await using pkg = await writePackage({
      ...HOOKS,
      'hooks/hooks.json': '{\n  "version": 1,\n  "hooks" {}\n}',
      'hooks/tests/cases/a.yaml': hookCase('a', { expected: { 'exit-code': 0 } }),
    });
    const { code, stdout } = await aam(['test'], { cwd: pkg.root });
    expect(code).toBe(2);
    expect(stdout).toContain('error: hooks/hooks.json:3:11: a colon is expected here');
  });

  it('notes a matcher that an agent would not have matched', async () => {
    await using pkg = await writePackage({
      ...HOOKS,
      'hooks/tests/cases/a.yaml': hookCase('other-tool', {
        input: { fixture: 'fixtures/write.json', overrides: { toolName: 'Bash' } },
        expected: { 'exit-code': 0 },
      }),
    });
    const { stdout } = await aam(['test'], { cwd: pkg.root });
    expect(stdout).toContain(
      'note: hook:pre-tool-use other-tool: the matcher "Write" does not match the fixture’s tool Bash',
    );
  });

  it('fails a case whose fixture is broken, at the place', async () => {
    await using pkg = await writePackage({
      ...HOOKS,
      'hooks/tests/fixtures/write.json': '{"a": 1,,}',
      'hooks/tests/cases/a.yaml': hookCase('broken', { expected: { 'exit-code': 0 } }),
    });
    expect((await report([], pkg.root)).packages[0]?.cases[0]).toMatchObject({
      verdict: 'FAIL',
      error_kind: 'broken-fixture',
      error: 'hooks/tests/fixtures/write.json:1:9: a key in double quotes is expected here',
    });
  });
});

describe('aam test: selection', () => {
  const TWO: Files = {
    ...ECHO,
    'skills/other/SKILL.md': skillText('other'),
    [`${CASES}/01-basic.yaml`]: skillCase('echo-basic', 'true'),
    [`${CASES}/02-more.yaml`]: skillCase('echo-more', 'true'),
    'skills/other/tests/cases/01-basic.yaml': skillCase('other-basic', 'true'),
    'hooks/hooks.json': { version: 1, hooks: { stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } },
    'hooks/tests/cases/h.yaml': { name: 'on-stop', event: 'stop', expected: { 'exit-code': 0 } },
  };

  it.each([
    [[], ['echo-basic', 'echo-more', 'other-basic', 'on-stop']],
    [
      ['--skill', 'echo'],
      ['echo-basic', 'echo-more'],
    ],
    [['--skill', 'echo', '--case', '01-basic'], ['echo-basic']],
    [
      ['--case', '01-basic'],
      ['echo-basic', 'other-basic'],
    ],
    [
      ['--case', 'echo-more', '--case', 'on-stop'],
      ['echo-more', 'on-stop'],
    ],
    [['--hooks'], ['on-stop']],
    [['--event', 'stop'], ['on-stop']],
    [
      ['--skill', 'other', '--hooks'],
      ['other-basic', 'on-stop'],
    ],
  ])('%j', async (args, names) => {
    await using pkg = await writePackage(TWO);
    expect(Object.keys(verdicts(await report(args, pkg.root)))).toEqual(names);
  });

  it.each([
    [['--case', 'ecko-basic'], 'there is no case called ecko-basic; did you mean echo-basic?'],
    [['--skill', 'ehco'], 'there is no skill with tests called ehco; did you mean echo?'],
    [['--event', 'stp'], 'there is no event with tests called stp; did you mean stop?'],
    [['--skill', 'other', '--case', '02-more'], 'no case fits all of it'],
    [['--case', 'echo-basic', '--case', 'renamed'], 'there is no case called renamed'],
  ])('an empty selection is an error with the near misses: %j', async (args, message) => {
    await using pkg = await writePackage(TWO);
    const result = await aam(['test', ...args], { cwd: pkg.root });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
  });

  it('no tests at all is an error too', async () => {
    await using pkg = await writePackage(ECHO);
    expect(await aam(['test'], { cwd: pkg.root })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there are no tests in .'),
    });
  });

  it('--workspace tests every package below', async () => {
    await using pkg = await writePackage({
      'a/package.agent.json': { name: 'a', version: '1.0.0' },
      'a/skills/echo/SKILL.md': skillText('echo'),
      [`a/${CASES}/x.yaml`]: skillCase('in-a', 'true'),
      'deep/er/b/package.agent.json': { name: 'b', version: '1.0.0' },
      'deep/er/b/skills/echo/SKILL.md': skillText('echo'),
      [`deep/er/b/${CASES}/x.yaml`]: skillCase('in-b', 'false'),
      'node_modules/c/package.agent.json': { name: 'c', version: '1.0.0' },
    });
    const result = await report(['--workspace'], pkg.root);
    expect(verdicts(result)).toEqual({ 'in-a': 'PASS', 'in-b': 'FAIL' });
    expect((await aam(['test', '--workspace'], { cwd: pkg.root })).stdout).toContain(
      '1 passed, 1 failed in 2 packages',
    );
  });

  it('tests only what a path inside the package is about', async () => {
    await using pkg = await writePackage(TWO);
    const names = async (path: string) => Object.keys(verdicts(await report([path], pkg.root)));
    expect(await names('skills/other')).toEqual(['other-basic']);
    expect(await names('skills/other/SKILL.md')).toEqual(['other-basic']);
    expect(await names('skills')).toEqual(['echo-basic', 'echo-more', 'other-basic']);
    expect(await names('hooks')).toEqual(['on-stop']);
    expect(await names(`${CASES}/02-more.yaml`)).toEqual(['echo-more']);
  });

  it('tests a bare skill', async () => {
    await using pkg = await writePackage({
      'SKILL.md': skillText('bare'),
      'tests/cases/a.yaml': skillCase('here', 'pwd; ls', { 'stdout-contains': ['/package\n', 'SKILL.md'] }),
    });
    expect(verdicts(await report([], pkg.root))).toEqual({ here: 'PASS' });
  });
});

describe('aam test: bad input', () => {
  it('runs the good cases, tells the bad ones with their line, and ends with 2', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/a.yaml`]: skillCase('good', 'true'),
      [`${CASES}/b.yaml`]: 'name: bad\ninput:\n  command: 7\n',
      [`${CASES}/c.yaml`]: 'name: [',
      [`${CASES}/d.yaml`]: skillCase('typo', 'true', { 'stdout-contians': ['x'] }),
    });
    const { code, stdout } = await aam(['test'], { cwd: pkg.root });
    expect(code).toBe(2);
    expect(stdout).toContain(
      'error: skills/echo/tests/cases/b.yaml:3:12: input.command must be a string, not a number (7)',
    );
    expect(stdout).toContain('error: skills/echo/tests/cases/c.yaml:1:');
    expect(stdout).toContain('did you mean expected.stdout-contains?');
    expect(stdout).toContain('2 passed, 2 invalid');
    expect((await aam(['test', '--case', 'good'], { cwd: pkg.root })).code).toBe(0);
  });

  it('does not run anything with a manifest that cannot be read', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      'package.agent.json': '{',
      [`${CASES}/a.yaml`]: skillCase('a', 'true'),
    });
    const { code, stdout } = await aam(['test'], { cwd: pkg.root });
    expect(code).toBe(2);
    expect(stdout).toContain('error: package.agent.json:1:');
  });

  it('does not run cases whose config is broken', async () => {
    await using pkg = await writePackage({
      ...ECHO,
      'skills/echo/tests/test-config.json': '{"version": 1, "timeout": "soon"}',
      [`${CASES}/a.yaml`]: skillCase('a', 'true'),
    });
    const { code, stdout } = await aam(['test'], { cwd: pkg.root });
    expect(code).toBe(2);
    expect(stdout).toContain('test-config.json:1:27: timeout must be a number, not a string ("soon")');
  });

  it.each([
    [['test', '--jobs', '0'], "option '-j, --jobs <count>' argument '0' is invalid"],
    [['test', '--sandbox', 'docker'], 'Allowed choices are bubblewrap, none'],
    [['test', '--skil', 'x'], '(Did you mean --skill?)'],
    [['tset'], '(Did you mean test?)'],
    [['test', 'no/such/folder'], 'no/such/folder does not exist'],
  ])('a wrong command line is an error: %j', async (args, message) => {
    const result = await aam(args, { cwd: tmpdir() });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});

describe('aam test: running', () => {
  it('--bail leaves the rest undecided', async () => {
    const cases = Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [
        `${CASES}/${index}.yaml`,
        skillCase(`c-${index}`, index === 1 ? 'false' : 'true'),
      ]),
    );
    await using pkg = await writePackage({ ...ECHO, ...cases });
    const result = await report(['--bail', '-j1'], pkg.root);
    expect(result).toMatchObject({ exit_code: 1, summary: { passed: 1, failed: 1, skipped: 4 } });
    expect(result.packages[0]?.cases[5]).toMatchObject({ verdict: 'SKIP', error_kind: 'not-run' });
  });

  it('--junit writes a file, and says when it cannot', async () => {
    await using pkg = await writePackage({ ...ECHO, [`${CASES}/a.yaml`]: skillCase('a', 'true') });
    expect((await aam(['test', '--junit', 'out/junit.xml'], { cwd: pkg.root })).code).toBe(0);
    expect(await readFile(join(pkg.root, 'out/junit.xml'), 'utf8')).toContain('<testcase name="a"');
    const failed = await aam(['test', '--junit', 'package.agent.json/x.xml'], { cwd: pkg.root });
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('the JUnit file') });
  });

  it('Ctrl-C keeps what finished, ends with 130 and leaves nothing behind', async () => {
    const mark = `6${process.pid}`;
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/a.yaml`]: skillCase('quick', 'true'),
      [`${CASES}/b.yaml`]: skillCase('slow', `setsid sleep ${mark} & sleep ${mark}`),
      [`${CASES}/c.yaml`]: skillCase('later', 'true'),
    });
    const { child, ended, output } = startAam(['test', '-j1'], pkg.root);
    await expect
      .poll(() => output().includes('quick') && processesWith(`sleep ${mark}`).length > 1, {
        timeout: 20_000,
      })
      .toBe(true);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    expect(stdout).toContain('✓ skill:echo  quick');
    expect(stdout).toContain('1 passed, 2 undecided');
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  it('takes its commands along when it is killed outright', async () => {
    const mark = `5${process.pid}`;
    await using pkg = await writePackage({
      ...ECHO,
      [`${CASES}/b.yaml`]: skillCase('slow', `setsid sleep ${mark} & sleep ${mark}`),
    });
    const { child, ended } = startAam(['test'], pkg.root);
    await expect.poll(() => processesWith(`sleep ${mark}`).length > 1, { timeout: 20_000 }).toBe(true);
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => processesWith(`sleep ${mark}`), { timeout: 5_000 }).toEqual([]);
  });

  it('--watch runs again when a file changes, and survives a broken one', async () => {
    await using pkg = await writePackage({ ...ECHO, [`${CASES}/a.yaml`]: skillCase('watched', 'false') });
    const { child, ended, output } = startAam(['test', '--watch', '--junit', 'report.xml'], pkg.root);
    const sees = (text: string) => expect.poll(output, { timeout: 20_000 }).toContain(text);
    await sees('watching');
    await writeFile(join(pkg.root, `${CASES}/a.yaml`), 'name: [');
    await sees('1 invalid');
    await writeFile(join(pkg.root, `${CASES}/a.yaml`), JSON.stringify(skillCase('watched', 'true')));
    await sees('1 passed');
    // The report in the watched folder starts no run of its own.
    await new Promise((quiet) => setTimeout(quiet, 1500));
    expect(output().match(/watching/g)?.length).toBeLessThanOrEqual(4);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });

  it('a reader that goes away is no error', async () => {
    const cases = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `${CASES}/${index}.yaml`,
        skillCase(`c-${index}`, index === 29 ? 'false' : 'true'),
      ]),
    );
    await using pkg = await writePackage({ ...ECHO, ...cases });
    const { child, ended } = startAam(['test'], pkg.root);
    child.stdout.once('data', () => child.stdout.destroy());
    const { stderr, code } = await ended;
    expect(stderr).toBe('');
    expect(code).toBe(1);
  });
});
