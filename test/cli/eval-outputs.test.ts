/** What a run is asked to write: never in place of something else, and never in place of the verdict. */
import { link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import { evalCase, withOwnAgent } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { skillText, writePackage } from '../helpers/package.ts';
import { reportOf } from '../report/reports.ts';

const SKILL = {
  'SKILL.md': skillText('s'),
  'evals/eval-config.json': { version: 1, engine: 'command', command: ['/bin/sh', '-c', '{prompt}'] },
  'evals/evals.json': [
    { prompt: 'echo hi', files: ['data.csv'], assertions: { type: 'contains', value: 'hi' } },
  ],
  'data.csv': 'a,b',
};

describe('what is in the way', () => {
  it.each([
    [['--junit', 'out', '--markdown', './out'], '--junit and --markdown name the same file'],
    [['-o', 'out.json', '--jsonl', 'link.json'], '-o and --jsonl name the same file'],
    [['--junit', 'evals/evals.json'], '--junit would replace .*evals.json, which the run needs'],
    [['--benchmark-json', 'data.csv'], '--benchmark-json would replace .*data.csv, which the run needs'],
    [['-o', 'SKILL.md'], '-o would replace SKILL.md of the package, which is no report of aam'],
    [['--html', 'to-skill'], '--html would replace SKILL.md of the package, which is no report of aam'],
    [['--jsonl', 'evals/eval-config.json'], '--jsonl would replace evals/eval-config.json of the package'],
    [['-o', 'evals/tapes/a.jsonl'], '-o would replace evals/tapes/a.jsonl of the package'],
    [['--evidence', 'evals/evals.json'], '--evidence would replace .*evals.json, which the run needs'],
    [['--evidence', 'SKILL.md'], '--evidence would replace SKILL.md of the package'],
    [['--evidence', 'out', '--junit', 'out'], '--evidence and --junit name the same file'],
    [['--jsonl', '-'], '--jsonl needs a file'],
    [['-o', '-'], '-o needs a file'],
    [['--junit', '-', '--markdown', '-'], 'only one of --junit - and --markdown - can be printed'],
    [['--junit', '-', '--json'], 'only one of --json and --junit - can be printed'],
  ])('is refused before the run: %j', async (args, message) => {
    await using skill = await writePackage({
      ...SKILL,
      'evals/tapes/a.jsonl': '{"tape":1,"source":"recorded"}',
    });
    await symlink('out.json', join(skill.root, 'link.json'));
    await symlink('SKILL.md', join(skill.root, 'to-skill'));
    const { code, stdout, stderr } = await aam(['eval', ...args], { cwd: skill.root });
    expect(stderr).toMatch(new RegExp(`^error: ${message}`));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(await readFile(join(skill.root, 'SKILL.md'), 'utf8')).toBe(SKILL['SKILL.md']);
    expect(await readdir(skill.root)).not.toContain('.aam');
  });

  it('is replaced where it is what an earlier run wrote, or empty', async () => {
    await using skill = await writePackage({ ...SKILL, 'a.json': '' });
    const files = [
      ...['-o', 'a.json', '--benchmark-json', 'b.json', '--jsonl', 'c.jsonl', '--junit', 'd.xml'],
      ...['--evidence', 'e.tar.gz'],
    ];
    for (let time = 0; time < 2; time++) {
      const { code, stderr } = await aam(['eval', ...files], { cwd: skill.root });
      expect(stderr).toBe('');
      expect(code).toBe(0);
    }
    expect(JSON.parse(await readFile(join(skill.root, 'a.json'), 'utf8'))).toMatchObject({ exit_code: 0 });
  });

  it('is not the report that is shown in another format', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'r.json');
    await writeFile(file, JSON.stringify(reportOf({ one: 'P' })));
    await link(file, join(folder.path, 'other.json'));
    const { code, stderr } = await aam(['report', file, '--markdown', file]);
    expect(stderr).toContain('--markdown would replace');
    expect(code).toBe(2);
    const compared = await aam(['eval', 'diff', file, file, '--html', file]);
    expect(compared.stderr).toContain('--html would replace');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: 1 });
  });
});

describe('- prints one format, and nothing else', () => {
  it.each([
    ['--junit', /^<\?xml[\s\S]*<\/testsuites>\n$/],
    ['--markdown', /^<!-- aam-eval-report -->\n\n## 🟢 Passed/],
  ])('%s', async (option, shape) => {
    await using skill = await writePackage(SKILL);
    const { code, stdout, stderr } = await aam(['eval', option, '-'], { cwd: skill.root });
    expect(stdout).toMatch(shape);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readdir(skill.root)).not.toContain('-');
  });
});

describe('what cannot be written in the end', () => {
  /** An agent that puts a file where a folder was. */
  async function run(expected: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    await using folder = await temporaryFolder();
    const out = join(folder.path, 'out');
    await mkdir(out);
    await using pkg = await writePackage({
      ...withOwnAgent(`rm -r ${out}; touch ${out}; echo hi`),
      'evals/cases/a.yaml': evalCase('a', { expected: { contains: [expected] } }),
    });
    const all = args.map((it) => it.replace('OUT', out));
    return await aam(['eval', '--sandbox', 'none', '--no-judge', ...all], { cwd: pkg.root, env });
  }

  it.each([
    ['--junit', 'the junit file .*x could not be written'],
    ['--jsonl', '.*x could not be written'],
    ['-o', 'the report .*x could not be written'],
  ])('%s is told after the verdict, and takes nothing from it', async (option, message) => {
    await using folder = await temporaryFolder();
    const markdown = join(folder.path, 'report.md');
    const { code, stdout, stderr } = await run('never', [option, 'OUT/x', '--markdown', markdown]);
    expect(stdout).toMatch(/^1 failed/m);
    expect(await readFile(markdown, 'utf8')).toContain('## 🔴 Failed');
    expect(stderr).toMatch(new RegExp(`^error: ${message}`));
    expect(code).toBe(1);
  });

  it('leaves no run that is all well', async () => {
    await using skill = await writePackage({
      ...SKILL,
      'evals/evals.json': [{ prompt: 'rm -r "$OUT_DIR"; touch "$OUT_DIR"', assertions: ALWAYS }],
    });
    await using folder = await temporaryFolder();
    const out = join(folder.path, 'out');
    await mkdir(out);
    await writeFile(
      join(skill.root, 'evals/eval-config.json'),
      JSON.stringify({ ...SKILL['evals/eval-config.json'], env: { OUT_DIR: out } }),
    );
    const { code, stdout, stderr } = await aam(['eval', '--sandbox', 'none', '--junit', `${out}/x`], {
      cwd: skill.root,
    });
    expect(stdout).toMatch(/^1 passed/m);
    expect(stderr).toContain('could not be written');
    expect(code).toBe(2);
  });

  it('a summary that GitHub does not get is a warning', async () => {
    const { code, stderr } = await run('never', [], {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: '/nowhere/at/all.md',
    });
    expect(stderr).toMatch(/^warning: the summary \/nowhere\/at\/all\.md could not be written/m);
    expect(code).toBe(1);
  });
});

const ALWAYS = [{ type: 'not-contains', value: 'never said' }];
