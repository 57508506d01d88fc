/** Whatever lies where, no agent finds the answers. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { evalCase, runOwnAgent, withOwnAgent } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writeFiles } from '../helpers/package.ts';

const CASE = evalCase('a', { expected: { contains: ['EXPECTED-ANSWER'] } });

describe('a package in a folder that the sandbox shows', () => {
  it.each([
    ['is on PATH itself', (root: string) => root],
    ['lies below one that is on PATH', (root: string) => dirname(root)],
  ])('is hidden when it %s', async (_, onPath) => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'repo', 'pkg');
    await mkdir(join(folder.path, 'repo', '.git'), { recursive: true });
    await writeFiles(root, {
      ...withOwnAgent(
        `find ${folder.path} -type f; find / -name a.yaml -path "*cases*" -not -path "/proc/*"`,
      ),
      'evals/cases/a.yaml': CASE,
      'evals/reports/old.json': '{}',
    });
    await writeFiles(dirname(root), { 'copy-of-answers': 'x' });
    const { report } = await runOwnAgent(root, [], { PATH: `${onPath(root)}:${process.env['PATH']}` });
    expect(report.cases[0]).toMatchObject({ verdict: 'FAIL', agent_output_snippet: '' });
  });
});
