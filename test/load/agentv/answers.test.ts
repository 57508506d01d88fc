/** What an eval file brings into the workspace never tells how its tests are graded. */
import { expect, it } from 'vitest';
import { findingsOf, lines, onlyCase, read } from './read.ts';

const GRADED = { assert: [{ type: 'code-judge', command: ['python3', 'judges/j.py'] }, { include: 'mine' }] };
const FILES = {
  '.agentv/templates/mine.yaml': [{ type: 'contains', value: '42' }],
  '.agentv/targets.yaml': { targets: [] },
  'evals/judges/j.py': 'print(42)',
  'evals/other.eval.yaml': { tests: [] },
  'evals/reports/old.json': '{}',
  'evals/data.jsonl': '{"input": "work on this"}',
  'src/app.py': 'print(1)',
};

it('leaves eval files, graders and records out of a template, and says so', async () => {
  const test = { id: 'one', input: 'Do it.', workspace: { template: '..' }, ...GRADED };
  const { suite, ...loaded } = await read({ tests: [test] }, FILES);
  expect(suite.cases[0]?.files.map(({ to }) => to)).toEqual(['evals/data.jsonl', 'src/app.py']);
  expect(lines(loaded).filter((line) => line.includes('left out of the workspace'))).toHaveLength(2);
});

it('knows the graders of tests that come later', async () => {
  const first = { id: 'first', input: 'Do it.', workspace: { template: '.' }, assert: ['It is done.'] };
  const { suite } = await read({ tests: [first, { id: 'second', input: 'Do it.', ...GRADED }] }, FILES);
  expect(suite.cases[0]?.files.map(({ to }) => to)).toEqual(['data.jsonl']);
});

it.each([
  ['judges/j.py'],
  ['other.eval.yaml'],
  ['reports/old.json'],
  ['../.agentv/templates/mine.yaml'],
  ['EVAL.yaml'],
])('gives no agent %s, by whichever key', async (path) => {
  for (const test of [{ input_files: [path] }, { file_paths: [path] }]) {
    const { fault, files } = await onlyCase({ ...GRADED, ...test }, FILES);
    expect(files).toEqual([]);
    expect(fault).toMatchObject({ errorKind: 'file_copy_error' });
    expect(fault?.error).toMatch(/holds answers, so no agent may get it$/);
  }
});

it('clones no repository that the eval file is in', async () => {
  const workspace = { repos: [{ path: 'app', source: { type: 'local', path: '..' } }] };
  expect((await findingsOf({ ...GRADED, workspace }, FILES)).join()).toContain(
    'has this eval file in it, so the agent would find the answers there',
  );
});
