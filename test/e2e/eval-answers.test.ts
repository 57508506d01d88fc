/** Whatever lies where, no agent finds the answers. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
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

describe('copies of the answers and secrets in a package', () => {
  const criteria = 'SECRET: the agent must say the word heron exactly three times, and nothing else.';
  const files = {
    ...withOwnAgent('grep -rl SECRET . /package; ls -a /package /package/skills/echo'),
    'evals/cases/a.yaml': evalCase('a', { judge: { criteria }, expected: { contains: ['never'] } }),
    'out.txt': JSON.stringify({ criteria }),
    'skills/echo/notes.md': `What is asked: ${criteria}`,
    'skills/echo/scripts/check.py': `# ${criteria}`,
    'skills/echo/eval/a.yaml': 'SECRET',
    'results.xml': '<testsuites name="aam eval"><testcase name="a">SECRET</testcase></testsuites>',
    '.env': 'TOKEN=SECRET',
    'assets/data.txt': 'fine',
  };

  it('do not get to the agent, and the report says so', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, files);
    const { report } = await runOwnAgent(folder.path);
    expect(report.cases[0]?.agent_output_snippet).toMatchInlineSnapshot(`
      "./.agents/skills/echo/scripts/check.py
      /package/skills/echo/scripts/check.py
      /package:
      .
      ..
      assets
      package.agent.json
      skills

      /package/skills/echo:
      .
      ..
      SKILL.md
      scripts"
    `);
    expect(report.warnings).toMatchInlineSnapshot(`
      [
        "skills/echo/eval/a.yaml: looks like evals, so agents do not get it",
        ".env: may hold secrets, so agents do not get it",
        "out.txt has the criteria of the eval case a in it, so agents do not get it",
        "results.xml is a result for CI, so agents do not get it",
        "skills/echo/notes.md has the criteria of the eval case a in it, so agents do not get it",
        "skills/echo/scripts/check.py has the criteria of the eval case a in it, and agents can read it",
      ]
    `);
  });

  it('are told by --dry-run', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, files);
    const { stdout } = await aam(['eval', '--dry-run', '--json'], { cwd: folder.path });
    expect(JSON.parse(stdout).installed).not.toContain('.agents/skills/echo/notes.md');
    expect(stdout).toContain('so agents do not get it');
  });
});
