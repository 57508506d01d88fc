/** AgentV's eval files with the real CLIs: targets, their matrix, and what the agent is given. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { aam } from '../helpers/cli.ts';
import { modelEnv } from '../helpers/eval.ts';
import { modelServer, type Script } from '../helpers/model-server.ts';
import { type Files, skillText, writePackage } from '../helpers/package.ts';

const EVAL = `name: colours
execution:
  targets: [one, other]
tests:
  - id: names
    input:
      - role: user
        content:
          - type: text
            value: Name a colour of the list.
          - type: file
            value: ../data/colours.txt
    assert:
      - type: icontains
        value: red
      - type: regex
        value: (
        name: broken
  - id: alone
    input: Name a colour.
    execution: {target: one}
    assert:
      - {type: icontains, value: red}
      - {type: icontains, value: blue, weight: 3}
  - id: good
    input:
      - role: user
        content: [{type: file, value: ../data/colours.txt}]
    assert:
      - {type: icontains, value: red}
      - {type: equals, value: ANSWER-NEVER-SHOWN, weight: 0.1}
`;

const FILES: Files = {
  'evals/EVAL.yaml': EVAL,
  'data/colours.txt': 'red\n',
  '.agentv/targets.yaml': {
    targets: [
      { name: 'one', provider: 'claude', model: 'claude-sonnet-5-5' },
      { name: 'other', use_target: 'two' },
      { name: 'two', provider: 'codex', model: 'gpt-5.4' },
      { name: 'far', provider: 'azure' },
    ],
  },
};

async function run(files: Files, args: readonly string[], script: Script = [{ text: 'Red.' }]) {
  const folder = await writePackage(files);
  await using server = await modelServer(script);
  const result = await aam(['eval', ...args], { cwd: folder.root, env: modelEnv(server.url) });
  return {
    ...result,
    root: folder.root,
    requests: server.requests,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('a matrix of targets', () => {
  it('runs each with its own cases, model and report; the exit code is the worst', async () => {
    const args = [
      'evals/EVAL.yaml',
      'alone',
      'good',
      '--no-judge',
      '-o',
      'out/report.json',
      '--junit',
      'out/j.xml',
    ];
    await using done = await run(FILES, args);
    expect(done.stderr).toBe('');
    expect(done.code).toBe(1);
    expect(done.stdout).toMatch(/^target: one\n[\s\S]*^target: other\n/m);
    expect((await readdir(join(done.root, 'out'))).sort()).toEqual([
      ...['j.one.xml', 'j.other.xml', 'report.one.json', 'report.other.json'],
    ]);
    const report = async (name: string) =>
      evalReport.parse(JSON.parse(await readFile(join(done.root, `out/report.${name}.json`), 'utf8')));
    const verdicts = ({ cases }: Awaited<ReturnType<typeof report>>) =>
      cases.map((it) => `${it.name} ${it.verdict}`);
    const one = await report('one');
    const other = await report('other');
    expect(one).toMatchObject({
      exit_code: 1,
      agent: { runtime: 'claude-code', model: 'claude-sonnet-5-5' },
    });
    expect(verdicts(one)).toEqual(['alone FAIL', 'good PASS']);
    expect(other).toMatchObject({ exit_code: 0, agent: { runtime: 'codex', model: 'gpt-5.4' } });
    expect(verdicts(other)).toEqual(['good PASS']);
    const said = JSON.stringify(done.requests.map(({ body }) => body));
    expect(said.includes('Read this file of the working folder: data/colours.txt')).toBe(true);
    expect(said.includes('ANSWER-NEVER-SHOWN')).toBe(false);
  });

  it('prints a list of reports for machines, and one report for one target', async () => {
    await using both = await run(FILES, ['evals/EVAL.yaml', 'good', '--no-judge', '--json']);
    expect(JSON.parse(both.stdout).map((it: object) => evalReport.parse(it).agent.runtime)).toEqual([
      'claude-code',
      'codex',
    ]);
    await using one = await run(FILES, [
      'evals/EVAL.yaml',
      'good',
      '--no-judge',
      '--json',
      '--target',
      'other',
    ]);
    expect(evalReport.parse(JSON.parse(one.stdout)).agent.runtime).toBe('codex');
  });
});

describe('targets without a model', () => {
  const files: Files = {
    'evals/EVAL.yaml': {
      execution: { targets: ['shell', 'fixed'] },
      tests: [
        {
          id: 'greet',
          input: [
            { role: 'system', content: 'SYSTEM-WORDS' },
            { role: 'user', content: 'Say hello' },
          ],
          assert: [
            { type: 'icontains', value: 'hello' },
            { type: 'code-judge', command: ['sh', 'grade.sh'] },
          ],
        },
        {
          id: 'template',
          input: 'Which file?',
          execution: { target: 'shell' },
          assert: [
            { type: 'contains', value: 'FROM-TEMPLATE' },
            { type: 'contains', value: 'FROM-HOOK' },
            { type: 'not-contains', value: 'SYSTEM-WORDS' },
          ],
          workspace: {
            hooks: {
              before_each: {
                command: `cp hook.txt "$(sed 's/.*"workspace_path": *"\\([^"]*\\)".*/\\1/')/b.txt"`,
              },
            },
          },
        },
      ],
    },
    'evals/hook.txt': 'FROM-HOOK',
    'evals/grade.sh': 'grep -q \'"criteria"\' && echo \'{"score": 1, "hits": ["ok"], "misses": []}\'\n',
    'template/a.txt': 'FROM-TEMPLATE\n',
    '.agentv/targets.yaml': {
      targets: [
        {
          name: 'shell',
          provider: 'cli',
          command: 'sh -c \'echo "hello $0"; cat *.txt\' {PROMPT} > {OUTPUT_FILE}',
          workspace_template: '../template',
          healthcheck: { command: 'true' },
        },
        { name: 'fixed', provider: 'mock', response: 'Hello there' },
      ],
    },
  };

  it('are a shell command, with the files of its template, and a fixed answer', async () => {
    await using done = await run(files, ['evals/EVAL.yaml', '--no-judge', '--json']);
    const [shell, fixed] = JSON.parse(done.stdout).map((it: object) => evalReport.parse(it));
    expect(done.code).toBe(0);
    expect(shell).toMatchObject({
      agent: { runtime: 'command' },
      cases: [
        { name: 'greet', verdict: 'PASS' },
        { name: 'template', verdict: 'PASS' },
      ],
    });
    expect(fixed).toMatchObject({ agent: { runtime: 'mock' }, cases: [{ name: 'greet', verdict: 'PASS' }] });
    expect(done.requests).toEqual([]);
  });
});

