/** `aam convert` and `aam prompt eval` as people call them. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import { type Files, skillText, writePackage } from '../helpers/package.ts';

const EVALS = {
  skill_name: 'csv-analyzer',
  evals: [
    {
      id: 1,
      prompt: 'Find the top 3 months in evals/files/sales.csv.',
      expected_output: 'November, September and December.',
      files: ['evals/files/sales.csv'],
      assertions: [
        'Output names November first',
        { id: 'number', type: 'contains', value: '22,500' },
        { id: 'chart', type: 'file-exists', path: 'chart.svg' },
      ],
    },
    { id: 'sum', prompt: 'Sum it up.', expected_output: 'The total is $191,900.' },
  ],
};

const SKILL: Files = {
  'SKILL.md': skillText('csv-analyzer'),
  'evals/files/sales.csv': 'month,revenue\n',
  'evals/evals.json': EVALS,
};

describe('aam convert', () => {
  it('prints EVAL.yaml, which validates where it is put', async () => {
    await using pkg = await writePackage(SKILL);
    const { code, stdout, stderr } = await aam(['convert', 'evals/evals.json'], { cwd: pkg.root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^# Converted from Agent Skills evals\.json/);
    expect(stdout).toContain('prompt: Output names November first');
    const written = await aam(['convert', 'evals/evals.json', '-o', 'evals/EVAL.yaml'], { cwd: pkg.root });
    expect(written).toMatchObject({ code: 0, stdout: '' });
    expect(written.stderr).toContain('2 cases written to evals/EVAL.yaml');
    expect(await readFile(join(pkg.root, 'evals/EVAL.yaml'), 'utf8')).toBe(stdout);
    expect((await aam(['validate', 'evals/EVAL.yaml'], { cwd: pkg.root })).code).toBe(0);
  });

  it('never replaces a file unasked, and says what an ending does not', async () => {
    await using pkg = await writePackage({ ...SKILL, 'evals/EVAL.yaml': 'tests: []\n' });
    const args = ['convert', 'evals/evals.json', '-o'];
    const kept = await aam([...args, 'evals/EVAL.yaml'], { cwd: pkg.root });
    expect(kept).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('evals/EVAL.yaml exists already'),
    });
    expect(await readFile(join(pkg.root, 'evals/EVAL.yaml'), 'utf8')).toBe('tests: []\n');
    const strange = await aam([...args, 'evals/new.txt'], { cwd: pkg.root });
    expect(strange).toMatchObject({ code: 2, stderr: expect.stringContaining('does not say what to write') });
    expect((await aam([...args, 'evals/EVAL.yaml', '--force'], { cwd: pkg.root })).code).toBe(0);
  });

  it('refuses a file with mistakes, since it would not arrive whole', async () => {
    const evals = [{ id: 1, prompt: 'Fine.' }, { id: 2 }];
    await using pkg = await writePackage({ ...SKILL, 'evals/evals.json': { evals } });
    const { code, stderr } = await aam(['convert', 'evals/evals.json'], { cwd: pkg.root });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('has no prompt') });
  });

  it('makes cases of a package, with their files, and tells what they cannot say', async () => {
    await using pkg = await writePackage(SKILL);
    const target = join(pkg.root, 'out');
    await mkdir(target);
    await writeFile(join(target, 'package.agent.json'), '{"name": "out", "version": "1.0.0"}');
    await mkdir(join(target, 'skills/csv-analyzer'), { recursive: true });
    await writeFile(join(target, 'skills/csv-analyzer/SKILL.md'), skillText('csv-analyzer'));
    const args = ['convert', 'evals/evals.json', '--to', 'uaaps', '-o', 'out/evals'];
    const { code, stderr } = await aam(args, { cwd: pkg.root });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('1: the grader chart (files-exist) is left out');
    expect(await readdir(join(target, 'evals/cases'))).toEqual(['1.yaml', 'sum.yaml']);
    expect(await readFile(join(target, 'evals/fixtures/evals/files/sales.csv'), 'utf8')).toBe(
      'month,revenue\n',
    );
    expect(await readFile(join(target, 'evals/cases/1.yaml'), 'utf8')).toContain(
      'Output names November first',
    );
    expect((await aam(['validate', 'out'], { cwd: pkg.root })).stdout).not.toContain('error');
  });

  it('writes evals.json of an EVAL.yaml, and says which cases it left out', async () => {
    const yaml = `tests:
  - id: two-turns
    criteria: It remembers.
    input:
      - {role: user, content: My name is Ada.}
      - {role: assistant, content: Hello Ada.}
      - {role: user, content: What is my name?}
  - id: one-turn
    input: What is 2 + 2?
    assert:
      - {type: contains, value: "4"}
`;
    await using pkg = await writePackage({ ...SKILL, 'evals/EVAL.yaml': yaml });
    const { code, stdout, stderr } = await aam(['convert', 'evals/EVAL.yaml'], { cwd: pkg.root });
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('two-turns: left out: it has several turns');
    expect(JSON.parse(stdout).evals).toMatchObject([
      { id: 'one-turn', prompt: 'What is 2 + 2?', assertions: [{ type: 'contains', value: ['4'] }] },
    ]);
  });
});

describe('what a format cannot say', () => {
  const TESTS = {
    execution: { targets: ['claude', 'codex'], trials: { count: 3 } },
    tests: [
      {
        id: 'one',
        input: 'What is 2 + 2?',
        metadata: { prompt: 'another', assertions: ['The sky is blue.'], team: 'sums' },
        execution: { threshold: 0.5 },
        assert: [
          { type: 'contains-all', name: 'not-both', value: ['4', '5'], negate: true },
          { type: 'composite', assert: [{ type: 'contains', value: '4' }, 'It is short.'] },
          { type: 'llm-judge', name: 'scale', prompt: 'How good is it?\nFrom bad to good.' },
        ],
      },
    ],
  };

  it('is told on the way to evals.json, and metadata stays metadata', async () => {
    await using pkg = await writePackage({ 'evals/EVAL.yaml': TESTS });
    const { code, stdout, stderr } = await aam(['convert', 'evals/EVAL.yaml'], { cwd: pkg.root });
    expect(code, stderr).toBe(0);
    const [only] = JSON.parse(stdout).evals;
    expect(only).toMatchObject({ prompt: 'What is 2 + 2?', team: 'sums' });
    expect(JSON.stringify(only)).not.toContain('sky');
    for (const words of [
      'one: prompt of its metadata is left out',
      'one: assertions of its metadata is left out',
      'one: the grader not-both (contains) is left out',
      '! who is asked (claude, codex) is not written',
      '! the 3 trials of each case are not written',
    ])
      expect(stderr).toContain(words);
  });

  it('is told on the way to another EVAL.yaml, which keeps the pass mark', async () => {
    await using pkg = await writePackage({ 'evals/EVAL.yaml': TESTS });
    const args = ['convert', 'evals/EVAL.yaml', '--to', 'eval-yaml'];
    const { code, stdout, stderr } = await aam(args, { cwd: pkg.root });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('threshold: 0.5');
    expect(stderr).toContain('one: graders that counted as one count each by themselves');
    expect(stderr).toContain('one: scale was graded from 0 to 10, and here holds or not');
  });
});

describe('aam prompt eval', () => {
  const prompt = (args: readonly string[], cwd: string) => aam(['prompt', 'eval', ...args], { cwd });

  it('tells an agent what to do with which cases', async () => {
    await using pkg = await writePackage(SKILL);
    const { code, stdout } = await prompt(['evals/evals.json'], pkg.root);
    expect(code).toBe(0);
    for (const words of [
      'aam prompt eval input evals/evals.json --test-id <id>',
      'aam prompt eval judge evals/evals.json --test-id <id>',
      '- `1`: (2 checks, 1 criterion)',
      '- `sum`: (0 checks, 1 criterion)',
    ])
      expect(stdout).toContain(words);
    const { stdout: json } = await prompt(['evals/evals.json', '--json'], pkg.root);
    expect(JSON.parse(json)).toMatchObject({ skill: 'csv-analyzer', tests: [{ id: '1' }, { id: 'sum' }] });
  });

  it('gives a candidate its messages and its files', async () => {
    await using pkg = await writePackage(SKILL);
    const args = ['input', 'evals/evals.json', '--test-id', '1', '--workspace', 'w1'];
    const { code, stdout, stderr } = await prompt(args, pkg.root);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      test_id: '1',
      input: [{ role: 'user', content: EVALS.evals[0]?.prompt }],
      files: [{ to: 'evals/files/sales.csv' }],
      guideline_paths: [],
      criteria: expect.stringContaining('Output names November first'),
    });
    expect(await readFile(join(pkg.root, 'w1/evals/files/sales.csv'), 'utf8')).toBe('month,revenue\n');
    expect(await readdir(join(pkg.root, 'w1/evals'))).toEqual(['files']);
    expect(await prompt(args, pkg.root)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('w1 exists'),
    });
  });

  it('completes what can be checked, and has prompts for the rest', async () => {
    await using pkg = await writePackage({ ...SKILL, 'answer.txt': 'November: 22,500' });
    const args = ['judge', 'evals/evals.json', '--test-id', '1', '--answer-file', 'answer.txt'];
    const judge = async (...more: string[]) => {
      const { code, stdout, stderr } = await prompt([...args, ...more], pkg.root);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    expect(await judge()).toMatchObject({
      test_id: '1',
      pass_threshold: 0.8,
      evaluators: [
        { name: 'number', type: 'contains', status: 'completed', result: { score: 1, verdict: 'pass' } },
        { name: 'chart', status: 'not_observable', reason: expect.stringContaining('--workspace') },
        {
          name: 'assertion-1',
          type: 'llm-judge',
          status: 'prompt_ready',
          prompt: {
            system_prompt: expect.stringContaining('You are an examiner'),
            user_prompt: expect.stringContaining('November: 22,500'),
          },
        },
      ],
    });
    await mkdir(join(pkg.root, 'w1'));
    const without = await judge('--workspace', 'w1');
    expect(without.evaluators[1]).toMatchObject({
      status: 'completed',
      result: { score: 0, verdict: 'fail' },
    });
    await writeFile(join(pkg.root, 'w1/chart.svg'), '<svg/>');
    const withIt = await judge('--workspace', 'w1');
    expect(withIt.evaluators[1]).toMatchObject({ status: 'completed', result: { score: 1 } });
    expect(withIt.evaluators[2].prompt.user_prompt).toContain('chart.svg');
  });

  const YAML = {
    tests: [
      {
        id: 'grouped',
        input: [
          { role: 'user', content: 'First.' },
          { role: 'assistant', content: 'Yes.' },
          { role: 'user', content: 'Second.' },
        ],
        assert: [
          {
            type: 'composite',
            aggregator: { type: 'threshold', threshold: 0.5 },
            assert: [
              { type: 'contains', value: 'four' },
              { type: 'contains-all', value: ['four', 'five'], negate: true },
            ],
          },
          { type: 'llm-judge', name: 'graded', prompt: 'How rude is it?\nFrom 0 to 10.', negate: true },
        ],
      },
      {
        id: 'prepared',
        input: 'Go.',
        workspace: { hooks: { before_each: { command: 'true' } } },
        assert: ['It went.'],
      },
    ],
  };

  it('tells how evaluators are put together, as a run would do it', async () => {
    await using pkg = await writePackage({ 'EVAL.yaml': YAML, 'a.txt': 'four' });
    const args = ['judge', 'EVAL.yaml', '--test-id', 'grouped', '--answer-file', 'a.txt'];
    const { code, stdout, stderr } = await prompt(args, pkg.root);
    expect(code, stderr).toBe(0);
    const { evaluators, groups } = JSON.parse(stdout);
    expect(evaluators).toMatchObject([
      { name: 'contains-four', result: { verdict: 'pass' } },
      { name: 'contains-all-four', result: { verdict: 'pass' } },
      { name: 'graded', judged_by: 'score', negate: true, pass_score: 0.8 },
    ]);
    expect(groups).toMatchObject([
      { name: 'composite', members: ['contains-four', 'contains-all-four'], weight: 1 },
    ]);
    expect(groups[0].how).toContain('when 0.5 of them or more have');
    expect(evaluators[2].prompt.user_prompt).toMatch(/First\.[\s\S]*Second\.[\s\S]*is not known/);
  });

  it('names what it cannot run, and leaves nothing out of its list', async () => {
    await using pkg = await writePackage({
      'EVAL.yaml': YAML,
      'broken.eval.yaml': {
        tests: [...YAML.tests, { id: 'broken', input: 'x', assert: [{ type: 'contans' }] }],
      },
    });
    expect((await prompt(['EVAL.yaml'], pkg.root)).stdout).toMatch(
      /These are not run:\n\n- `prepared`: it is undecided: its workspace has to be set up/,
    );
    const input = await prompt(['input', 'EVAL.yaml', '--test-id', 'prepared'], pkg.root);
    expect(input).toMatchObject({ code: 2, stderr: expect.stringContaining('has to be set up') });
    const broken = await prompt(['broken.eval.yaml'], pkg.root);
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining('has mistakes') });
  });

  it.each([
    [['judge', 'evals/evals.json', '--test-id', '1', '--answer-file', 'none.txt'], 'could not be read'],
    [['judge', 'evals/evals.json', '--test-id', '1', '--answer-file', 'empty.txt'], 'is empty'],
    [['input', 'evals/evals.json', '--test-id', 'summ'], 'did you mean sum?'],
    [['input', 'nowhere.json', '--test-id', '1'], 'does not exist'],
    [['input', 'evals/evals.json'], '--test-id'],
  ])('%j is refused', async (args, words) => {
    await using pkg = await writePackage({ ...SKILL, 'empty.txt': '\n' });
    expect(await prompt(args, pkg.root)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });
});
