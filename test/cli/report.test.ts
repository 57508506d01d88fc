/** `aam report` and `aam eval diff` as people call them, and what GitHub Actions is told. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evalDiff } from '../../src/model/diff.ts';
import type { EvalReport } from '../../src/model/report.ts';
import { aam } from '../helpers/cli.ts';
import { evalCase, PACKAGE } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { reportOf } from '../report/reports.ts';

/** A package with one report for each of these, the earliest first. */
async function packageWith(reports: Readonly<Record<string, EvalReport>>) {
  const pkg = await writePackage(PACKAGE);
  const folder = join(pkg.root, 'evals/reports');
  await mkdir(folder, { recursive: true });
  for (const [name, report] of Object.entries(reports))
    await writeFile(join(folder, name), JSON.stringify(report));
  return pkg;
}

function at(time: string, trials: Readonly<Record<string, string>>): EvalReport {
  return reportOf(trials, {
    report: { id: `eval-run-${time}`, timestamp: `2026-11-15T${time.slice(0, 8)}Z` },
  });
}

const HISTORY = {
  '2026-11-15T08-00-00Z.json': at('08:00:00', { one: 'F', two: 'P' }),
  '2026-11-15T09-00-00Z.json': at('09:00:00', { one: 'P', two: 'P' }),
  '2026-11-15T09-00-00Z-2.json': at('09:00:00-2', { one: 'P', two: 'S' }),
  '2026-11-15T09-00-00Z-10.json': at('09:00:00-10', { one: 'P', two: 'P' }),
  'mine.json': at('09:30:00', { one: 'P', two: 'F' }),
  'notes.json': {} as EvalReport,
};

describe('finding reports', () => {
  it('knows them by path, run id, and how late they are', async () => {
    await using pkg = await packageWith(HISTORY);
    const idOf = async (name: string) => {
      const { stdout, stderr } = await aam(['report', name, '--json'], { cwd: pkg.root });
      return stdout ? JSON.parse(stdout).id : stderr;
    };
    expect(await idOf('latest')).toBe('eval-run-09:30:00');
    expect(await idOf('latest~1')).toBe('eval-run-09:00:00-10');
    expect(await idOf('latest~2')).toBe('eval-run-09:00:00-2');
    expect(await idOf('latest~4')).toBe('eval-run-08:00:00');
    expect(await idOf('eval-run-08:00:00')).toBe('eval-run-08:00:00');
    expect(await idOf('09:00:00-2')).toBe('eval-run-09:00:00-2');
    expect(await idOf('evals/reports/mine.json')).toBe('eval-run-09:30:00');
    expect(await idOf('latest~5')).toMatch(
      /^error: there is no report latest~5: there are 5 reports in .*\n {2}make one: {2}aam eval\n$/,
    );
    expect(await idOf('yesterday')).toMatch(
      /^error: there is no report yesterday: it is neither a file nor the id of a run in /,
    );
    expect(await idOf('./latest.json')).toMatch(/^error: there is no report .*latest\.json\n$/);
  });

  it('needs a package only for names that are no paths', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'plain'), JSON.stringify(at('08:00:00', { one: 'P' })));
    expect((await aam(['report', 'plain'], { cwd: folder.path })).code).toBe(0);
    expect(await aam(['report', 'latest'], { cwd: folder.path })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a package'),
    });
  });
});

