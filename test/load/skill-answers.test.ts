/** Whatever a case names among its files, no agent gets what is expected of it. */
import { chmod, copyFile, link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { readSuite } from '../../src/load/formats/uaaps/suite.ts';
import { FORMATS } from '../../src/load/formats.ts';
import { REPORT_MARK } from '../../src/model/report.ts';
import { CLEAN, type Files, skillText, writePackage } from '../helpers/package.ts';
import { lines, onlyCase, SKILL } from './skill-evals.ts';

const OTHER = [{ prompt: 'Sum it up.', expected_output: '42' }];

async function filesOf(
  files: readonly string[],
  more: Files = {},
  prepare?: (root: string) => Promise<void>,
) {
  const evals = [{ id: 1, prompt: 'Do it.', expected: 'Done.', files }];
  await using folder = await writePackage({
    '.git/objects/aa/x': 'packed',
    '.aam/runs/1/captures/a.json': '{}',
    'SKILL.md': skillText('s'),
    'evals/evals.json': { evals },
    'evals/files/data.csv': 'a,b',
    ...more,
  });
  await prepare?.(folder.root);
  const loaded = await FORMATS['agent-skills'].read(join(folder.root, 'evals/evals.json'));
  const [it] = loaded.suite.cases;
  return { files: it?.files.map(({ to }) => to), error: it?.fault?.error, lines: lines(loaded) };
}

describe('a file that holds answers fails its case', () => {
  it.each([
    ['evals/evals.json', {}],
    ['evals/more-evals.txt', { 'evals/more-evals.txt': OTHER }],
    ['queries.json', { 'queries.json': { should_trigger: ['x'], should_not_trigger: ['y'] } }],
    ['cases.jsonl', { 'cases.jsonl': OTHER.map((it) => JSON.stringify(it)).join('\n') }],
    ['EVAL.yaml', { 'EVAL.yaml': 'tests: []\n' }],
    ['evals/eval-config.json', { 'evals/eval-config.json': { version: 1, engine: 'codex' } }],
    ['evals/reports/a.html', { 'evals/reports/a.html': '<p>' }],
    ['old.json', { 'old.json': { id: 'eval-run-1', cases: [{ deterministic_checks: {} }] } }],
    ['benchmark.json', { 'benchmark.json': { metadata: { record: REPORT_MARK }, runs: [] } }],
    ['a.jsonl', { 'a.jsonl': '{"tape":1,"source":"recorded"}' }],
    ['evals/cases/a.yaml', { 'evals/cases/a.yaml': 'name: a\n' }],
    ['.git', {}],
    ['.git/objects', {}],
    ['.aam/runs', {}],
  ])('%s', async (file, more) => {
    expect((await filesOf(['data.csv', file], more)).error).toBe(
      `the file "${file}" holds answers, so no agent may get it`,
    );
  });

  it('also as a copy, a hard link or a link under another name', async () => {
    const cases = { 'evals/cases/a.yaml': 'name: a\njudge: { criteria: It is so }\n' };
    const found = await filesOf(['copy.csv', 'hard.csv', 'soft.csv', 'case.txt'], cases, async (root) => {
      await link(join(root, 'evals/cases/a.yaml'), join(root, 'case.txt'));
      const original = join(root, 'evals/evals.json');
      await link(original, join(root, 'hard.csv'));
      await symlink(original, join(root, 'soft.csv'));
      await copyFile(original, join(root, 'copy.csv'));
    });
    expect(found.error?.match(/holds answers/g)).toHaveLength(4);
  });

  it('also as the file of a prompt', async () => {
    const it = await onlyCase({ prompt: '', prompt_file: 'evals.json', expected: 'x' });
    expect(it.fault?.error).toBe('the prompt file "evals.json" holds answers, so no agent may get it');
  });
});

describe('a folder', () => {
  it('is given without them, and the report says so', async () => {
    const more = {
      'evals/notes.txt': 'plain',
      'evals/trigger-evals.json': '[]',
      'evals/reports/a.json': '{}',
      'evals/files/law.json': { cases: [{ court: 'x' }] },
    };
    const found = await filesOf(['evals'], more);
    expect(found).toEqual({
      files: ['evals/files/data.csv', 'evals/files/law.json', 'evals/notes.txt'],
      error: undefined,
      lines: expect.stringContaining(
        'answers-left-out: the agent gets evals without evals/evals.json, evals/reports/a.json, evals/trigger-evals.json: answers are in it',
      ),
    });
  });

  it('that holds nothing else, or nothing at all, fails its case', async () => {
    const found = await filesOf(
      ['evals/reports', 'empty'],
      { 'evals/reports/a.json': '{}' },
      async (root) => {
        await mkdir(join(root, 'empty'));
      },
    );
    expect(found.error).toMatch(/"evals\/reports" holds answers.*"empty" is a folder without files/);
  });
});

describe('the hash of a case', () => {
  it('changes with the text of its prompt file', async () => {
    const hash = async (text: string) => {
      const fields = { prompt: undefined, prompt_file: 'a.txt', expected: 'x' };
      return (await onlyCase(fields, { ...SKILL, 'evals/prompts/a.txt': text })).hash;
    };
    expect(await hash('a')).toBe(await hash('a'));
    expect(await hash('a')).not.toBe(await hash('b'));
  });

  it('changes with the list it stands in', async () => {
    const hash = async (list: string) => {
      await using folder = await writePackage({ ...SKILL, 'q.json': { [list]: ['Sum it up'] } });
      return (await FORMATS['agent-skills'].read(join(folder.root, 'q.json'))).suite.cases[0]?.hash;
    };
    expect(await hash('should_trigger')).not.toBe(await hash('should_not_trigger'));
  });

  it('changes with who may run its files', async () => {
    await using folder = await writePackage({
      ...SKILL,
      'evals/evals.json': [{ prompt: 'x', expected: 'y', files: ['run.sh'] }],
      'run.sh': 'true',
    });
    const hash = async () =>
      (await FORMATS['agent-skills'].read(join(folder.root, 'evals/evals.json'))).suite.cases[0]?.hash;
    const before = await hash();
    await writeFile(join(folder.root, 'run.sh'), 'true');
    expect(await hash()).toBe(before);
    await chmod(join(folder.root, 'run.sh'), 0o755);
    expect(await hash()).not.toBe(before);
  });

  it('changes so in a package too', async () => {
    const hash = async (file: string) => {
      await using pkg = await writePackage({
        ...CLEAN,
        'evals/cases/a.yaml': {
          name: 'a',
          input: { prompt: 'x', files: ['fixtures/run.sh'] },
          judge: { criteria: 'y' },
        },
        [file]: 'true',
      });
      return readSuite(await readPackage(pkg.root)).cases[0]?.hash;
    };
    expect(await hash('evals/fixtures/run.sh')).toBe(await hash('evals/fixtures/run.sh'));
    expect(await hash('evals/fixtures/run.sh!')).not.toBe(await hash('evals/fixtures/run.sh'));
  });
});
