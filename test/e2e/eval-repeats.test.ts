/** Repeats and the baseline arm, with the real CLIs against a scripted model that is agent and judge at once. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import { ENGINE_NAMES, evalCase, judgeSays, modelEnv, PACKAGE, runEval, shell } from '../helpers/eval.ts';
import { type ModelRequest, modelServer, type Turn } from '../helpers/model-server.ts';
import { type Files, skillText, writePackage } from '../helpers/package.ts';

const PASS = judgeSays('PASS', ['The answer']);

/** Each new session gets the next answer, and the same one when it asks again. */
function inTurn(...answers: Turn[]): (request: ModelRequest) => Turn {
  const sessions: string[] = [];
  return ({ body }) => {
    const session: string = body.prompt_cache_key ?? body.metadata.user_id;
    if (!sessions.includes(session)) sessions.push(session);
    return answers[sessions.indexOf(session)] ?? {};
  };
}

const RIGHT: Turn = { text: 'The answer is 42.' };
const WRONG: Turn = { text: 'The answer is 41.' };
const NO_MODEL: Turn = { status: 401 };

const cases = (...names: string[]): Files =>
  Object.fromEntries(
    names.map((name) => [`evals/cases/${name}.yaml`, evalCase(name, { expected: { contains: ['42'] } })]),
  );

describe('aam eval --runs', () => {
  it('runs each case afresh, all first repetitions first, and tells how often it passed', async () => {
    await using pkg = await writePackage({ ...PACKAGE, ...cases('a', 'b') });
    const script = inTurn(RIGHT, RIGHT, RIGHT, WRONG);
    const run = await runEval(pkg.root, 'claude-code', script, ['--runs', '2', '-j', '1'], {}, PASS);
    expect(run.code).toBe(1);
    expect(run.report.config).toMatchObject({ runs: 2, pass_threshold: 1, baseline: false });
    expect(run.report.summary).toMatchObject({ total: 2, passed: 1, failed: 1 });
    const [a, b] = run.report.cases;
    expect(a).toMatchObject({ verdict: 'PASS', statistics: { total: 2, passed: 2, flaky: false } });
    expect(b).toMatchObject({
      verdict: 'FAIL',
      trial: 'b.claude-code.with.2',
      statistics: { total: 2, decided: 2, passed: 1, pass_rate: 0.5, flaky: true },
    });
    expect(run.report.comparison).toBeNull();
    // Four agents and, where the checks passed, a judge; all of it is in the totals.
    expect(run.requests).toHaveLength(7);
    expect(run.report.usage.requests).toBe(7);
    const [folder = ''] = await readdir(join(pkg.root, '.aam/runs'));
    const journal = await readFile(join(pkg.root, '.aam/runs', folder, 'journal.jsonl'), 'utf8');
    expect(journal.match(/"trial":"[^"]+"/g)).toEqual([
      '"trial":"a.claude-code.with.1"',
      '"trial":"b.claude-code.with.1"',
      '"trial":"a.claude-code.with.2"',
      '"trial":"b.claude-code.with.2"',
    ]);
    expect(await readdir(join(pkg.root, '.aam/runs', folder, 'captures'))).toHaveLength(4);
  });

  it.each([
    ['0.6', [RIGHT, WRONG, RIGHT], 'PASS', 0],
    ['1', [RIGHT, WRONG, RIGHT], 'FAIL', 1],
    ['1', [RIGHT, NO_MODEL, RIGHT], 'SKIP', 3],
    ['0.6', [RIGHT, NO_MODEL, RIGHT], 'PASS', 0],
    ['0.6', [WRONG, NO_MODEL, WRONG], 'FAIL', 1],
  ] as const)('at a threshold of %s decides the case: %j', async (threshold, answers, verdict, exit) => {
    await using pkg = await writePackage({ ...PACKAGE, ...cases('a') });
    const args = ['--runs', '3', '-j', '1', '--pass-threshold', threshold];
    const run = await runEval(pkg.root, 'codex', inTurn(...answers), args, {}, PASS);
    expect(run.report.cases[0]?.verdict).toBe(verdict);
    expect([run.code, run.report.exit_code]).toEqual([exit, exit]);
  });

  it('takes the number of runs from the config, unless told another', async () => {
    const config = { version: 1, engine: 'command', command: ['/bin/echo', '42'], runs: 3 };
    await using pkg = await writePackage({ ...PACKAGE, ...cases('a'), 'evals/eval-config.json': config });
    const runs = async (...args: string[]) => {
      const { stdout } = await aam(['eval', '--json', ...args], { cwd: pkg.root });
      return JSON.parse(stdout).cases[0].trials.length;
    };
    expect([await runs(), await runs('--runs', '2')]).toEqual([3, 2]);
    await writeFile(join(pkg.root, 'evals/eval-config.json'), JSON.stringify({ ...config, runs: 0 }));
    expect((await aam(['eval'], { cwd: pkg.root })).stderr).toContain('runs must be 1 or more');
    await writeFile(join(pkg.root, 'evals/eval-config.json'), JSON.stringify(config));
    for (const args of [
      ['--runs', '0'],
      ['--runs', '1001'],
      ['--pass-threshold', '0'],
      ['--pass-threshold', '1.5'],
    ])
      expect((await aam(['eval', ...args], { cwd: pkg.root })).code).toBe(2);
  });

  it('tells on the terminal which trial is which, and what they say together', async () => {
    await using pkg = await writePackage({ ...PACKAGE, ...cases('a', 'b') });
    await using server = await modelServer(inTurn(RIGHT, RIGHT, RIGHT, WRONG), { judge: PASS });
    const args = ['eval', '--runs', '2', '-j', '1', '--model', 'claude-sonnet-5-5'];
    const { stdout, code } = await aam(args, { cwd: pkg.root, env: modelEnv(server.url) });
    expect(code).toBe(1);
    expect(stdout).toContain('demo 1.0.0: 2 cases with claude-code, 2 runs each');
    expect(stdout).toMatch(/^✗ b #2 /m);
    expect(stdout).toContain(
      'trials that passed, their share and its 95 % interval\n  b  1/2  50 %   9 % to 91 %    flaky\n  a  2/2  100 %  34 % to 100 %\n',
    );
  });
});

