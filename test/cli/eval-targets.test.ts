/** One eval file with several targets: which run, what they write, how it ends. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Cli } from '../../src/cli/cli.ts';
import { evalRuns } from '../../src/cli/eval-runs.ts';
import { aam } from '../helpers/cli.ts';
import { writePackage } from '../helpers/package.ts';

const FILES = {
  '.agentv/targets.yaml': {
    targets: [
      { name: 'a', provider: 'mock', response: 'hello' },
      { name: 'b', provider: 'mock', response: 'bye' },
      { name: 'a b', provider: 'mock', response: 'hello' },
      { name: 'a-b', provider: 'mock', response: 'bye' },
    ],
  },
  'EVAL.yaml': {
    tests: [
      {
        id: 'of-a',
        input: 'Hi.',
        execution: { target: 'a' },
        assert: [{ type: 'contains', value: 'hello' }],
      },
      { id: 'of-b', input: 'Hi.', execution: { target: 'b' }, assert: [{ type: 'contains', value: 'bye' }] },
    ],
  },
};

it('runs only the targets of the cases that are chosen', async () => {
  await using folder = await writePackage(FILES);
  const { code, stdout, stderr } = await aam(['eval', 'EVAL.yaml', '--filter', 'of-b', '--json'], {
    cwd: folder.root,
  });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).cases).toMatchObject([{ name: 'of-b', verdict: 'PASS' }]);
});

it('writes a file for each target, whatever its ending', async () => {
  await using folder = await writePackage(FILES);
  const args = ['eval', 'EVAL.yaml', '-o', 'out/r.json', '--evidence', 'out/e.tar.gz'];
  const { code, stderr } = await aam(args, { cwd: folder.root });
  expect(code, stderr).toBe(0);
  expect(await readdir(join(folder.root, 'out'))).toEqual([
    'e.a.tar.gz',
    'e.b.tar.gz',
    'r.a.json',
    'r.b.json',
  ]);
});

it('lets no target replace the report of another', async () => {
  await using folder = await writePackage(FILES);
  const args = ['eval', 'EVAL.yaml', 'of-a', '--target', 'a b', '--target', 'a-b', '-o', 'r.json'];
  const { code, stderr } = await aam(args, { cwd: folder.root });
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"a b" and "a-b" would have the same name in a file'),
  });
});

it('is no success when it was interrupted before anything ran', async () => {
  const told: (string | number)[] = [];
  const cli = {
    signal: AbortSignal.abort(),
    exitWith: (code: number) => void told.push(code),
    err: (text: string) => void told.push(text),
  } as Partial<Cli> as Cli;
  const runs = [{ target: 'a', request: { outputs: {} } }];
  await evalRuns(cli, runs as never, { json: false, printed: null });
  expect(told).toEqual([130, 'interrupted before the run began: a']);
});
