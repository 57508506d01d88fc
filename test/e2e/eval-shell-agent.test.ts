/** Agents that a shell command starts, as targets of eval files have them. */
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellAgent } from '../../src/engine/shell.ts';
import type { Case } from '../../src/model/case.ts';
import type { ShellAgent, Target } from '../../src/model/target.ts';
import { evalCase, withOwnAgent } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { type PlannedOptions, runPlanned } from '../helpers/plan.ts';

const PROMPT = `It's "quoted" \`id\` $HOME $(id) \\n {OUTPUT_FILE} ; exit 7\nsecond line`;

const FILES = {
  ...withOwnAgent('unused'),
  'evals/cases/a.yaml': evalCase('a', { input: { prompt: PROMPT }, expected: { contains: ['done'] } }),
};

interface Options extends Partial<Omit<PlannedOptions, 'target'>> {
  readonly shell?: Partial<ShellAgent>;
  readonly target?: Partial<Target>;
}

async function run(command: string, { shell: more, target, ...options }: Options = {}) {
  await using pkg = await writePackage(FILES);
  const shell: ShellAgent = { command, cwd: null, filesFormat: '{path}', healthcheck: null, ...more };
  const own: Target = {
    ...{ name: 'mine', engine: 'command', model: null, timeoutSeconds: null, instructions: null },
    ...{ shell, provider: null, response: null, judge: null, ...target },
  };
  const { report, captures } = await runPlanned({
    root: pkg.root,
    change: (it: Case): Case => ({ ...it, criteria: [] }),
    changePlan: (plan) => ({
      ...plan,
      engine: shellAgent(shell),
      settings: { ...plan.settings, target: own },
    }),
    ...options,
  });
  const [result] = report.cases;
  if (!result) throw new Error('no case ran');
  return { result, report, capture: captures[0] ?? null };
}

describe('placeholders', () => {
  it('give the prompt as one word, whatever is in it', async () => {
    const { result, capture } = await run(`printf %s {PROMPT}; echo; echo done`);
    expect(result.verdict).toBe('PASS');
    expect(capture?.output).toBe(`${PROMPT}\ndone`);
  });

  it('give it as a file, with instructions before it', async () => {
    const { capture } = await run('cat {PROMPT_FILE}; echo; echo done', {
      target: { instructions: 'Be brief.' },
      change: (it) => ({ ...it, criteria: [], instructions: 'Be kind.' }),
    });
    expect(capture?.output).toBe(`Be brief.\n\nBe kind.\n\n${PROMPT}\ndone`);
  });

  it('give the files of the case, its name and which trial it is', async () => {
    const files = [
      { from: null, to: 'in/a b.txt' },
      { from: null, to: 'c.txt' },
    ];
    const { result, capture } = await run(
      'for it in {FILES}; do echo "<$it>"; done; ls {FILES} > /dev/null 2>&1; echo {EVAL_ID} {ATTEMPT}; echo done',
      {
        shell: { filesFormat: '--file {path} {basename}' },
        change: (it) => ({ ...it, criteria: [], files, name: "it's/a case" }),
      },
    );
    expect(result.verdict).toBe('PASS');
    expect(capture?.output.split('\n')).toEqual([
      ...['<--file>', '</workspace/in/a b.txt>', '<a b.txt>'],
      ...['<--file>', '</workspace/c.txt>', '<c.txt>'],
      "it's/a case 0",
      'done',
    ]);
  });
});

