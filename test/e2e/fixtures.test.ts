/** agentcarousel fixtures through `aam eval`: four evaluators, and three kinds of subjects. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type EvalCaseRecord, type EvalReport, evalReport } from '../../src/model/report.ts';
import { aam } from '../helpers/cli.ts';
import { ENGINE_NAMES, modelEnv, runEval, shell } from '../helpers/eval.ts';
import { fixtureCase, fixtureText, mocksOf } from '../helpers/fixture.ts';
import { type ModelRequest, modelServer, verdicts } from '../helpers/model-server.ts';
import { type Files, skillText, writePackage } from '../helpers/package.ts';
import { together } from '../helpers/together.ts';

interface Evaluated {
  readonly code: number;
  readonly report: EvalReport;
  readonly cases: Readonly<Record<string, EvalCaseRecord>>;
}

async function evaluate(files: Files, args: readonly string[] = []): Promise<Evaluated> {
  await using pkg = await writePackage(files);
  const { code, stdout, stderr } = await aam(
    ['eval', 'fixture.yaml', '--engine', 'mock', '--json', ...args],
    { cwd: pkg.root },
  );
  if (stdout === '') throw new Error(stderr);
  const report = evalReport.parse(JSON.parse(stdout));
  return { code, report, cases: Object.fromEntries(report.cases.map((it) => [it.name, it])) };
}

const item = (id: string, weight: number, value: string) => ({
  ...{ id, weight, description: `It says ${value}.` },
  auto_check: { kind: 'contains', value },
});

describe('rules', () => {
  const rubric = [item('a', 3, 'alpha'), item('b', 1, 'beta')];
  const expected = { output: [{ kind: 'not_contains', value: 'gamma' }], rubric };
  const files: Files = {
    'fixture.yaml': fixtureText(
      [
        fixtureCase('enough', { expected }),
        fixtureCase('too-little', { expected }),
        fixtureCase('asserted', { expected }),
        fixtureCase('lenient', { expected, evaluator_config: { effectiveness_threshold: 0.25 } }),
        fixtureCase('unanswered', { expected }),
        fixtureCase('later', { tags: ['deferred'] }),
      ],
      {
        bundle_id: 'me/notes',
        bundle_version: '2.1.0',
        risk_tier: 'low',
        certification_track: 'candidate',
        data_handling: 'no-pii',
      },
    ),
    ...mocksOf({ enough: 'alpha', 'too-little': 'beta', asserted: 'alpha beta gamma', lenient: 'beta' }),
  };

  it('score the rubric, and every assertion must hold', async () => {
    const { code, report, cases } = await evaluate(files);
    expect(cases['enough']).toMatchObject({ verdict: 'PASS', score: 0.75 });
    expect(cases['too-little']).toMatchObject({
      ...{ verdict: 'FAIL', score: 0.25 },
      error: 'the score is 25 %, needed are 70 %: the answer does not contain "alpha"',
    });
    expect(cases['asserted']).toMatchObject({
      ...{ verdict: 'FAIL', score: 1 },
      error: 'a part that is required failed: the answer contains "gamma" (line 1)',
    });
    expect(cases['lenient']).toMatchObject({ verdict: 'PASS', score: 0.25 });
    expect(cases['unanswered']).toMatchObject({ verdict: 'SKIP', error_kind: 'unsupported' });
    expect(Object.keys(cases)).not.toContain('later');
    expect(report.warnings).toContain('the case note-taker/later is deferred and was not run');
    expect([code, report.exit_code]).toEqual([1, 1]);
    expect(report).toMatchObject({
      suite: { format: 'agentcarousel', file: 'fixture.yaml' },
      certification: {
        ...{ bundle_id: 'me/notes', bundle_version: '2.1.0', certification_track: 'candidate' },
        ...{ risk_tier: 'low', data_handling: 'no-pii' },
      },
      tape: { note: expect.stringContaining('answered by a mock') },
    });
  });

  it('run for the cases that are chosen', async () => {
    const chosen = async (...args: string[]) => Object.keys((await evaluate(files, args)).cases);
    expect(await chosen('--filter', 'note-taker/*e')).toEqual(['too-little']);
    expect(await chosen('--filter', '*enough', '--filter-tags', 'smoke')).toEqual(['enough']);
    expect(await chosen('enough')).toEqual(['enough']);
    await expect(chosen('--filter', 'nothing*')).rejects.toThrow('no case fits --filter nothing*');
    await expect(chosen('--filter-tags', 'nightly')).rejects.toThrow('no case has the tag nightly');
    await expect(chosen('later')).rejects.toThrow('the case later is deferred');
  });

  it('leave a case open where what is missing could change it', async () => {
    const broken = [
      item('a', 1, 'alpha'),
      { ...item('b', 1, 'x'), auto_check: { kind: 'regex', value: '(' } },
    ];
    const { cases } = await evaluate({
      'fixture.yaml': fixtureText([fixtureCase('one', { expected: { rubric: broken } })]),
      ...mocksOf({ one: 'alpha' }),
    });
    expect(cases['one']).toMatchObject({ verdict: 'SKIP', error_kind: 'check-undecided', score: null });
  });
});

describe('golden', () => {
  const config = { evaluator: 'golden', golden_path: 'golden/a.txt', golden_threshold: 0.5 };
  const files: Files = {
    'fixture.yaml': fixtureText([
      fixtureCase('alike', { evaluator_config: config }),
      fixtureCase('unlike', { evaluator_config: config }),
      fixtureCase('asserted', { evaluator_config: config }),
      fixtureCase('lost', { evaluator_config: { ...config, golden_path: 'golden/b.txt' } }),
    ]),
    'golden/a.txt': 'noted\ntwo\nthree\n',
    ...mocksOf({ alike: 'noted\ntwo\n', unlike: 'noted', asserted: 'two\nthree\n', lost: 'noted' }),
  };

  it('decides by its threshold, and every assertion must hold', async () => {
    const { cases } = await evaluate(files);
    expect(cases['alike']).toMatchObject({ verdict: 'PASS', score: 0.8 });
    expect(cases['unlike']).toMatchObject({ verdict: 'FAIL', score: 0 });
    expect(cases['asserted']).toMatchObject({ verdict: 'FAIL', score: 0.8 });
    expect(cases['lost']).toMatchObject({ verdict: 'SKIP', error_kind: 'check-undecided' });
  });

  it('can be chosen for all cases, which must have what it needs', async () => {
    const plain = { ...files, 'fixture.yaml': fixtureText([fixtureCase('one')]) };
    await expect(evaluate(plain, ['--evaluator', 'golden'])).rejects.toThrow(
      'the evaluator golden needs a golden_path',
    );
    const { cases } = await evaluate(files, ['--evaluator', 'rules']);
    expect(cases['unlike']?.verdict).toBe('PASS');
  });
});

describe('process', () => {
  /** Each grades a case of its own. */
  const graded = together<string, EvalCaseRecord>(async (programs) => {
    const config = (at: number) => ({ evaluator: 'process', process_cmd: ['node', `checks/${at}.cjs`] });
    const answer = { content: 'noted', tool_calls: [{ tool: 'save', args: { to: 'x' } }] };
    const { report } = await evaluate({
      'fixture.yaml': fixtureText(
        programs.map((_, at) => fixtureCase(`c-${at}`, { seed: 7, evaluator_config: config(at) })),
      ),
      ...Object.fromEntries(programs.map((program, at) => [`checks/${at}.cjs`, program])),
      ...mocksOf(Object.fromEntries(programs.map((_, at) => [`c-${at}`, answer]))),
    });
    return report.cases;
  });
  const print = (answer: unknown) => `console.log(${JSON.stringify(JSON.stringify(answer))})`;
  const scores = (...all: number[]) =>
    all.map((score, at) => ({ rubric_id: `r${at}`, score, rationale: 'so' }));

  const told = graded(`
      let text = '';
      process.stdin.on('data', (chunk) => { text += chunk; }).on('end', () => {
        const { case: written, result } = JSON.parse(text);
        const told = [written.id, written.seed, result.case_id, result.trace.final_output, result.trace.steps[0].tool,
          result.trace.steps[0].args.to, process.env.ANTHROPIC_API_KEY ?? 'no key'].join(' ');
        console.log(JSON.stringify({ scores: [{ rubric_id: 'r', score: 1, rationale: told }] }));
      });`);
  it('gets the case and what came of it, in the sandbox', async () => {
    const it = await told();
    expect(it).toMatchObject({ verdict: 'PASS', score: 1 });
    expect(it.check_details.find(({ check }) => check === 'process')?.message).toBe(
      'the program gave scores: r 1 (note-taker/c-0 7 note-taker/c-0 noted save x no key)',
    );
  });

  const answers: [unknown, string, number | null][] = [
    [{ scores: scores(0.6, 1), passed: true }, 'PASS', 0.8],
    [{ scores: scores(0.6, 0.6), passed: true }, 'FAIL', 0.6],
    [{ scores: scores(1, 1), passed: false }, 'FAIL', 0],
    [{ passed: true }, 'PASS', 1],
    [{ passed: false }, 'FAIL', 0],
    [{ scores: scores(1.5) }, 'SKIP', null],
    [{ scores: [] }, 'SKIP', null],
    ['fine', 'SKIP', null],
  ];
  for (const [answer, verdict, score] of answers) {
    const decision = graded(print(answer));
    it(`${JSON.stringify(answer)}: ${verdict}`, async () => {
      expect(await decision()).toMatchObject({ verdict, score });
    });
  }

  const broken: [string, string][] = [
    ['process.exit(3)', 'the program ended with exit code 3'],
    ['throw new Error("oh")', 'the program ended with exit code 1'],
    ['console.log("all well")', 'the program did not print'],
  ];
  for (const [program, message] of broken) {
    const decision = graded(program);
    it(`${program} leaves the case undecided`, async () => {
      const record = await decision();
      expect(record).toMatchObject({ verdict: 'SKIP', error_kind: 'check-undecided' });
      expect(record.error).toContain(message);
    });
  }
});