describe('aam eval diff', () => {
  it('ends with 0, 1 or 2', async () => {
    await using pkg = await packageWith(HISTORY);
    const diff = async (a: string, b: string, ...args: string[]) =>
      (await aam(['eval', 'diff', a, b, ...args], { cwd: pkg.root })).code;
    expect(await diff('latest~4', 'latest~3')).toBe(0);
    expect(await diff('latest~1', 'latest')).toBe(1);
    expect(await diff('latest~1', 'latest', '--significant')).toBe(0);
    await writeFile(join(pkg.root, 'other.json'), JSON.stringify(at('10:00:00', { other: 'P' })));
    expect(await diff('latest', 'other.json')).toBe(2);
    expect(await diff('latest', 'nothing.json')).toBe(2);
    expect(await diff('latest', 'package.agent.json')).toBe(2);
    expect((await aam(['eval', 'diff', 'latest'], { cwd: pkg.root })).code).toBe(2);
  });

  it('shows what changed within 80 columns, the conclusion last', async () => {
    await using pkg = await packageWith(HISTORY);
    const { stdout } = await aam(['eval', 'diff', 'latest~1', 'latest'], { cwd: pkg.root });
    expect(stdout).toMatchInlineSnapshot(`
      "first   2026-11-15T09:00:00Z  demo 1.0.0
      second  2026-11-15T09:30:00Z  demo 1.0.0
      both    claude-code 2.1.325 claude-sonnet-5-5

      cases
        ✗ two  PASS  →  FAIL  regressed
            the output does not contain "x"
        1 unchanged

      means of the cases that can be compared
        pass rate  100 %    →  50 %     −50 points
        time       2.0 s    →  2.0 s    ±0
        tokens     120      →  120      ±0
        cost       $0.0100  →  $0.0100  ±0

      No evidence of a difference: pass rate 100 % → 50 % over 2 cases (−50 points,
      95 % interval −90.5 to +48.6; p = 1.00, exact McNemar test). A difference of
      this size would show with about 10 runs of each case (--runs 10).
      1 case that passed now fails.
      "
    `);
    for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80);
  });

  it('prints for machines and as Markdown', async () => {
    await using pkg = await packageWith(HISTORY);
    const args = ['eval', 'diff', 'latest~4', 'latest~3'];
    const json = await aam([...args, '--json', '-C', pkg.root]);
    expect(evalDiff.parse(JSON.parse(json.stdout))).toMatchObject({
      conclusion: 'no-evidence',
      counts: { improved: 1, unchanged: 1 },
      exit_code: 0,
    });
    const markdown = await aam([...args, '--markdown'], { cwd: pkg.root });
    expect(markdown.stdout).toContain('## ⚪ No evidence of a difference\n');
    expect(markdown.stdout).toContain('| ` one ` | improved | FAIL | PASS |  |');
    expect((await aam([...args, '--markdown', '--json'], { cwd: pkg.root })).code).toBe(2);
  });

  it('shows nothing of an agent’s text that would act', async () => {
    const nasty = '\x1b[2J</td><script>\n## Better\n::error::x';
    const b = reportOf({ one: 'F' }, { each: () => ({ error: nasty }), report: { id: 'b' } });
    await using pkg = await packageWith({ 'a.json': reportOf({ one: 'P' }), 'b.json': b });
    const args = ['eval', 'diff', 'evals/reports/a.json', 'evals/reports/b.json'];
    const [text, markdown] = await Promise.all([
      aam(args, { cwd: pkg.root }),
      aam([...args, '--markdown'], { cwd: pkg.root }),
    ]);
    for (const { stdout } of [text, markdown]) {
      expect(stdout).toContain('Better');
      expect(stdout).not.toMatch(/\x1b|^## Better|^::/m);
    }
    expect(markdown.stdout).not.toContain('<script>');
  });

  it('leaves a case called diff or help within reach', async () => {
    const config = { version: 1, engine: 'command', command: ['/bin/echo', 'hi'] };
    await using pkg = await writePackage({
      ...PACKAGE,
      'evals/eval-config.json': config,
      'evals/cases/diff.yaml': evalCase('diff'),
      'evals/cases/help.yaml': evalCase('help'),
    });
    const cases = async (...args: string[]) => {
      const { stdout } = await aam(['eval', '--dry-run', '--json', ...args], { cwd: pkg.root });
      return JSON.parse(stdout).cases.map((it: { name: string }) => it.name);
    };
    expect(await cases('--case', 'diff')).toEqual(['diff']);
    expect(await cases('help', 'diff')).toEqual(['diff', 'help']);
    expect(await cases('help')).toEqual(['help']);
  });
});

describe('other formats of a run', () => {
  const config = { version: 1, engine: 'command', command: ['/bin/echo', 'hi\n::error::from the agent'] };
  const files = {
    ...PACKAGE,
    'evals/eval-config.json': config,
    'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['bye'] } }),
    'evals/cases/b.yaml': evalCase('b'),
  };

  it('are written beside the report, and refused before the run when they cannot be', async () => {
    await using pkg = await writePackage(files);
    const args = ['eval', '--junit', 'out/junit.xml', '--markdown', 'out/report.md'];
    expect((await aam(args, { cwd: pkg.root })).code).toBe(1);
    expect(await readFile(join(pkg.root, 'out/junit.xml'), 'utf8')).toContain(
      'tests="2" failures="1" errors="1"',
    );
    expect(await readFile(join(pkg.root, 'out/report.md'), 'utf8')).toContain(
      '**0 passed, 1 failed, 1 undecided**',
    );
    const refused = await aam(['eval', '--junit', 'evals'], { cwd: pkg.root });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^error: the junit file .*evals cannot be written: /);
  });

  it('are not given to the agent of the next run: they tell what was expected', async () => {
    await using pkg = await writePackage({
      ...files,
      'evals/eval-config.json': { ...config, command: ['/bin/ls', '/package'] },
      'notes.md': 'No report.',
    });
    const run = (...args: string[]) => aam(['eval', 'a', '--json', ...args], { cwd: pkg.root });
    const forTools = ['--benchmark-json', 'figures.json', '--jsonl', 'rows.jsonl'];
    await run('--junit', 'junit.xml', '--markdown', 'report.md', '-o', 'report.json', ...forTools);
    const diff = await aam(['eval', 'diff', 'report.json', 'report.json', '--json'], { cwd: pkg.root });
    await writeFile(join(pkg.root, 'diff.json'), diff.stdout);
    const { stdout } = await run();
    const seen = JSON.parse(stdout).cases[0].agent_output_snippet.split('\n');
    expect(seen).toContain('notes.md');
    expect(seen.filter((it: string) => /junit|report|diff|figures|rows/.test(it))).toEqual([]);
  });

  it('tell GitHub Actions: a summary, and a note at the line of each case that did not pass', async () => {
    await using pkg = await writePackage(files);
    const summary = join(pkg.root, 'summary.md');
    await writeFile(summary, 'before\n');
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_WORKSPACE: join(pkg.root, '..'),
    };
    const { stdout, stderr } = await aam(['eval'], { cwd: pkg.root, env });
    const folder = pkg.root.slice(pkg.root.lastIndexOf('/') + 1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(`^::error file=${folder}/evals/cases/a.yaml,line=1,title=a failed::.*bye`),
      expect.stringMatching(`^::warning file=${folder}/evals/cases/b.yaml,line=1,title=b is undecided::`),
    ]);
    expect(stdout).not.toMatch(/^\s*::/m);
    expect(await readFile(summary, 'utf8')).toMatch(/^before\n<!-- aam-eval-report -->\n\n## 🔴 Failed/);
    const quiet = await aam(['eval'], { cwd: pkg.root, env: { GITHUB_ACTIONS: '' } });
    expect(quiet.stderr).toBe('');
  });
});
