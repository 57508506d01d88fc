/** Runs that are killed, interrupted or undecided, and how they go on. */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { EvalReport } from '../../src/model/report.ts';
import { type RunList, runList } from '../../src/model/run-list.ts';
import { aam, startAam } from '../helpers/cli.ts';
import { evalCase, judgeSays, PACKAGE, runEval } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type Files, writeFiles, writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';
import { begunRuns, journalOf, normalised, numberedPackage } from '../helpers/runs.ts';

/** The case that waits until there is a file `go` beside the package; without a sandbox the agent sees it. */
const WAITING = 3;

function waitingPackage(gate: string, mark: string): Files {
  const script = `if [ "$1" = ${WAITING} ] && [ ! -e ${gate} ]; then exec sleep ${mark}; fi; echo "number $1"`;
  return {
    ...numberedPackage(6, script, (index) => ({ contains: [index === 1 ? 'word' : 'number'] })),
    'skills/echo/notes.md': 'Notes.\n',
  };
}

/** Starts a run that hangs in one case, ends it there, and lets that case pass from then on. */
async function brokenRun(signals: readonly NodeJS.Signals[], args: readonly string[] = []) {
  const folder = await temporaryFolder();
  const gate = join(folder.path, 'go');
  const mark = `8${process.pid}${Math.floor(Math.random() * 1e6)}`;
  const pkg = await writePackage(waitingPackage(gate, mark));
  const all = ['eval', '--no-judge', '--sandbox', 'none', '-j1', ...args];
  const { child, ended } = startAam(all, pkg.root, { NO_COLOR: '1', TMPDIR: folder.path });
  await expect.poll(() => processesWith(`sleep ${mark}`).length).toBe(1);
  // What finished before is on the disk a moment later.
  const [begun = ''] = await begunRuns(pkg.root);
  await expect.poll(() => journalOf(pkg.root, begun)).toContain('"result"');
  for (const signal of signals) child.kill(signal);
  const { code } = await ended;
  await writeFile(gate, '');
  const [id = ''] = await begunRuns(pkg.root);
  const resume = async (...more: string[]) =>
    await aam(['eval', ...more], { cwd: pkg.root, env: { TMPDIR: folder.path } });
  return {
    root: pkg.root,
    id,
    code,
    mark,
    resume,
    temporary: folder.path,
    /** The same without the break. */
    async unbroken(): Promise<EvalReport> {
      await using fresh = await writePackage(waitingPackage(gate, mark));
      return JSON.parse((await aam([...all, '--json'], { cwd: fresh.root })).stdout) as EvalReport;
    },
    async [Symbol.asyncDispose]() {
      await pkg[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function reports(root: string): Promise<EvalReport[]> {
  const folder = join(root, 'evals/reports');
  const names = await readdir(folder).catch(() => []);
  return await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as EvalReport),
  );
}

async function listed(root: string): Promise<RunList['runs']> {
  return runList.parse(JSON.parse((await aam(['runs', '--json'], { cwd: root })).stdout)).runs;
}

function newProcesses(mark: string, left: readonly number[]): number[] {
  return processesWith(`sleep ${mark}`).filter((pid) => !left.includes(pid));
}

describe('a run that ended before its time', () => {
  it.each<[string, readonly NodeJS.Signals[], number, string]>([
    ['SIGKILL', ['SIGKILL'], 137, 'died'],
    ['SIGTERM', ['SIGTERM'], 130, 'interrupted'],
    ['SIGINT twice', ['SIGINT', 'SIGINT'], 130, 'interrupted'],
  ])('by %s goes on where it stopped, and reports like one that did not', async (_, signals, code, state) => {
    await using run = await brokenRun(signals, ['--junit', 'out/junit.xml', '--runs', '2', '--baseline']);
    expect(run.code).toBe(code);
    expect(await listed(run.root)).toMatchObject([
      { id: run.id, state, trials: { planned: 24 }, resume: `aam eval --resume ${run.id}` },
    ]);
    const before = (await journalOf(run.root, run.id)).match(/"errorKind":(?!"interrupted")/g)?.length ?? 0;
    expect(before).toBeGreaterThan(0);

    const { stdout, stderr } = await run.resume('--resume', '--json', '--jsonl', 'rows.jsonl');
    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as EvalReport;
    expect(normalised(report)).toEqual(normalised(await run.unbroken()));
    expect(report.id).toBe(`eval-run-${run.id}`);
    expect(await reports(run.root)).toEqual([report]);
    expect(await readFile(join(run.root, 'out/junit.xml'), 'utf8')).toContain('c-5');
    expect((await readFile(join(run.root, 'rows.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(24);
    const over = (await journalOf(run.root, run.id)).match(/"errorKind":(?!"interrupted")/g);
    expect(over).toHaveLength(24);
    expect(processesWith(`sleep ${run.mark}`)).toEqual([]);
    expect(await readdir(run.temporary)).toEqual(['go']);
    expect(await listed(run.root)).toMatchObject([{ state: 'finished', trials: { missing: 0 } }]);
  });

  it('is told how to go on, and what it has done', async () => {
    await using run = await brokenRun(['SIGINT']);
    expect((await aam(['report', 'latest'], { cwd: run.root })).stdout).toContain(
      `the run was interrupted; the rest:  aam eval --resume ${run.id}`,
    );
    expect((await run.resume('--resume', run.id)).stdout).toContain('3 trials done before, 3 to run');
    const again = await run.resume('--resume', `eval-run-${run.id}`);
    expect(again.stdout).toContain(`the run ${run.id} is finished: there is nothing to run`);
    // The exit code is the report's, as everywhere.
    expect(again.code).toBe(1);
    expect(await reports(run.root)).toHaveLength(1);
  });

  it('makes a report that is gone again, without running anything', async () => {
    await using run = await brokenRun(['SIGKILL']);
    await run.resume('--resume');
    const [first] = await reports(run.root);
    await rm(join(run.root, 'evals/reports'), { recursive: true });
    await run.resume('--resume', run.id);
    const [second] = await reports(run.root);
    expect(second && normalised(second)).toEqual(first && normalised(first));
    expect((await journalOf(run.root, run.id)).match(/"result":/g)).toHaveLength(6);
  });

  it('does not go on as something else', async () => {
    await using run = await brokenRun(['SIGKILL']);
    const config = await readFile(join(run.root, 'evals/eval-config.json'), 'utf8');
    const [caseFile] = Object.entries(numberedPackage(1, ''))
      .filter(([path]) => path.includes('c-0'))
      .map(([path]) => path);
    const changes: readonly [Files, string][] = [
      [{ 'skills/echo/notes.md': 'Other notes.\n' }, 'the package’s file skills/echo/notes.md has changed'],
      [{ 'skills/echo/more.md': 'More.\n' }, 'the package’s file skills/echo/more.md is new'],
      [{ [caseFile ?? '']: evalCase('c-0', { input: { prompt: 'x' } }) }, 'the case c-0 has changed'],
      [{ 'evals/cases/c-9.yaml': evalCase('c-9') }, 'the case c-9 is new'],
      [
        { 'evals/eval-config.json': { ...JSON.parse(config), timeout: 61, env: { A: 'secret' } } },
        'the setting timeout was 60 and is 61\n  the variable A is new',
      ],
    ];
    for (const [files, told] of changes) {
      const before = await Promise.all(
        Object.keys(files).map((path) => readFile(join(run.root, path), 'utf8').catch(() => null)),
      );
      await writeFiles(run.root, files);
      const { code, stdout, stderr } = await run.resume('--resume');
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(
        `error: the run ${run.id} cannot be continued: it was of something else\n  ${told}`,
      );
      expect(stderr).not.toContain('secret');
      for (const [index, path] of Object.keys(files).entries()) {
        const text = before[index] ?? null;
        if (text === null) await rm(join(run.root, path));
        else await writeFile(join(run.root, path), text);
      }
    }
    const options = await run.resume('--resume', '--runs', '3', '--timeout', '5', '-j', '2');
    expect(options.stderr).toContain(
      'was started with other options, so its results would not belong together\n  --runs: it was null and is 3\n  --timeout: it was null and is 5\n',
    );
    expect(await run.resume('--resume', 'no-such-run')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('there is no run no-such-run'),
    });
    expect((await run.resume('--resume', '-j', '2')).stderr).toBe('');
    expect(await listed(run.root)).toMatchObject([{ state: 'finished' }]);
  });

  it('is taken up by one process only, and by none while it is at work', async () => {
    await using run = await brokenRun(['SIGKILL']);
    await rm(join(run.temporary, 'go'));
    // What the killed run left lives until the next one.
    const left = processesWith(`sleep ${run.mark}`);
    const first = startAam(['eval', '--resume'], run.root, { TMPDIR: run.temporary });
    await expect.poll(() => newProcesses(run.mark, left)).toHaveLength(1);
    expect(await listed(run.root)).toMatchObject([{ state: 'running', resume: null }]);
    for (const args of [['--resume'], ['--resume', run.id], ['--retry-undecided', run.id]]) {
      const { code, stderr } = await run.resume(...args);
      expect(code).toBe(2);
      expect(stderr).toContain(`the run ${run.id} is at work in another process (${first.child.pid})`);
    }
    first.child.kill('SIGKILL');
    await first.ended;
    await writeFile(join(run.temporary, 'go'), '');
    expect((await run.resume('--resume')).stderr).toBe('');
  });

  it('is not disturbed by another run of the package', async () => {
    await using run = await brokenRun(['SIGKILL']);
    await rm(join(run.temporary, 'go'));
    // What the killed run left lives until the next one.
    const left = processesWith(`sleep ${run.mark}`);
    const first = startAam(['eval', '--resume', '--json'], run.root, { TMPDIR: run.temporary });
    await expect.poll(() => newProcesses(run.mark, left)).toHaveLength(1);
    const other = await run.resume('c-0', 'c-1', '--no-judge', '--sandbox', 'none', '--json');
    const { stdout } = await aam(['clean', '--json'], { cwd: run.root, env: { TMPDIR: run.temporary } });
    expect(JSON.parse(stdout).folders.filter((path: string) => path.startsWith(run.temporary))).toEqual([]);
    expect(processesWith(`sleep ${run.mark}`)).toHaveLength(1);
    expect((JSON.parse(other.stdout) as EvalReport).cases.map(({ name }) => name)).toEqual(['c-0', 'c-1']);
    first.child.kill('SIGINT');
    const report = JSON.parse((await first.ended).stdout) as EvalReport;
    expect(report.cases.map((it) => it.error_kind)).toEqual([
      'no-judge',
      undefined,
      'no-judge',
      ...Array(3).fill('interrupted'),
    ]);
    expect(await reports(run.root)).toHaveLength(2);
  });
});

describe('--retry-undecided', () => {
  const one = (cases: Files) => writePackage({ ...PACKAGE, ...cases });

  it('runs again what is undecided, and nothing else', async () => {
    await using pkg = await one({
      'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['fine'] } }),
      'evals/cases/b.yaml': evalCase('b', { input: { prompt: 'Do the other.' } }),
    });
    const judge = judgeSays('PASS', ['fine']);
    const first = await runEval(
      pkg.root,
      'claude-code',
      ({ body }) =>
        JSON.stringify(body).includes('Do the other.') ? { status: 401 } : { text: 'All is fine.' },
      [],
      {},
      judge,
    );
    expect(first.report.cases.map((it) => [it.verdict, it.error_kind])).toEqual([
      ['PASS', undefined],
      ['SKIP', 'model-auth'],
    ]);
    const second = await runEval(
      pkg.root,
      'claude-code',
      [{ text: 'All is fine.' }],
      ['--retry-undecided'],
      {},
      judge,
    );
    expect(second.code).toBe(0);
    expect(second.report).toMatchObject({ id: first.report.id, summary: { total: 2, passed: 2 } });
    expect(second.report.cases[0]).toEqual(first.report.cases[0]);
    expect(second.requests.filter(({ body }) => JSON.stringify(body).includes('Do it.'))).toEqual([]);
    expect(existsSync(join(pkg.root, first.report.cases[1]?.capture ?? ''))).toBe(true);
    expect(await reports(pkg.root)).toHaveLength(1);
    const third = await aam(['eval', '--retry-undecided'], { cwd: pkg.root });
    expect([third.code, third.stdout]).toEqual([0, expect.stringContaining('there is nothing to run')]);
  });

  it('counts what was spent before, and takes a higher limit', async () => {
    await using pkg = await one(
      Object.fromEntries(
        [0, 1, 2, 3].map((index) => [`evals/cases/c-${index}.yaml`, evalCase(`c-${index}`)]),
      ),
    );
    const script = [{ text: 'Hi.' }];
    const kinds = ({ report }: { report: EvalReport }) => report.cases.map((it) => it.error_kind);
    const first = await runEval(pkg.root, 'claude-code', script, ['--max-tokens', '150', '-j1']);
    expect(kinds(first)).toEqual(['no-judge', 'no-judge', 'budget', 'budget']);
    const second = await runEval(pkg.root, 'claude-code', script, ['--retry-undecided']);
    expect([kinds(second), second.requests.length]).toEqual([Array(4).fill('budget'), 0]);
    const third = await runEval(pkg.root, 'claude-code', script, [
      '--retry-undecided',
      '--max-tokens',
      '9999',
    ]);
    expect(kinds(third)).toEqual(Array(4).fill('no-judge'));
    expect(third.report.warnings.join()).toMatch(/trials that were interrupted or run again took \d+ tokens/);
  });
});
