import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBubblewrap } from '../../src/sandbox/bubblewrap/bubblewrap.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Dialect, engineConformance } from '../conformance/engine.ts';
import { HOST } from '../conformance/sandbox.ts';
import { type EngineTrial, runEngine } from '../helpers/engines.ts';

const dialect: Dialect = {
  model: 'claude-sonnet-5-5',
  shellTool: 'Bash',
  shell: (command) => ({ name: 'Bash', input: { command } }),
  write: (path, content) => ({ name: 'Write', input: { file_path: `/workspace/${path}`, content } }),
  skillFolder: '.claude/skills',
  loadSkill: (skill) => ({ name: 'Skill', input: { skill } }),
  agentFiles: (name, prompt) => ({
    [`.claude/agents/${name}.md`]: `---\nname: ${name}\ndescription: Helps.\n---\n${prompt}\n`,
  }),
  startAgent: (subagent_type, prompt) => [
    () => ({ name: 'Agent', input: { description: 'help', prompt, subagent_type } }),
  ],
  hookFiles: (event, command) => ({
    '.claude/settings.json': JSON.stringify({
      hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] },
    }),
  }),
};

engineConformance('claude-code', dialect);

describe('claude-code', () => {
  const { model, shell } = dialect;
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createBubblewrap(HOST);
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());
  const run = (trial: EngineTrial) => runEngine('claude-code', sandbox, { model, ...trial });
  const touch = [{ tools: [shell('touch made')] }, { text: 'Done.' }];

  it('tells its version, its model, what it found, and what it thinks it cost', async () => {
    await using result = await run({
      files: {
        ...dialect.agentFiles('helper', 'Help.'),
        '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nGreet.\n',
      },
      script: [{ text: 'Done.' }],
    });
    expect(result.of('session')[0]).toMatchObject({
      model,
      engineVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      skills: expect.arrayContaining(['greet']),
      agents: expect.arrayContaining(['helper']),
    });
    expect(result.end?.costUsd).toBeGreaterThan(0);
  });

  it('tells hooks that block, by exit code and by answer', async () => {
    const answer = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because"}}'`;
    const [byCode, byAnswer] = await Promise.all([
      run({ files: dialect.hookFiles('PreToolUse', 'echo because >&2; exit 2'), script: touch }),
      run({ files: dialect.hookFiles('PreToolUse', answer), script: touch }),
    ]);
    await using _code = byCode;
    await using _answer = byAnswer;
    expect(byCode.of('hook')).toEqual([
      { type: 'hook', event: 'PreToolUse', blocked: true, exitCode: 2, detail: 'because' },
    ]);
    expect(byAnswer.of('hook')).toMatchObject([{ event: 'PreToolUse', blocked: true, exitCode: 0 }]);
    for (const it of [byCode, byAnswer]) {
      expect(await it.file('made')).toBeNull();
      expect(it.of('denied')).toMatchObject([{ tool: 'Bash', by: 'hook' }]);
    }
  });

  it('tells broken hooks, which block nothing', async () => {
    const [crashed, missing] = await Promise.all([
      run({ files: dialect.hookFiles('PreToolUse', 'exit 1'), script: touch }),
      run({ files: dialect.hookFiles('PreToolUse', '/no/such/hook'), script: touch }),
    ]);
    await using _crashed = crashed;
    await using _missing = missing;
    expect(crashed.of('hook')).toMatchObject([{ blocked: false, exitCode: 1 }]);
    expect(missing.of('hook')).toMatchObject([
      { blocked: false, exitCode: 127, detail: expect.stringContaining('not found') },
    ]);
    expect(missing.of('error')).toHaveLength(1);
    for (const it of [crashed, missing]) expect(await it.file('made')).toBe('');
  });

  it('tells hooks that keep it from stopping, and one that ends the session', async () => {
    const once = 'test -f asked && exit 0; touch asked; echo more >&2; exit 2';
    const [kept, ended] = await Promise.all([
      run({ files: dialect.hookFiles('Stop', once), script: [{ text: 'Done.' }] }),
      run({ files: dialect.hookFiles('PreToolUse', `echo '{"continue":false}'`), script: touch }),
    ]);
    await using _kept = kept;
    await using _ended = ended;
    expect(kept.of('hook').map(({ blocked }) => blocked)).toEqual([true, false]);
    expect(kept.requests).toHaveLength(2);
    // The tool ran all the same.
    expect(ended.of('hook')).toMatchObject([{ blocked: false }]);
    expect(ended.end).toMatchObject({ ok: true, output: '', reason: 'hook_stopped' });
  });

  it('tells a call that the settings of the workspace forbid', async () => {
    const settings = JSON.stringify({ permissions: { deny: ['Bash(touch:*)'] } });
    await using result = await run({ files: { '.claude/settings.json': settings }, script: touch });
    expect(result.of('denied')).toEqual([
      { type: 'denied', tool: 'Bash', by: 'permissions', reason: expect.stringContaining('denied') },
    ]);
    expect(await result.file('made')).toBeNull();
  });

  it.each([
    { name: 'ScheduleWakeup', input: { delaySeconds: 60, reason: 'later', prompt: 'go on' } },
    { name: 'Monitor', input: { command: 'sleep 60', description: 'wait', timeout_ms: 60_000 } },
    { name: 'Bash', input: { command: 'sleep 60', run_in_background: true } },
    { name: 'Bash', input: { command: 'sleep 60 & echo started' } },
  ])('does not stay for what the agent left to be done: $name $input', async (tool) => {
    await using result = await run({ script: [{ tools: [tool] }, { text: 'Done.' }] });
    expect(result.outcome).toMatchObject({ ended: 'exited', exitCode: 0 });
    expect(result.outcome.durationMs).toBeLessThan(10_000);
    expect(result.end).toMatchObject({ ok: true, output: 'Done.' });
  });

  it('does not take a refusal or an endless answer for a failure of the API', async () => {
    const [refused, endless] = await Promise.all(
      ['refusal', 'max_tokens'].map((stopReason) => run({ script: [{ text: 'I', stopReason }] })),
    );
    expect(refused?.end).toMatchObject({ ok: false, reason: 'refusal', modelError: null });
    expect(endless?.end).toMatchObject({ ok: false, reason: 'max_output_tokens', modelError: null });
    await Promise.all([refused, endless].map((it) => it?.[Symbol.asyncDispose]()));
  });

  it('takes prompts for commands and skills of the workspace, also where it has one of that name', async () => {
    const files = {
      '.claude/commands/compact.md': '---\ndescription: Packs.\n---\nPack $ARGUMENTS well.\n',
      '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nGreet warmly.\n',
    };
    for (const [prompt, sent] of [
      ['/compact the bags', 'Pack the bags well.'],
      ['/greet', 'Greet warmly.'],
    ] as const) {
      await using result = await run({ prompt, files, script: [{ text: 'Done.' }] });
      expect(JSON.stringify(result.requests[0]?.body.messages)).toContain(sent);
    }
  });

  it('says so when the prompt never got to the model', async () => {
    await using result = await run({
      prompt: '/cost',
      files: {
        '.claude/skills/cost/SKILL.md':
          '---\nname: cost\ndescription: Costs.\nuser-invocable: false\n---\nCount it.\n',
      },
      script: [{ text: 'Done.' }],
    });
    expect(result.requests).toEqual([]);
    expect(result.of('error')[0]?.message).toMatch(/^the prompt was taken for a command of the engine: /);
    expect(result.end?.ok).toBe(true);
  });
});