const RUBRIC = [
  { id: 'kind', description: 'It is kind.', weight: 0.5 },
  { id: 'exact', description: 'It is exact.', weight: 0.5 },
];

function judge(request: ModelRequest) {
  const text = JSON.stringify(request.body);
  const exact = text.includes('sort of') ? 2 : 10;
  return verdicts(request, [
    { id: 'kind', evidence: ['noted, friend'], reason: 'It is.', score: 8 },
    { id: 'exact', evidence: ['noted, friend'], reason: 'It is exact or not.', score: exact },
  ]);
}

describe.each(ENGINE_NAMES)('a real agent, %s', (engine) => {
  it('has the skill, all turns, instructions and environment of the case, and the judge scores the rubric', async () => {
    const judged = { evaluator: 'judge', judge_prompt: 'JUDGE-ONLY guidance.' };
    const messages = [
      { role: 'system', content: 'INSTRUCTION-ONE' },
      { role: 'user', content: 'FIRST-PROMPT' },
      { role: 'assistant', content: 'NEVER-PLAYED' },
      { role: 'user', content: 'SECOND-PROMPT' },
    ];
    const context = { desk: 'CONTEXT-VALUE' };
    const env = { NOTE_MODE: 'ENV-VALUE' };
    await using pkg = await writePackage({
      'SKILL.md': skillText('note-taker'),
      'fixtures/note-taker/fixture.yaml': fixtureText([
        fixtureCase('one', {
          input: { messages, context, env_overrides: env },
          expected: {
            tool_sequence: [{ tool: 'Bash', order: 'strict' }],
            output: [{ kind: 'contains', value: 'noted' }],
            rubric: RUBRIC,
          },
          evaluator_config: judged,
        }),
      ]),
      'fixtures/note-taker/mocks/a.json': '[]',
    });
    const script = ({ turn }: { readonly turn: number }) =>
      turn === 0
        ? {
            text: 'Looking.',
            tools: [
              shell(
                engine,
                'echo "MODE-$NOTE_MODE"; find / -name fixture.yaml -not -path "/proc/*" 2>/dev/null',
              ),
            ],
          }
        : { text: 'It is noted, friend.' };
    const args = ['fixtures/note-taker/fixture.yaml'];
    const { report, code, requests } = await runEval(pkg.root, engine, script, args, {}, judge);
    const [it] = report.cases;
    expect(it).toMatchObject({
      ...{ name: 'one', target: 'skill:note-taker', verdict: 'PASS', score: 0.9 },
      deterministic_checks: { 'tool-sequence': 'PASS', 'output-1': 'PASS' },
    });
    expect(code).toBe(0);
    const sent = requests.map(({ body }) => JSON.stringify(body));
    const own = sent.filter((body) => !body.includes('You are an examiner.'));
    const all = own.join('\n');
    for (const word of ['note-taker', 'INSTRUCTION-ONE', 'SECOND-PROMPT', 'CONTEXT-VALUE', 'MODE-ENV-VALUE'])
      expect(all).toContain(word);
    for (const word of ['NEVER-PLAYED', 'JUDGE-ONLY', 'It is exact.', '/fixture.yaml'])
      expect(all).not.toContain(word);
    expect(own.some((body) => body.includes('FIRST-PROMPT') && body.includes('SECOND-PROMPT'))).toBe(true);
    expect(sent.some((body) => body.includes('JUDGE-ONLY') && body.includes('You are an examiner.'))).toBe(
      true,
    );
  });
});

