import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { EvalReport } from '../../src/model/report.ts';
import { aam, startAam } from '../helpers/cli.ts';
import { evalCase, PACKAGE, runEval } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type Files, writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';

/** A package whose agent is a shell script that gets the prompt. */
function commandPackage(script: string, cases: Files, config: object = {}): Files {
  return {
    ...PACKAGE,
    'evals/eval-config.json': {
      version: 1,
      engine: 'command',
      command: ['/bin/sh', '-c', script, 'agent', '{prompt}'],
      ...config,
    },
    ...cases,
  };
}

const numbered = (count: number, more: (index: number) => object = () => ({})): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `evals/cases/c-${index}.yaml`,
      evalCase(`c-${index}`, { input: { prompt: String(index) }, ...more(index) }),
    ]),
  );

async function run(root: string, ...args: string[]): Promise<{ code: number; report: EvalReport }> {
  const { code, stdout, stderr } = await aam(['eval', '--json', ...args], { cwd: root });
  if (!stdout) throw new Error(stderr);
  return { code, report: JSON.parse(stdout) };
}

describe('aam eval: running', () => {
  it('gives the same verdicts whatever runs at once, in the order of the cases', async () => {
    const script = 'sleep 0.0$(( $1 % 7 )); echo "number $1"; [ $(( $1 % 3 )) = 0 ] && touch made; exit 0';
    const cases = numbered(20, () => ({ expected: { 'files-created': ['made'], contains: ['number'] } }));
    await using pkg = await writePackage(commandPackage(script, cases));
    const results = await Promise.all(['1', '4'].map((jobs) => run(pkg.root, '-j', jobs)));
    const verdicts = results.map(({ report }) =>
      report.cases.map((it) => [it.name, it.verdict, it.deterministic_checks]),
    );
    expect(verdicts[0]).toEqual(verdicts[1]);
    expect(results[0]?.report.summary).toMatchObject({ total: 20, failed: 13, skipped: 7 });
    expect(results.map(({ code }) => code)).toEqual([1, 1]);
    // Two runs in the same second have a report each.
    expect(await readdir(join(pkg.root, 'evals/reports'))).toHaveLength(2);
  });

  it('gives the prompt on standard input or in a file when the command asks for it', async () => {
    const stdin = { command: ['/bin/sh', '-c', 'cat; pwd'] };
    const file = {
      command: ['/bin/sh', '-c', 'cat "$1"; echo "$2"', 'agent', '{prompt_file}', '{workspace}'],
    };
    for (const config of [stdin, file]) {
      await using pkg = await writePackage(
        commandPackage(
          '',
          { 'evals/cases/a.yaml': evalCase('a', { input: { prompt: '-x "quoted"\nline' } }) },
          config,
        ),
      );
      const { report } = await run(pkg.root);
      expect(report.cases[0]?.agent_output_snippet).toContain('-x "quoted"\nline');
      expect(report.cases[0]?.agent_output_snippet).toContain('/workspace');
    }
  });

  it('fails an agent that hangs or leaves processes, and cleans up after it', async () => {
    const mark = `4${process.pid}`;
    const script = `case $1 in 0) setsid sleep ${mark} & sleep ${mark};; 1) i=0; while [ $i -lt 200 ]; do setsid sleep ${mark} & i=$((i+1)); done; wait;; esac`;
    await using pkg = await writePackage(commandPackage(script, numbered(2), { timeout: 3 }));
    await using scratch = await temporaryFolder();
    const { stdout } = await aam(['eval', '--json', '-j2'], { cwd: pkg.root, env: { TMPDIR: scratch.path } });
    const report = JSON.parse(stdout) as EvalReport;
    expect(report.cases.map((it) => [it.verdict, it.error_kind])).toEqual([
      ['FAIL', 'timeout'],
      ['FAIL', 'timeout'],
    ]);
    expect(report.cases[0]?.error).toBe(
      'the agent was still running after 3 s; it and all it started were ended',
    );
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
    expect(await readdir(scratch.path)).toEqual([]);
  });

  it('Ctrl-C keeps what finished, writes the report, ends with 130 and leaves nothing behind', async () => {
    const mark = `3${process.pid}`;
    const script = `[ "$1" = 0 ] || sleep ${mark}; echo done`;
    await using pkg = await writePackage(commandPackage(script, numbered(4)));
    const { child, ended, output } = startAam(['eval', '-j1'], pkg.root);
    await expect
      .poll(() => output().includes('c-0') && processesWith(`sleep ${mark}`).length > 0, { timeout: 20_000 })
      .toBe(true);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
    const [file = ''] = await readdir(join(pkg.root, 'evals/reports'));
    const report = JSON.parse(await readFile(join(pkg.root, 'evals/reports', file), 'utf8')) as EvalReport;
    expect(report).toMatchObject({ interrupted: true, exit_code: 130, summary: { total: 4 } });
    expect(report.cases.map((it) => it.error_kind)).toEqual([
      'no-judge',
      'interrupted',
      'interrupted',
      'interrupted',
    ]);
    const [id = ''] = await readdir(join(pkg.root, '.aam/runs'));
    const journal = await readFile(join(pkg.root, '.aam/runs', id, 'journal.jsonl'), 'utf8');
    expect(journal.match(/"result":/g)).toHaveLength(4);
  });

  it('keeps the workspace when asked to', async () => {
    await using pkg = await writePackage(commandPackage('touch kept', numbered(1)));
    await using scratch = await temporaryFolder();
    const args = ['eval', '--json', '--keep-workspace'];
    const { stdout } = await aam(args, { cwd: pkg.root, env: { TMPDIR: scratch.path } });
    const report = JSON.parse(stdout) as EvalReport;
    const folder = /kept in (.*)$/.exec(report.cases[0]?.warnings.join('\n') ?? '')?.[1] ?? '';
    expect(existsSync(join(folder, 'kept'))).toBe(true);
  });

  it('writes the report where it is told, and tells when it cannot', async () => {
    await using pkg = await writePackage(commandPackage('echo hi', numbered(1)));
    await run(pkg.root, '--report', '-o', 'out/report.json');
    expect(JSON.parse(await readFile(join(pkg.root, 'out/report.json'), 'utf8'))).toMatchObject({
      version: 1,
    });
    expect(await aam(['eval', '-o', 'package.agent.json/x.json'], { cwd: pkg.root })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be written'),
    });
  });

  it('prints a line per case, then what is open and why', async () => {
    await using pkg = await writePackage(
      commandPackage(
        'echo "said $1"',
        numbered(2, (index) => ({ expected: { contains: [index ? 'said' : 'sung'] } })),
      ),
    );
    const { stdout } = await aam(['eval', '-j1'], { cwd: pkg.root });
    const plain = stdout.replace(/[\d.]+ m?s\b/g, 'N ms').replace(/\d{4}-\d\d-\d\dT[\w-]+Z(-\w+)?/g, 'TIME');
    expect(plain).toMatchInlineSnapshot(`
      "demo 1.0.0: 2 cases with command

      ✗ c-0  N ms  0 tokens
      – c-1  N ms  0 tokens  the criteria need a judge and none is named: --judge <model>, or "judge" in evals/eval-config.json

       FAIL  c-0  evals/cases/c-0.yaml:1
        ✗ contains: the output does not contain "sung"
        the agent said
          │ said 0
        look closer: .aam/runs/TIME/captures/c-0.command.with.1.json

       OPEN  c-1  evals/cases/c-1.yaml:1  no-judge
        the criteria need a judge and none is named: --judge <model>, or "judge" in evals/eval-config.json
        ✓ contains
        the agent said
          │ said 1
        look closer: .aam/runs/TIME/captures/c-1.command.with.1.json

      1 failed, 1 undecided in N ms, 0 tokens
      command; sandbox: bubblewrap; report: evals/reports/TIME.json
      "
    `);
  });

  it('stops at the limit of tokens, cleanly', async () => {
    await using pkg = await writePackage({ ...PACKAGE, ...numbered(4) });
    const { report, code } = await runEval(
      pkg.root,
      'claude-code',
      [{ text: 'Hi.' }],
      ['--max-tokens', '150', '-j1'],
    );
    expect(report.cases.map((it) => it.error_kind)).toEqual(['no-judge', 'no-judge', 'budget', 'budget']);
    expect(report.cases[3]?.error).toMatch(/token/);
    expect(code).toBe(3);
  });

  it('stops at the limit of money by the prices of the config', async () => {
    const config = {
      version: 1,
      engine: 'codex',
      timeout: 60,
      prices: { 'gpt-': { input: 1000, output: 1000 } },
    };
    await using pkg = await writePackage({ ...PACKAGE, 'evals/eval-config.json': config, ...numbered(3) });
    const { report } = await runEval(pkg.root, 'codex', [{ text: 'Hi.' }], ['--max-cost-usd', '0.15', '-j1']);
    expect(report.cases.map((it) => it.error_kind)).toEqual(['no-judge', 'no-judge', 'budget']);
    expect(report.cases[0]?.cost_usd).toBeCloseTo(0.107);
    expect(report.usage.cost_usd).toBeCloseTo(0.214);
  });
});
