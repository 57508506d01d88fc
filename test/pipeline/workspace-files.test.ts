import { describe, expect, it } from 'vitest';
import { mergeFiles } from '../../src/pipeline/workspace-files.ts';
import { aam } from '../helpers/cli.ts';
import { evalCase, runOwnAgent, withOwnAgent } from '../helpers/eval.ts';
import { writePackage } from '../helpers/package.ts';

describe('a file that case and package both bring', () => {
  it('is the package’s, but for the manifest of the workspace', () => {
    const own = ['AGENTS.md', 'package.agent.json', 'own.txt'].map((to) => ({ to, text: 'case' }));
    const installed = ['package.agent.json', 'AGENTS.md'].map((to) => ({ to, text: 'package' }));
    expect(mergeFiles(own, installed)).toEqual({
      files: [
        { to: 'AGENTS.md', text: 'package' },
        { to: 'package.agent.json', text: 'case' },
        { to: 'own.txt', text: 'case' },
      ],
      warnings: [
        'package.agent.json: both case and package bring it; the one of the case counts',
        'AGENTS.md: both case and package bring it; the one of the package counts',
      ],
    });
  });

  it('is told in the report', async () => {
    await using pkg = await writePackage({
      ...withOwnAgent('cat AGENTS.md package.agent.json'),
      'AGENTS.md': 'PACKAGE TEXT',
      'evals/fixtures/AGENTS.md': 'CASE TEXT',
      'evals/fixtures/package.agent.json': { name: 'mine', version: '1.0.0' },
      'evals/cases/a.yaml': evalCase('a', {
        input: { prompt: 'Do it.', 'workspace-files': ['AGENTS.md', 'package.agent.json'] },
        expected: { contains: ['PACKAGE TEXT', 'mine'], 'not-contains': ['CASE TEXT'] },
      }),
    });
    const { report } = await runOwnAgent(pkg.root);
    expect(report.cases[0]?.deterministic_checks).toEqual({ contains: 'PASS', not_contains: 'PASS' });
    expect(report.cases[0]?.warnings).toHaveLength(2);
  });
});

describe('a workspace that cannot be made', () => {
  it.each<[string, object, object]>([
    ['.agents would be a file and, for .agents/skills', { 'workspace-files': ['.agents'] }, {}],
    [
      'the writable path src is a file',
      { 'workspace-files': ['src'] },
      { sandbox: { 'writable-paths': ['src/'] } },
    ],
    ['"." is all of evals/', { files: ['.'] }, {}],
  ])('is refused before anything runs: %s', async (message, input, config) => {
    await using pkg = await writePackage({
      ...withOwnAgent('true', config),
      'evals/cases/a.yaml': evalCase('a', { input: { prompt: 'Do it.', ...input } }),
    });
    for (const args of [['eval'], ['eval', '--dry-run']]) {
      const { code, stderr } = await aam(args, { cwd: pkg.root });
      expect(code).toBe(2);
      expect(stderr).toContain('evals/cases/a.yaml:');
      expect(stderr).toContain(message);
    }
  });
});