describe('the answer', () => {
  it('is what is in the output file, not what is printed', async () => {
    const { result, capture } = await run('echo noise; echo done > {OUTPUT_FILE}');
    expect(result).toMatchObject({ verdict: 'PASS', agent_output_snippet: 'done' });
    expect(capture?.stderr).toContain('noise');
  });

  it('can be JSON with messages, tool calls and what it took', async () => {
    const answer = {
      text: 'done',
      output: [
        { role: 'user', content: 'not the agent' },
        {
          role: 'assistant',
          content: [{ type: 'text', value: 'Looking.' }],
          tool_calls: [
            { tool: 'Read', input: { path: 'a' }, output: 'text of a', duration_ms: 12 },
            { id: 'x', function: { name: 'Bash', arguments: '{"cmd":"ls"}' } },
          ],
        },
        { role: 'assistant', content: 'done' },
      ],
      token_usage: { input: 120, output: 30, cached: 7 },
      cost_usd: 0.25,
    };
    const { result, capture } = await run(`printf %s '${JSON.stringify(answer)}' > {OUTPUT_FILE}`);
    expect(result).toMatchObject({
      verdict: 'PASS',
      agent_output_snippet: 'done',
      cost_usd: 0.25,
      usage: { requests: 0, input_tokens: 120, output_tokens: 30, cache_read_tokens: 7 },
    });
    expect(capture?.events.slice(0, -1)).toEqual([
      { type: 'tool-call', id: '2.1', tool: 'Read', input: { path: 'a' }, subAgent: false },
      { type: 'tool-result', id: '2.1', output: 'text of a', isError: false, durationMs: 12 },
      { type: 'tool-call', id: 'x', tool: 'Bash', input: { cmd: 'ls' }, subAgent: false },
      { type: 'message', text: 'Looking.', subAgent: false },
      { type: 'message', text: 'done', subAgent: false },
    ]);
  });

  it('is JSON as it stands when that is no record of an agent', async () => {
    const { result } = await run(`echo '{"state": "done"}'`);
    expect(result).toMatchObject({ verdict: 'PASS', agent_output_snippet: '{"state": "done"}' });
  });

  it.each([
    [
      'no file',
      'echo done; : {OUTPUT_FILE}',
      /exit code 1 without output: .*wrote no answer to \{OUTPUT_FILE\}/,
    ],
    [
      'a failure',
      'echo done > {OUTPUT_FILE}; echo broken >&2; exit 4',
      /exit code 4 after its answer: broken/,
    ],
  ])('fails the case when there is %s', async (_, command, error) => {
    const { result } = await run(command);
    expect(result).toMatchObject({ verdict: 'FAIL', error_kind: 'agent-crashed' });
    expect(result.error).toMatch(error);
  });
});

describe('its folder', () => {
  it('can be read, but for what gives the answers away, and not written', async () => {
    await using folder = await temporaryFolder();
    const criteria = 'The answer names the ninth moon of the seventh planet and its year of discovery.';
    const files = {
      'agent.sh':
        '#!/bin/sh\necho done > made.txt || echo done\ncd ..\nfind . -type f -size +0 | sort\nls .git .agentv/*\n',
      'inner/place.txt': 'where the agent starts',
      'lib/helper.txt': 'of use',
      'EVAL.yaml': 'tests: []',
      'sets/more.eval.yaml': 'tests: []',
      '.agentv/results/1.jsonl': '{}',
      '.agentv/targets.yaml': 'targets: []',
      '.git/HEAD': 'ref: refs/heads/main',
      'notes.md': `Remember: ${criteria}`,
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await writeFile(join(folder.path, path), text);
    }
    await chmod(join(folder.path, 'agent.sh'), 0o755);
    const criterion = { id: 'c', text: criteria, weight: 1, required: false };
    const { capture } = await run('../agent.sh; pwd; ls -d "$AGENTV_WORKSPACE_PATH"/.agents', {
      shell: { cwd: join(folder.path, 'inner') },
      change: (it) => ({ ...it, criteria: [criterion] }),
    });
    expect(capture?.output.split('\n')).toEqual([
      'done',
      ...['./.agentv/targets.yaml', './agent.sh', './inner/place.txt', './lib/helper.txt'],
      ...['.agentv/targets.yaml', '', '.agentv/results:', '', '.git:'],
      join(folder.path, 'inner'),
      '/workspace/.agents',
    ]);
    expect(await readdir(folder.path)).not.toContain('made.txt');
  });
});

describe('its healthcheck', () => {
  it('is run once before the cases', async () => {
    const { result } = await run('echo done', { shell: { healthcheck: { command: 'true', cwd: null } } });
    expect(result.verdict).toBe('PASS');
  });

  it('keeps a run from starting when it fails', async () => {
    const healthcheck = { command: 'echo no server >&2; exit 5', cwd: null };
    await expect(run('echo done', { shell: { healthcheck } })).rejects.toMatchObject({
      name: 'PrerequisiteError',
      message: 'the healthcheck of the target mine failed with exit code 5: no server',
      hints: ['it runs in the sandbox, without network:  echo no server >&2; exit 5'],
    });
  });
});

it('cannot go on with a session', async () => {
  const { result } = await run('echo done', { change: (it) => ({ ...it, followUps: ['More.'] }) });
  expect(result).toMatchObject({ verdict: 'SKIP', error_kind: 'unsupported' });
});
