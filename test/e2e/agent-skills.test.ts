/** Agent Skills evals with the real CLIs: the skill beside the file, its files, its assertions, its triggers. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import { type AgentEngine, commandScript, ENGINE_NAMES, modelEnv, runEval, shell } from '../helpers/eval.ts';
import { type ModelRequest, modelServer, type Turn, verdicts } from '../helpers/model-server.ts';
import { type Files, skillText, writePackage } from '../helpers/package.ts';

const REFERENCE = 'REFERENCE-ONLY-FOR-THE-JUDGE: November, then September.';

const EVALS = {
  skill_name: 'csv-analyzer',
  evals: [
    {
      id: 1,
      prompt: 'CASE-ONE Which month in evals/files/sales.csv is the best?',
      expected_output: REFERENCE,
      files: ['evals/files/sales.csv'],
      assertions: [
        'Says that November is the best',
        'Gives the figure',
        'Read the file',
        'Draws a chart',
        { type: 'contains', value: 'November' },
      ],
    },
    {
      id: 'two',
      prompt: 'CASE-TWO Which one?',
      assertions: ['Draws a chart', { type: 'regex', value: 'Nov\\w+' }],
    },
    { id: 'lost', prompt: 'CASE-LOST Which one?', files: ['nowhere.csv'], assertions: ['Says so'] },
    { id: 'open', prompt: 'CASE-OPEN Which one?' },
  ],
};

const SKILL: Files = {
  'SKILL.md': skillText('csv-analyzer', 'Read the file, then answer.\n'),
  'evals/evals.json': EVALS,
  'evals/files/sales.csv': 'month,revenue\nNovember,22500\n',
};

/** Passes everything but charts, with a quote from what the agent said. */
function judge(request: ModelRequest): Turn {
  const asked = [
    ...JSON.stringify(request.body).matchAll(/\\"id\\":\\"([^"\\]+)\\",\\"criterion\\":\\"([^"\\]+)/g),
  ];
  return verdicts(
    request,
    asked.map(([, id = '', text = '']) => ({
      id,
      verdict: text.includes('chart') ? 'FAIL' : 'PASS',
      reason: 'It is so.',
      evidence: text.includes('chart') ? [] : ['November with 22500'],
    })),
  );
}

const lookAround =
  'cat evals/files/sales.csv; find / -name evals.json -not -path "/proc/*" 2>/dev/null; echo LOOK$((40+2))ED';

function skillFolder(engine: AgentEngine): string {
  return engine === 'claude-code' ? '.claude/skills' : '.agents/skills';
}

describe.each(ENGINE_NAMES)('evals.json with %s', (engine) => {
  it('runs each case with its files and the skill, and scores what is asserted', async () => {
    await using skill = await writePackage(SKILL);
    const script = commandScript(engine, lookAround, 'The best month is November with 22500.');
    const files = ['--benchmark-json', 'benchmark.json', '--jsonl', 'results.jsonl'];
    const run = await runEval(skill.root, engine, script, ['evals/evals.json', ...files], {}, judge);
    const { report, requests, code } = run;
    expect(code).toBe(1);
    expect(report).toMatchObject({
      package: { name: 'csv-analyzer' },
      suite: { format: 'agent-skills', file: 'evals/evals.json' },
      summary: { total: 4, passed: 1, failed: 2, skipped: 1 },
    });
    const [one, two, lost, open] = report.cases;
    expect(one).toMatchObject({
      name: '1',
      target: 'skill:csv-analyzer',
      verdict: 'PASS',
      score: 0.8,
      deterministic_checks: { 'assertion-5': 'PASS' },
      judge_verdict: {
        result: 'FAIL',
        criteria: [{ result: 'PASS' }, {}, {}, { result: 'FAIL', weight: 1 }],
      },
    });
    expect(two).toMatchObject({
      verdict: 'FAIL',
      score: 0.5,
      error: expect.stringMatching(/^the score is 50 %, needed are 80 %: .*It is so/),
    });
    expect(lost).toMatchObject({
      verdict: 'FAIL',
      error_kind: 'file_copy_error',
      error: 'the file "nowhere.csv" does not exist',
      usage: { requests: 0 },
    });
    expect(open).toMatchObject({ verdict: 'SKIP', error_kind: 'ungraded', usage: { requests: 2 } });
    expect(report.warnings.join('\n')).toMatch(
      /evals\/evals\.json:\d+:\d+: the file "nowhere.csv" does not exist/,
    );

    const sent = requests.map(({ body }) => JSON.stringify(body));
    const [judged, own] = [
      sent.filter((body) => body.includes('You are an examiner.')),
      sent.filter((body) => !body.includes('You are an examiner.')),
    ];
    expect(own.some((body) => body.includes('November,22500'))).toBe(true);
    expect(own.some((body) => body.includes('csv-analyzer'))).toBe(true);
    expect(own.some((body) => body.includes('LOOK42ED'))).toBe(true);
    expect(own.some((body) => /REFERENCE-ONLY|Draws a chart|\/evals\.json/.test(body))).toBe(false);
    expect(judged.filter((body) => body.includes('REFERENCE-ONLY'))).toHaveLength(1);
    expect(own.some((body) => body.includes('CASE-LOST'))).toBe(false);

    const [file = ''] = await readdir(join(skill.root, 'evals/reports'));
    expect(JSON.parse(await readFile(join(skill.root, 'evals/reports', file), 'utf8'))).toEqual(report);
    expect(await readdir(skill.root)).toContain('.aam');
    expect(JSON.parse(await readFile(join(skill.root, 'benchmark.json'), 'utf8'))).toMatchObject({
      metadata: { skill_name: 'csv-analyzer', evals_run: [1, 'two', 'lost', 'open'] },
      run_summary: { with_skill: { pass_rate: { mean: 0.65, min: 0.5, max: 0.8 } } },
      notes: [expect.stringContaining('2 of 4 trials are not counted')],
    });
    const rows = (await readFile(join(skill.root, 'results.jsonl'), 'utf8')).trim().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      { test_id: '1', score: 0.8, verdict: 'PASS', execution_status: 'ok', dataset: 'evals' },
      { test_id: 'two', score: 0.5, execution_status: 'quality_failure' },
      { test_id: 'lost', score: null, failure_reason_code: 'file_copy_error' },
      { test_id: 'open', score: null, execution_status: 'execution_error' },
    ]);
  });

  it('runs a trigger set as activation cases', async () => {
    await using skill = await writePackage({
      'SKILL.md': skillText('csv-analyzer'),
      'evals/eval_queries.json': [
        { query: 'QUERY-YES sum up this table', should_trigger: true },
        { query: 'QUERY-IGNORED sum up this table', should_trigger: true },
        { query: 'QUERY-NO sing a song', should_trigger: false },
        { query: 'QUERY-TOO-EAGER sing a song', should_trigger: false },
      ],
    });
    const load =
      engine === 'claude-code'
        ? { name: 'Skill', input: { skill: 'csv-analyzer' } }
        : shell(engine, `cat ${skillFolder(engine)}/csv-analyzer/SKILL.md`);
    const script = ({ body, turn }: ModelRequest): Turn =>
      turn === 0 && /QUERY-YES|QUERY-TOO-EAGER/.test(JSON.stringify(body))
        ? { text: 'One moment.', tools: [load] }
        : { text: 'Done.' };
    const { report, code } = await runEval(skill.root, engine, script, ['evals/eval_queries.json']);
    expect(report.cases.map(({ name, verdict, error }) => [name, verdict, error])).toEqual([
      ['eval-1', 'PASS', undefined],
      ['eval-2', 'FAIL', expect.stringContaining('the agent did not use the skill csv-analyzer')],
      ['eval-3', 'PASS', undefined],
      ['eval-4', 'FAIL', expect.stringMatching(/the agent (loaded|read) the skill csv-analyzer/)],
    ]);
    expect(code).toBe(1);
  });
});

