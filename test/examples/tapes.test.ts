/** The newcomer's first command: the examples, from their tapes, on a machine that has nothing but Node. */

import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process, { execPath } from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { aam } from '../helpers/cli.ts';
import type { AgentEngine } from '../helpers/eval.ts';
import { EXAMPLES } from '../helpers/example-scripts/index.ts';
import { TAPED_EXAMPLES } from '../helpers/example-tapes.ts';
import { copyExample } from '../helpers/examples.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { sandboxWithout } from '../helpers/sandbox-without.ts';

/** A copy, so that reports and captures go away with it; and an environment without a key, a login or a program. */
async function freshMachine(name: string) {
  const folder = await temporaryFolder();
  const root = join(folder.path, name);
  await copyExample(name, root);
  const programs = join(folder.path, 'bin');
  await mkdir(programs);
  await symlink(execPath, join(programs, 'node'));
  const nothing = Object.fromEntries(Object.keys(process.env).map((key) => [key, undefined]));
  const noGit = await sandboxWithout('/usr/bin/git');
  const env = { ...nothing, PATH: programs, HOME: join(folder.path, 'home'), ...noGit.env };
  return {
    root,
    env,
    async [Symbol.asyncDispose]() {
      await noGit[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function replay(name: string, engine: AgentEngine) {
  await using machine = await freshMachine(name);
  const all = ['eval', '--json', '-C', machine.root, '--tape', 'replay', '--engine', engine];
  const { stdout, stderr, code } = await aam(all, { env: machine.env });
  if (stdout === '') throw new Error(stderr);
  return { report: evalReport.parse(JSON.parse(stdout)), code };
}

describe('the newcomer', () => {
  it('is told what to do next, and can do it as it is told', async () => {
    await using machine = await freshMachine('leaky-guard');
    const cwd = dirname(machine.root);
    const env = { ...machine.env, AAM_COMMAND: undefined };
    const first = await aam(['eval', '-C', 'leaky-guard', '--tape', 'replay'], { cwd, env });
    const told = (stdout: string) => stdout.slice(stdout.indexOf('next:')).split('\n');
    expect(told(first.stdout)).toEqual([
      expect.stringMatching(/^next: {2}\S+bin\/aam eval -C leaky-guard {2,}with a model: /),
      expect.stringMatching(/^ {7}\S+bin\/aam init my-package {2,}a package of your own$/),
      '',
    ]);
    expect(first.stdout).toMatch(/look closer: leaky-guard\/\.aam\/runs\//);
    const noKey = await aam(['eval', '-C', 'leaky-guard'], { cwd, env });
    expect(noKey.stderr).toMatch(
      /^error: there is no key.*\n {2}log in: {2}npx @anthropic-ai\/claude-code, then \/login\n.*\n {2}or without a model, from tapes: {2}\S+bin\/aam eval --tape replay -C leaky-guard\n$/,
    );
    const second = await aam(['eval', '-C', 'leaky-guard', '--tape', 'replay'], { cwd, env });
    const [, compare = ''] = / {7}(\S+ eval diff .*?) {2,}compare two runs/.exec(second.stdout) ?? [];
    expect(compare).toMatch(/bin\/aam eval diff latest~1 latest -C leaky-guard$/);
    const settings = { cwd, env: { ...machine.env, NO_COLOR: '1' } };
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', compare], settings);
    expect(stdout).toContain('1 unchanged');
  });
});

describe('the tapes of the examples', () => {
  it.each(['claude-code', 'codex'] as const)('make pdf-tools pass with %s', async (engine) => {
    const { report, code } = await replay('pdf-tools', engine);
    expect(report.cases.map(({ name, verdict, error }) => [name, verdict, error])).toEqual(
      [
        'hook-blocks-protected-write',
        'hook-lets-ordinary-writes-through',
        'one-page-only',
        'pdf-extraction-e2e',
        'scan-is-not-invented',
        'table-checker-finds-wrong-row',
      ].map((name) => [name, 'PASS', undefined]),
    );
    expect(report.cases.every((it) => it.judge_verdict?.result === 'PASS')).toBe(true);
    expect(report.tape).toMatchObject({ mode: 'replay', source: 'scripted' });
    expect(report.sandbox?.kind).toBe('bubblewrap');
    expect(code).toBe(0);
  });

  it('make leaky-guard fail with its reason', async () => {
    const { report, code } = await replay('leaky-guard', 'claude-code');
    expect(report.cases).toMatchObject([
      {
        verdict: 'FAIL',
        error: expect.stringContaining(
          'exited with 1: Blocked: the ledger is closed, so nothing was blocked',
        ),
      },
    ]);
    expect(code).toBe(1);
  });

  it.each(TAPED_EXAMPLES)(
    'of $name are those of its cases and files, and hold no secret',
    async ({ name }) => {
      const checked = await aam(['tape', 'check', '-C', join(EXAMPLES, name)]);
      expect(checked).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^✓ .*scripted, claude-code/m),
      });
      const scrubbed = await aam(['tape', 'scrub', '-C', join(EXAMPLES, name)]);
      expect(scrubbed).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing that looks like') });
    },
  );
});
