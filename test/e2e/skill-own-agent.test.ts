/** Evals of a skill with an agent that does what the prompt says: the shell. */
import { describe, expect, it } from 'vitest';
import { runOwnAgent } from '../helpers/eval.ts';
import { skillText, writePackage } from '../helpers/package.ts';

const SHELL = { version: 1, engine: 'command', command: ['/bin/sh', '-c', '{prompt}'] };

async function verdictsOf(cases: readonly object[]): Promise<string[]> {
  await using skill = await writePackage({
    'SKILL.md': skillText('s'),
    'evals/eval-config.json': SHELL,
    'evals/evals.json': cases,
  });
  const { report } = await runOwnAgent(skill.root, ['evals/evals.json']);
  return report.cases.map(({ verdict, error }) => `${verdict} ${error ?? ''}`.trim());
}

describe('what must not be', () => {
  it('fails its case when it is, however much else is right', async () => {
    const right = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((value) => ({ type: 'contains', value }));
    const verdicts = await verdictsOf([
      { prompt: 'echo ERROR', forbidden: [{ type: 'contains', value: 'ERROR' }] },
      { prompt: 'echo fine', forbidden: [{ type: 'contains', value: 'ERROR' }] },
      { prompt: 'echo abcdefg ERROR', assertions: right, must_not_include: { type: 'regex', value: 'ERR' } },
    ]);
    expect(verdicts).toEqual([
      expect.stringMatching(/^FAIL .*contains "ERROR", which must not be/),
      'PASS',
      expect.stringMatching(/^FAIL a part that is required failed: /),
    ]);
  });

  it('in a file needs the file', async () => {
    const forbidden = [{ type: 'file-contains', path: 'out.txt', value: 'ERROR' }];
    expect(
      await verdictsOf([
        { prompt: 'echo fine > out.txt; echo done', forbidden },
        { prompt: 'echo ERROR > out.txt; echo done', forbidden },
        { prompt: 'echo done', forbidden },
      ]),
    ).toEqual([
      'PASS',
      expect.stringContaining('out.txt contains "ERROR" (line 1)'),
      expect.stringMatching(/^FAIL .*out\.txt is not there/),
    ]);
  });
});

it('the report says which command was run, without the keys in it', async () => {
  const key = `sk-ant-${'a1'.repeat(20)}`;
  await using skill = await writePackage({
    'SKILL.md': skillText('s'),
    'evals/eval-config.json': { ...SHELL, command: ['/bin/sh', '-c', `TOKEN=${key}; {prompt}`] },
    'evals/evals.json': [{ prompt: 'echo hi', assertions: { type: 'contains', value: 'hi' } }],
  });
  const { report, stdout } = await runOwnAgent(skill.root, ['evals/evals.json']);
  expect(report.config.command).toEqual(['/bin/sh', '-c', 'TOKEN=[Anthropic key removed]; {prompt}']);
  expect(stdout).not.toContain(key);
});