describe('a bare model', () => {
  it('answers a fixture that has no skill', async () => {
    await using pkg = await writePackage({
      'fixture.yaml': fixtureText([
        fixtureCase('one', { expected: { rubric: RUBRIC }, evaluator_config: { evaluator: 'judge' } }),
        fixtureCase('two'),
      ]),
    });
    await using server = await modelServer([{ text: 'It is sort of noted, friend.' }], { judge });
    const args = ['eval', 'fixture.yaml', '--engine', 'completion', '--model', 'claude-sonnet-5-5', '--json'];
    const { code, stdout } = await aam(args, { cwd: pkg.root, env: modelEnv(server.url) });
    const report = evalReport.parse(JSON.parse(stdout));
    expect(report.cases.map(({ name, verdict, score }) => [name, verdict, score])).toEqual([
      ['one', 'FAIL', 0.5],
      ['two', 'PASS', null],
    ]);
    expect(code).toBe(1);
  });
});

describe('a time limit', () => {
  it('of a case is its own, unless the user gives one for all', async () => {
    const files: Files = {
      'evals/eval-config.json': {
        version: 1,
        engine: 'command',
        timeout: 60,
        command: ['/bin/sh', '-c', 'sleep 4; echo noted'],
      },
      'SKILL.md': skillText('note-taker'),
      'fixture.yaml': fixtureText([fixtureCase('short', { timeout_secs: 1 }), fixtureCase('long')]),
    };
    const run = (args: string[]) => evaluate(files, ['--engine', 'command', '--no-judge', ...args]);
    const { cases } = await run([]);
    expect(cases['short']).toMatchObject({
      verdict: 'FAIL',
      error_kind: 'timeout',
      error: expect.stringContaining('after 1 s'),
    });
    expect(cases['long']?.verdict).toBe('PASS');
    expect((await run(['--timeout', '30', 'short'])).cases['short']?.verdict).toBe('PASS');
  });
});