const BLOCKS = '#!/bin/sh\necho "MARKER-HOOK says no" >&2\nexit 2\n';

const FULL: Files = {
  ...PACKAGE,
  'skills/echo/SKILL.md': skillText('echo', 'MARKER-BODY\n').replace('Does echo', 'MARKER-SKILL'),
  'rules/tone/RULE.md': '---\nname: tone\ndescription: x\napply:\n  mode: always\n---\nMARKER-RULE\n',
  'AGENTS.md': 'MARKER-AGENTS\n',
  'hooks/hooks.json': {
    version: 1,
    hooks: { 'pre-tool-use': [{ hooks: [{ type: 'command', command: '$PACKAGE_ROOT/hooks/no.sh' }] }] },
  },
  'hooks/no.sh!': BLOCKS,
  'evals/fixtures/given.txt': 'GIVEN\n',
};

describe.each(ENGINE_NAMES)('aam eval --baseline with %s', (engine) => {
  it('gives the second arm the prompt and the files, and nothing of the package', async () => {
    await using pkg = await writePackage({
      ...FULL,
      'evals/cases/a.yaml': evalCase('a', {
        input: { prompt: 'Do it.', files: ['fixtures/given.txt'] },
        expected: { 'agent-blocked': true },
      }),
    });
    const look = shell(engine, 'ls -A . .. /package; cat fixtures/given.txt');
    const script = ({ turn }: ModelRequest): Turn =>
      turn === 0 ? { text: 'Looking.', tools: [look] } : RIGHT;
    const run = await runEval(pkg.root, engine, script, ['--baseline', '-j', '1'], {}, PASS);
    expect(run.report.cases[0]).toMatchObject({
      verdict: 'PASS',
      statistics: { total: 1, passed: 1 },
      baseline: { verdict: 'FAIL', total: 1, decided: 1, passed: 0 },
      trials: [
        { arm: 'with', verdict: 'PASS' },
        { arm: 'without', verdict: 'FAIL', deterministic_checks: { agent_blocked: 'FAIL' } },
      ],
    });
    expect(run.code).toBe(0);
    expect(run.report.comparison).toMatchObject({
      cases: 1,
      pass_rate: { with: 1, without: 0, difference: 1 },
      normalised_gain: 1,
      gained: ['a'],
      skills_never_activated: ['echo'],
    });
    const agents = run.requests
      .map(({ body }) => JSON.stringify(body))
      .filter((it) => !it.includes('SECRET-CRITERIA'));
    const isWith = (body: string) => body.includes('MARKER-AGENTS');
    const installed = agents.filter(isWith).join('\n');
    for (const marker of ['MARKER-SKILL', 'MARKER-RULE', 'MARKER-HOOK'])
      expect([marker, installed.includes(marker)]).toEqual([marker, true]);
    const without = agents.filter((it) => !isWith(it));
    expect(without).toHaveLength(2);
    expect(without.some((it) => it.includes('MARKER'))).toBe(false);
    expect(without.every((it) => it.includes('Do it.'))).toBe(true);
    const listing = without.find((it) => it.includes('GIVEN')) ?? '';
    expect(listing.includes('.:\\n.git\\nfixtures\\n\\n..:')).toBe(true);
    expect(/\/package'?: No such file/.test(listing)).toBe(true);
  });
});
