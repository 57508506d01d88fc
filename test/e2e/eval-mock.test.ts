/** Fixed answers in the place of an agent. */
import { expect, it } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import type { Target } from '../../src/model/target.ts';
import { aam } from '../helpers/cli.ts';
import { evalCase, PACKAGE } from '../helpers/eval.ts';
import { writePackage } from '../helpers/package.ts';
import { type PlannedOptions, runPlanned } from '../helpers/plan.ts';

const FILES = {
  ...PACKAGE,
  'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['blue'] } }),
};

const TARGET: Target = {
  ...{ name: 'fixed', engine: 'mock', model: null, timeoutSeconds: null, instructions: 'Be brief.' },
  ...{ shell: null, provider: null, response: 'It is blue.', judge: null },
};

async function run(options: Partial<PlannedOptions> = {}) {
  await using pkg = await writePackage(FILES);
  const change = (it: Case): Case => ({ ...it, criteria: [], followUps: ['Again.'] });
  return await runPlanned({
    root: pkg.root,
    engine: 'mock',
    change,
    changePlan: (plan) => ({ ...plan, settings: { ...plan.settings, target: TARGET } }),
    ...options,
  });
}

it('gives its answer to every prompt, and the report says that nothing real ran', async () => {
  const { report, requests, captures } = await run();
  expect(report.cases[0]).toMatchObject({
    verdict: 'PASS',
    agent_output_snippet: 'It is blue.',
    agent: { model: null, session_id: null },
    usage: { requests: 0 },
  });
  expect(report.tape.note).toMatch(/^answered by a mock: no agent and no model ran, so this is no evidence/);
  expect(report.warnings).toContain(
    'the engine mock does not get the package demo: its answers say nothing about it',
  );
  expect(requests).toEqual([]);
  expect(captures[0]).toMatchObject({ command: ['mock'], output: 'It is blue.\nIt is blue.' });
});

it('gives what the case has for it instead, and pretends the calls that are there', async () => {
  const mock = {
    response: 'no idea',
    toolCalls: [{ tool: 'search', input: { query: 'colour' }, output: 'nothing found' }],
  };
  const { report, captures } = await run({ change: (it) => ({ ...it, criteria: [], mock }) });
  expect(report.cases[0]).toMatchObject({ verdict: 'FAIL', agent_output_snippet: 'no idea' });
  expect(captures[0]?.events).toMatchObject([
    { type: 'tool-call', id: 'mock-1', tool: 'search', input: { query: 'colour' } },
    { type: 'tool-result', id: 'mock-1', output: 'nothing found' },
    { type: 'message', text: 'no idea' },
    { type: 'end', ok: true, output: 'no idea' },
  ]);
});

it('leaves a case undecided for which there is no answer, and says so on the terminal', async () => {
  await using pkg = await writePackage(FILES);
  const { code, stdout } = await aam(['eval', '--engine', 'mock', '--no-judge'], { cwd: pkg.root });
  expect(code).toBe(3);
  expect(stdout).toContain('the engine mock has no answer to give');
  expect(stdout).toContain('answered by a mock: no agent and no model ran');
});