describe('before anything runs', () => {
  it.each([
    [['evals/EVAL.yaml'], 'evals/EVAL.yaml:17:16: the pattern does not compile'],
    [
      ['evals/EVAL.yaml', 'good', '--target', 'far'],
      'the target far cannot be run: aam has nothing for the provider "azure"',
    ],
    [['evals/EVAL.yaml', 'good', '--target', 'tow'], 'did you mean two?'],
    [['evals/EVAL.yaml', 'good', '--targets', 'nowhere.yaml'], '--targets nowhere.yaml does not exist'],
    [
      ['evals/EVAL.yaml', 'good', '--tape', 'record'],
      '--tape record is for one target at a time, not one and other',
    ],
    [['evals/EVAL.yaml', 'good', '--target', 'one', '--target', 'far'], 'the target far cannot be run'],
  ])('%j is refused', async (args, message) => {
    await using done = await run(FILES, args);
    expect(done).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(done.requests).toEqual([]);
    expect(await readdir(done.root)).not.toContain('.aam');
  });

  it('--engine wins over targets that cannot be used, and --target over those of the file', async () => {
    const dry = async (files: Files, ...args: string[]) => {
      await using done = await run(files, ['evals/EVAL.yaml', 'good', '--dry-run', ...args]);
      return done.stdout;
    };
    expect(await dry(FILES, '--target', 'far', '--engine', 'codex')).toContain('engine         codex');
    expect(await dry(FILES, '--target', 'claude')).not.toContain('codex');
    const usual = { ...FILES, 'evals/EVAL.yaml': EVAL.replace('targets: [one, other]', 'target: default') };
    expect(await dry(usual)).toContain(
      'the target "default" is in no targets.yaml: the agent is claude-code',
    );
    const named = { ...FILES, 'evals/EVAL.yaml': EVAL.replace('targets: [one, other]', 'cache: false') };
    const withDefault = {
      targets: [
        { name: 'default', use_target: 'two' },
        { name: 'two', provider: 'codex' },
      ],
    };
    expect(await dry({ ...named, 'more.yaml': withDefault }, '--targets', 'more.yaml')).toContain(
      'engine         codex',
    );
  });
});

describe('validate', () => {
  it('finds such files in a folder, and with a skill, each finding at its place', async () => {
    await using folder = await writePackage({
      'a/deep/x.eval.yaml': 'tests:\n  - id: a\n    input: Hi\n    criteira: x\n',
      'EVAL.yaml': 'tests: []\n',
      'skill/SKILL.md': skillText('skill'),
      'skill/evals/y.eval.yaml': 'tests: [{id: a, input: Hi, criteria: x}]\n',
    });
    const bare = await aam(['validate', '.', '--json'], { cwd: folder.root });
    const { suites, errors, warnings } = JSON.parse(bare.stdout);
    expect(
      suites.map(({ format, file, cases }: Record<string, unknown>) => `${format} ${file} ${cases}`),
    ).toEqual(['agentv EVAL.yaml 0', 'agentv a/deep/x.eval.yaml 1', 'agentv skill/evals/y.eval.yaml 1']);
    expect(errors).toMatchObject([{ file: 'EVAL.yaml', line: 1, column: 8, rule: 'no-cases' }]);
    expect(warnings).toContainEqual(
      expect.objectContaining({
        file: 'a/deep/x.eval.yaml',
        line: 4,
        column: 5,
        hint: 'did you mean criteria?',
      }),
    );
    const skill = await aam(['validate', 'skill'], { cwd: folder.root });
    expect(skill).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('skill/evals/y.eval.yaml (1 case)'),
    });
  });
});