it('--baseline gives the benchmark its other half: the same cases without the skill', async () => {
  await using skill = await writePackage({
    'SKILL.md': skillText('csv-analyzer'),
    'evals/evals.json': [
      { id: 1, prompt: 'Sum.', assertions: [{ type: 'contains', value: 'with the skill' }] },
    ],
  });
  const script = ({ body }: ModelRequest): Turn => ({
    text: JSON.stringify(body).includes('csv-analyzer') ? 'Done with the skill.' : 'Done.',
  });
  const args = ['evals/evals.json', '--baseline', '--benchmark-json', 'benchmark.json'];
  const { report } = await runEval(skill.root, 'claude-code', script, args);
  expect(report.cases[0]).toMatchObject({ verdict: 'PASS', baseline: { verdict: 'FAIL' } });
  expect(JSON.parse(await readFile(join(skill.root, 'benchmark.json'), 'utf8')).run_summary).toMatchObject({
    with_skill: { pass_rate: { mean: 1 } },
    without_skill: { pass_rate: { mean: 0 } },
    delta: { pass_rate: 1 },
  });
});

describe('what aam eval takes', () => {
  const dry = (root: string, ...args: string[]) => aam(['eval', '--dry-run', ...args], { cwd: root });

  it('a folder, a file, or the skill of the working folder; --target names the agent', async () => {
    await using skill = await writePackage({ 'a/SKILL.md': skillText('a'), 'a/evals/evals.json': [CASE] });
    for (const [cwd, ...args] of [
      ['.', 'a/'],
      ['.', './a/evals', '--target', 'codex'],
      ['.', 'a/evals/evals.json', '--target', 'claude'],
      ['a'],
      ['a', 'evals/evals.json', 'one', '--target', 'skill:a'],
    ] as const) {
      const { code, stdout, stderr } = await dry(join(skill.root, cwd), ...args);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(stdout).toContain('a: 1 case would run');
      expect(stdout).toContain(
        args.includes('codex' as never) ? 'engine         codex' : 'engine         claude-code',
      );
    }
  });

  it.each([
    [['nowhere.json'], 'nowhere.json does not exist'],
    [['package.json'], 'package.json is no eval file that aam knows'],
    [['a.json', 'b.json'], 'one eval source at a time, not a.json and b.json'],
    [
      ['evals/evals.json', '--target', 'claude', '--engine', 'codex'],
      'one agent at a time, not codex and claude-code',
    ],
    [['evals/evals.json', '--target', 'cursor'], 'cursor cannot be run yet'],
    [['evals/evals.json', 'three'], 'there is no eval case called three'],
    [['evals/evals.json'], 'evals/evals.json:8:5: the case has no prompt'],
    [['evals/evals.json', 'two'], 'evals/evals.json:8:5: the case has no prompt'],
  ])('refuses %j', async (args, message) => {
    await using skill = await writePackage({
      'SKILL.md': skillText('a'),
      'package.json': { name: 'x' },
      'evals/evals.json':
        '{"evals": [\n    {"id": "one",\n     "prompt": "x",\n     "expected": "y"},\n\n\n\n    {"id": "two"}]}',
    });
    const { code, stderr } = await dry(skill.root, ...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('a mistake in one case does not stop another that is chosen by name', async () => {
    await using skill = await writePackage({
      'SKILL.md': skillText('a'),
      'evals/evals.json': [CASE, { id: 'two' }],
    });
    expect((await dry(skill.root, 'evals/evals.json', 'one')).code).toBe(0);
  });

  it('a file without a skill runs, and says that there is none', async () => {
    await using folder = await writePackage({ 'evals.json': [CASE] });
    await using server = await modelServer([{ text: 'It is done.' }], { judge });
    const { code, stdout } = await aam(['eval', 'evals.json', '--no-judge', '--json'], {
      cwd: folder.root,
      env: modelEnv(server.url),
    });
    expect(code).toBe(3);
    expect(JSON.parse(stdout).warnings.join()).toContain('there is no SKILL.md here or above');
    expect((await readdir(folder.root)).sort()).toEqual(['.aam', 'evals', 'evals.json']);
  });
});

const CASE = { id: 'one', prompt: 'Do it.', expected_output: 'Done.' };

describe('aam validate', () => {
  it('finds the mistakes of eval files, alone or with their skill', async () => {
    await using skill = await writePackage({
      'SKILL.md': skillText('a'),
      'evals/evals.json': [
        CASE,
        { id: 'one', prompt: 'x', assertions: [{ type: 'regex', value: '(' }], files: ['no.csv'] },
      ],
    });
    for (const path of [[], ['evals/evals.json'], ['evals']]) {
      const { code, stdout } = await aam(['validate', ...path], { cwd: skill.root });
      expect(code).toBe(1);
      expect(stdout).toContain('error: evals/evals.json:13:18: the pattern does not compile');
      expect(stdout).toContain('error: evals/evals.json:17:7: the file "no.csv" does not exist');
      expect(stdout).toContain('warning: evals/evals.json:8:11: the id "one" is there twice');
      expect(stdout).toContain('evals/evals.json (2 cases): 2 errors and 1 warning');
    }
  });
});
