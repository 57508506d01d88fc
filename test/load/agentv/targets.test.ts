import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTargetsFile, readTargets } from '../../../src/load/formats/agentv/targets.ts';
import { type Files, findingLine, writePackage } from '../../helpers/package.ts';
import { variable } from './read.ts';

async function targetsOf(targets: readonly object[] | object, env = {}, more: Files = {}) {
  const folder = await writePackage({
    'evals/EVAL.yaml': 'tests: []',
    '.agentv/targets.yaml': Array.isArray(targets) ? { targets } : targets,
    ...more,
  });
  const read = readTargets(join(folder.root, '.agentv/targets.yaml'), {
    env,
    shown: folder.root,
    evalsDir: join(folder.root, 'evals'),
  });
  const told = (name: string) => (read.find(name)?.diagnostics ?? []).map(findingLine);
  return { read, told, root: folder.root, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('the file of targets', () => {
  it('is the nearest above the eval file, else above the working folder', async () => {
    await using folder = await writePackage({
      '.agentv/targets.yaml': 'targets: []',
      'a/.agentv/targets.yml': 'targets: []',
      'a/b/evals/EVAL.yaml': '',
      'c/EVAL.yaml': '',
    });
    await using elsewhere = await writePackage({ 'EVAL.yaml': '' });
    const at = (path: string) => join(folder.root, path);
    expect(findTargetsFile(at('a/b/evals/EVAL.yaml'), folder.root)).toBe(at('a/.agentv/targets.yml'));
    expect(findTargetsFile(at('c/EVAL.yaml'), elsewhere.root)).toBe(at('.agentv/targets.yaml'));
    expect(findTargetsFile(join(elsewhere.root, 'EVAL.yaml'), at('a/b'))).toBe(at('a/.agentv/targets.yml'));
    expect(findTargetsFile(null, elsewhere.root)).toBe(null);
  });

  it.each([
    ['targets: 3', 'there is no list of targets'],
    ['providers:\n  - id: x\n', 'providers of later generations'],
    ['a: [', 'a bracket'],
  ])('tells what is wrong with %j', async (text, message) => {
    await using folder = await writePackage({ '.agentv/targets.yaml': text });
    const read = readTargets(join(folder.root, '.agentv/targets.yaml'), {
      env: {},
      shown: folder.root,
      evalsDir: folder.root,
    });
    expect(read.names).toEqual([]);
    expect(read.diagnostics.map(findingLine).join('\n')).toContain(message);
  });
});

describe('a target', () => {
  it.each([
    ['claude', 'claude-code', null],
    ['claude-cli', 'claude-code', null],
    ['claude_code', 'claude-code', null],
    ['codex-cli', 'codex', null],
    ['anthropic', 'completion', 'anthropic'],
    ['openai', 'completion', 'openai'],
    ['gemini', 'completion', 'google'],
  ])('of the provider %s is run by %s', async (provider, engine, owner) => {
    await using it = await targetsOf([
      { name: 't', provider, model: 'm-1', timeout_seconds: 9, system_prompt: 'Be brief.' },
    ]);
    expect(it.read.find('t')?.target).toEqual({
      name: 't',
      engine,
      model: 'm-1',
      timeoutSeconds: 9,
      instructions: 'Be brief.',
      shell: null,
      provider: owner,
      response: null,
      judge: null,
    });
    expect(it.told('t')).toEqual([]);
  });

  it('of the provider cli is a shell command, in a folder relative to the file', async () => {
    await using it = await targetsOf([
      {
        name: 't',
        provider: 'cli',
        command: 'sh agent.sh {PROMPT} {FILES} {OUTPUT_FILE}',
        files_format: '--file {path}',
        cwd: '..',
        healthcheck: { command: 'sh agent.sh --check' },
      },
    ]);
    expect(it.read.find('t')?.target).toMatchObject({
      engine: 'command',
      shell: {
        command: 'sh agent.sh {PROMPT} {FILES} {OUTPUT_FILE}',
        cwd: it.root,
        filesFormat: '--file {path}',
        healthcheck: { command: 'sh agent.sh --check', cwd: it.root },
      },
    });
  });

  it.each([
    ['agent "{PROMPT}"', '{PROMPT} stands in quotes'],
    ["sh -c 'agent {PROMPT_FILE}'", '{PROMPT_FILE} stands in quotes'],
    ['agent --name "it\'s" {PROMPT}', undefined],
    ["agent \\\" {PROMPT} '{OTHER}'", undefined],
  ])('asks for placeholders without quotes: %s', async (command, message) => {
    await using targets = await targetsOf([{ name: 'own', provider: 'cli', command }]);
    expect(targets.told('own').join()).toContain(message ?? '');
    expect(targets.read.find('own')?.target === null).toBe(message !== undefined);
  });

  it('takes what looks like a variable as it is where two dollars say so', async () => {
    const command = `echo $${variable('HOME')}`;
    await using targets = await targetsOf([{ name: 'own', provider: 'cli', command }], { HOME: '/root' });
    expect(targets.read.find('own')?.target?.shell?.command).toBe(`echo ${variable('HOME')}`);
  });

  it('without a folder runs in the workspace, or beside the script of the evals that it names', async () => {
    const targets = [
      { name: 'plain', provider: 'cli', command: 'my-agent {PROMPT}' },
      { name: 'script', provider: 'cli', command: 'sh ./agent.sh {PROMPT}' },
    ];
    await using it = await targetsOf(targets, {}, { 'evals/agent.sh': 'echo hi' });
    expect(it.read.find('plain')?.target?.shell?.cwd).toBe(null);
    expect(it.read.find('script')?.target?.shell?.cwd).toBe(join(it.root, 'evals'));
    expect(it.told('script').join()).toContain('so it runs there');
  });

  it('of the provider mock answers what it is given', async () => {
    await using it = await targetsOf([
      { name: 'text', provider: 'mock', response: '{"risk": "High"}' },
      { name: 'data', provider: 'mock', response: { risk: 'Low' } },
      { name: 'none', provider: 'mock' },
    ]);
    expect(it.read.find('text')?.target?.response).toBe('{"risk": "High"}');
    expect(it.read.find('data')?.target?.response).toBe('{"risk":"Low"}');
    expect(it.read.find('none')?.target).toBe(null);
  });

  it('may stand for another, but not for itself', async () => {
    await using it = await targetsOf(
      [
        { name: 'a', use_target: variable('WHICH') },
        { name: 'b', provider: 'codex' },
        { name: 'c', use_target: 'd' },
        { name: 'd', use_target: 'c' },
        { name: 'e', use_target: 'bb' },
      ],
      { WHICH: 'b' },
    );
    expect(it.read.find('a')?.target).toMatchObject({ name: 'a', engine: 'codex' });
    expect(it.read.find('c')?.target).toBe(null);
    expect(it.told('c').join()).toContain('stands for itself');
    expect(it.told('e').join()).toContain('did you mean b?');
    expect(it.read.find('f')).toBe(null);
  });

  it('names its judge by the target that judges; one that cannot is told', async () => {
    await using it = await targetsOf([
      { name: 'a', provider: 'claude', judge_target: 'good' },
      { name: 'b', provider: 'claude', grader_target: 'azure' },
      { name: 'good', provider: 'openai', model: 'gpt-5' },
      { name: 'azure', provider: 'azure', model: 'x' },
    ]);
    expect(it.read.find('a')?.target?.judge).toBe('openai/gpt-5');
    expect(it.read.find('b')?.target).toMatchObject({ engine: 'claude-code', judge: null });
    expect(it.told('b')).toMatchInlineSnapshot(`
      [
        "warning .agentv/targets.yaml:11:24 judge-target: the judge "azure" is of the provider azure, or names no model, so the model of the agent judges (choose another:  --judge <model>)",
      ]
    `);
  });

  it('that cannot be run is told only where it is used', async () => {
    await using it = await targetsOf([
      { name: 'a', provider: 'azure', endpoint: variable('NOT_SET') },
      { name: 'b', provider: 'cli', command: 'x', provider_batching: true },
      { name: 'c', provider: 'cli', command: 'x', cwd: 'nowhere' },
      { name: 'd', provider: 'anthropic' },
      { name: 'e', provider: 'claude', api_key: 'x', modle: 'y', fallback_targets: ['a'] },
    ]);
    expect(it.read.diagnostics).toEqual([]);
    expect(['a', 'b', 'c', 'd'].map((name) => it.read.find(name)?.target)).toEqual([null, null, null, null]);
    expect(['a', 'b', 'c', 'd', 'e'].flatMap(it.told)).toMatchInlineSnapshot(`
      [
        "error .agentv/targets.yaml:5:19 unsupported-provider: the target a cannot be run: aam has nothing for the provider "azure" (providers: claude, claude-cli, claude-code, claude-sdk, codex, codex-cli, cli, mock, anthropic, openai, gemini, google, google-gemini; or choose the agent:  --engine claude-code)",
        "error .agentv/targets.yaml:12:28 unsupported: the target b wants all tests in one run of its command: each trial has a run of its own",
        "error .agentv/targets.yaml:18:14 missing-file: cwd: there is no folder "nowhere" (paths are relative to targets.yaml)",
        "error .agentv/targets.yaml:20:5 missing-key: the target d needs a model",
        "warning .agentv/targets.yaml:27:7 not-honoured: api_key: keys and servers come from the environment: ANTHROPIC_API_KEY, OPENAI_BASE_URL and the like",
        "warning .agentv/targets.yaml:28:7 unknown-key: "modle" is not a known field: it has no part in the verdict (did you mean model?)",
        "warning .agentv/targets.yaml:29:7 not-honoured: fallback_targets: another target is never taken silently",
      ]
    `);
  });

  it('fills in variables of the environment and of .env files', async () => {
    await using it = await targetsOf(
      [
        {
          name: 't',
          provider: 'anthropic',
          model: variable('MODEL'),
          system_prompt: `${variable('WHO')} ${variable('NOBODY')}`,
        },
      ],
      { MODEL: 'real' },
      { '.env': 'MODEL=file\nWHO=you\n' },
    );
    expect(it.read.find('t')?.target).toMatchObject({ model: 'real', instructions: 'you' });
    expect(it.told('t').join()).toContain(`${variable('NOBODY')} stands for nothing`);
  });
});