describe('reports', () => {
  it('are written where the fixture is, and show it on the terminal', async () => {
    await using pkg = await writePackage({
      'a/fixture.yaml': fixtureText([fixtureCase('one')]),
      ...mocksOf({ one: 'noted' }),
    });
    const args = ['eval', 'a/fixture.yaml', '--engine', 'mock', '-o', 'report.json'];
    const { code, stdout, stderr } = await aam(args, { cwd: pkg.root });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('✓ one');
    const report = evalReport.parse(JSON.parse(await readFile(join(pkg.root, 'report.json'), 'utf8')));
    expect(report.cases[0]).toMatchObject({ file: 'fixture.yaml', verdict: 'PASS' });
  });

  it('come with mocks and goldens as evidence', async () => {
    await using pkg = await writePackage({
      'a/fixture.yaml': fixtureText([
        fixtureCase('one', { evaluator_config: { evaluator: 'golden', golden_path: 'golden/one.txt' } }),
      ]),
      'a/golden/one.txt': 'noted',
      ...mocksOf({ one: 'noted' }),
    });
    const args = ['eval', 'a/fixture.yaml', '--engine', 'mock', '--evidence', 'proof.tar.gz'];
    expect((await aam(args, { cwd: pkg.root })).code).toBe(0);
    const names = gunzipSync(await readFile(join(pkg.root, 'proof.tar.gz'))).toString('latin1');
    for (const entry of ['suite/fixture.yaml', 'suite/golden/one.txt', '/answers.json'])
      expect(names).toContain(entry);
  });

  it('of a run that is over come as evidence too', async () => {
    await using pkg = await writePackage({
      'fixture.yaml': fixtureText([fixtureCase('one')]),
      ...mocksOf({ one: 'noted' }),
    });
    const run = async (...args: string[]) =>
      (await aam(['eval', 'fixture.yaml', ...args], { cwd: pkg.root })).code;
    expect(await run('--engine', 'mock')).toBe(0);
    expect(await run('--resume', '--evidence', 'proof.tar.gz')).toBe(0);
    const verified = await aam(['evidence', 'verify', 'proof.tar.gz'], { cwd: pkg.root });
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    await writeFile(join(pkg.root, 'mocks/answers.json'), '[]');
    expect(await run('--resume', '--evidence', 'other.tar.gz')).toBe(2);
  });

  it('never take the place of mocks, wherever these are', async () => {
    await using pkg = await writePackage({
      'a/fixture.yaml': fixtureText([fixtureCase('one')]),
      ...mocksOf({ one: 'noted' }),
    });
    const args = ['eval', 'a/fixture.yaml', '--engine', 'mock', '--evidence', 'mocks/answers.json'];
    const { code, stderr } = await aam(args, { cwd: pkg.root });
    expect([code, stderr]).toEqual([2, expect.stringContaining('answers.json, which the run needs')]);
    expect(await readFile(join(pkg.root, 'mocks/answers.json'), 'utf8')).toContain('note-taker/one');
  });

  it('are refused for mistakes of the chosen cases, and not of deferred ones', async () => {
    await using pkg = await writePackage({
      'fixture.yaml': fixtureText([fixtureCase('one'), fixtureCase('later', { tags: ['deferred'] })]),
      ...mocksOf({ one: 'noted' }),
    });
    const args = ['eval', 'fixture.yaml', '--engine', 'mock', '--evaluator', 'judge', '--case', 'one'];
    const { code, stderr } = await aam(args, { cwd: pkg.root });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/a mistake that would spoil the run\n.*needs a rubric or judge_prompt\n$/),
    ]);
  });

  it('of other formats know no evaluators', async () => {
    await using pkg = await writePackage({ 'evals.json': [{ id: 1, prompt: 'a', assertions: ['b'] }] });
    const { code, stderr } = await aam(['eval', 'evals.json', '--evaluator', 'rules'], { cwd: pkg.root });
    expect([code, stderr]).toEqual([
      2,
      'error: --evaluator chooses how cases of fixtures are decided, and evals.json is no fixture\n',
    ]);
  });
});
