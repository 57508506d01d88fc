/** `--html` as people call it. */
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPORT_MARK } from '../../src/model/report.ts';
import type { ViewerData, ViewerRun } from '../../src/model/viewer.ts';
import { aam } from '../helpers/cli.ts';
import { evalCase, PACKAGE } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';

/** An agent that says its prompt and, asked to look, names every page of the package it can see. */
const AGENT = `echo "said: $1"; if [ "$1" = look ]; then find /package . -name '*.html'; fi; echo made > made.txt`;

/** Without a judge: what the checks do not fail stays undecided. */
const evaluate = (cwd: string, ...args: string[]) => aam(['eval', '--no-judge', ...args], { cwd });

const page = async (path: string) => {
  const html = await readFile(path, 'utf8');
  const json = new RegExp(`<script id="${REPORT_MARK}" type="application/json">(.*?)</script>`, 's').exec(
    html,
  )?.[1];
  return JSON.parse(json ?? '') as ViewerData;
};

const runOf = (data: ViewerData): ViewerRun => {
  if (data.kind !== 'run') throw new Error('not one run');
  return data.run;
};

const outputs = (run: ViewerRun) =>
  run.cases.map(({ trials: [trial] }) =>
    trial?.capture.state === 'here' ? trial.capture.capture.output : trial?.capture,
  );

function evalPackage(second = 'two') {
  const expected = { 'files-created': ['made.txt'], contains: ['said'] };
  return writePackage({
    ...PACKAGE,
    'evals/eval-config.json': {
      version: 1,
      engine: 'command',
      command: ['/bin/sh', '-c', AGENT, 'agent', '{prompt}'],
    },
    'evals/cases/a.yaml': evalCase('a', {
      input: { prompt: '</script><script>alert(1)</script>' },
      expected,
    }),
    'evals/cases/b.yaml': evalCase('b', { input: { prompt: second }, expected: { contains: ['nothing'] } }),
  });
}

describe('aam … --html', () => {
  it('writes what the agents did, from a run and from its report, wherever that lies', async () => {
    await using pkg = await evalPackage();
    const { code, stdout, stderr } = await evaluate(pkg.root, '--html', 'out/report.html');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('1 failed');
    const run = runOf(await page(join(pkg.root, 'out/report.html')));
    expect(run.report.exit_code).toBe(1);
    expect(outputs(run)).toEqual(['said: </script><script>alert(1)</script>', 'said: two']);
    const [first] = run.cases[0]?.trials ?? [];
    expect(first?.capture).toMatchObject({ capture: { files: [{ path: 'made.txt', change: 'created' }] } });

    const again = await aam(['report', 'latest', '--html', 'again.html'], { cwd: pkg.root });
    expect(again).toEqual({ code: 1, stdout: '', stderr: '' });
    expect(runOf(await page(join(pkg.root, 'again.html')))).toEqual(run);

    await using elsewhere = await temporaryFolder();
    const [saved = ''] = await readdir(join(pkg.root, 'evals/reports'));
    const moved = join(elsewhere.path, 'moved.json');
    await rename(join(pkg.root, 'evals/reports', saved), moved);
    await aam(['report', moved, '--html', 'moved.html'], { cwd: pkg.root });
    expect(runOf(await page(join(pkg.root, 'moved.html')))).toEqual(run);
    await aam(['report', moved, '--html', 'alone.html'], { cwd: elsewhere.path });
    const why = 'the captures of this run were not found beside the report or in the package';
    expect(outputs(runOf(await page(join(elsewhere.path, 'alone.html'))))).toEqual([
      { state: 'left-out', why },
      { state: 'left-out', why },
    ]);
  });

  it('puts two runs side by side', async () => {
    await using pkg = await evalPackage();
    await evaluate(pkg.root);
    const third = evalCase('c', { input: { prompt: 'three' }, expected: { contains: ['said'] } });
    await writeFile(join(pkg.root, 'evals/cases/c.yaml'), JSON.stringify(third));
    await evaluate(pkg.root);
    const { code, stdout } = await aam(
      ['eval', 'diff', 'latest~1', 'latest', '--html', 'diff.html', '--json'],
      {
        cwd: pkg.root,
      },
    );
    const data = await page(join(pkg.root, 'diff.html'));
    if (data.kind !== 'diff') throw new Error('not a comparison');
    expect(code).toBe(0);
    expect(data.diff).toEqual(JSON.parse(stdout));
    expect(data.diff.counts).toMatchObject({ unchanged: 2, added: 1 });
    expect([outputs(data.a).length, outputs(data.b)[2]]).toEqual([2, 'said: three']);
  });

  it('keeps the page from the next run’s agents', async () => {
    await using pkg = await evalPackage('look');
    await writeFile(join(pkg.root, 'page.html'), '<p>part of the package</p>');
    for (const name of ['report.html', 'docs/report.html']) await evaluate(pkg.root, '--html', name);
    await evaluate(pkg.root, '--html', 'last.html');
    const run = runOf(await page(join(pkg.root, 'last.html')));
    const said = String(outputs(run)[1]);
    expect(said).toContain('/package/page.html');
    expect(said).not.toContain('report.html');
  });

  it('says before a run that a page cannot be written', async () => {
    await using pkg = await evalPackage();
    await mkdir(join(pkg.root, 'folder.html'));
    const { code, stderr } = await evaluate(pkg.root, '--html', 'folder.html');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: the html file .*folder\.html cannot be written: .* is a folder\n$/);
    await expect(readdir(join(pkg.root, 'evals'))).resolves.not.toContain('reports');
  });
});
