/** What every engine that brings an agent promises; each runs this suite with its real CLI. */
import process, { kill } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineName } from '../../src/engine/engines.ts';
import { createBubblewrap } from '../../src/sandbox/bubblewrap/bubblewrap.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type EngineTrial, runEngine } from '../helpers/engines.ts';
import type { ModelRequest, Script, ToolCall, Turn } from '../helpers/model-server.ts';
import { childAbove, processesWith, programsWith } from '../helpers/processes.ts';
import { processesOf } from '../helpers/traces.ts';
import { HOST } from './sandbox.ts';

/** How one agent is spoken to. */
export interface Dialect {
  readonly model: string;
  /** The name of its shell in events. */
  readonly shellTool: string;
  shell(command: string): ToolCall;
  write(path: string, text: string): ToolCall;
  readonly skillFolder: string;
  /** Its own way of loading a skill; null when reading SKILL.md is that way. */
  readonly loadSkill: ((name: string) => ToolCall) | null;
  agentFiles(name: string, prompt: string): Record<string, string>;
  /** The calls that start a sub-agent and wait for it, one per turn. */
  startAgent(name: string, task: string): readonly ((request: ModelRequest) => ToolCall)[];
  hookFiles(event: string, command: string): Record<string, string>;
}

const SKILL = '---\nname: greet\ndescription: Greets people warmly.\n---\nSay hello in a warm way.\n';

export function engineConformance(name: EngineName, dialect: Dialect): void {
  const { model, shell, write } = dialect;

  describe(`engine: ${name}`, () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await createBubblewrap(HOST);
    });
    afterAll(() => sandbox[Symbol.asyncDispose]());

    const run = (trial: Omit<EngineTrial, 'script'> & { readonly script?: Script | null }) =>
      runEngine(name, sandbox, { model, script: [{ text: 'Done.' }], ...trial });

    it('gives the answer and how it ended', async () => {
      await using result = await run({ script: [{ text: 'Hello there.' }] });
      expect(result.outcome).toMatchObject({ ended: 'exited', exitCode: 0 });
      expect(result.of('message')).toEqual([{ type: 'message', text: 'Hello there.', subAgent: false }]);
      expect(result.events.at(-1)).toMatchObject({
        type: 'end',
        ok: true,
        output: 'Hello there.',
        reason: 'completed',
        modelError: null,
      });
      expect(result.of('session')).toHaveLength(1);
      expect(result.of('session')[0]?.sessionId).toMatch(/^[0-9a-f-]{36}$/);
      expect([...result.of('error'), ...result.of('unreadable')]).toEqual([]);
      expect(result.requests.map(({ body }) => body.model)).toEqual([model]);
    });

    it('asks for the model it has by default when none is given', async () => {
      await using result = await run({ model: null });
      expect(result.end?.ok).toBe(true);
      expect(result.requests[0]?.body.model).toMatch(/^(?:claude|gpt)-/);
    });

    it('tells tool calls with their results, in order, beside what the agent says', async () => {
      const tools = [write('made/by.txt', 'by the agent'), shell('cat made/by.txt; echo; echo end')];
      const script: Turn[] = [{ text: 'First this.', tools: tools.slice(0, 1) }, { tools: tools.slice(1) }];
      await using result = await run({ script: [...script, { text: 'Done.' }] });
      expect(await result.file('made/by.txt')).toMatch(/^by the agent\n?$/);
      const calls = result.of('tool-call');
      const results = result.of('tool-result');
      expect(calls.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
      expect(calls[1]).toMatchObject({
        tool: dialect.shellTool,
        input: { command: 'cat made/by.txt; echo; echo end' },
        subAgent: false,
      });
      expect(results[1]).toMatchObject({ isError: false, output: expect.stringContaining('by the agent') });
      expect(result.of('message').map(({ text }) => text)).toEqual(['First this.', 'Done.']);
      expect(result.end).toMatchObject({ ok: true, output: 'Done.' });
    });

    it('gets a flood of output and an answer of megabytes through', async () => {
      const text = `${'long '.repeat(1_000_000)}end`;
      const flood = shell("head -c 100000000 /dev/zero | tr '\\0' x");
      await using result = await run({ script: [{ tools: [flood] }, { text }] });
      expect(result.outcome).toMatchObject({ ended: 'exited', exitCode: 0 });
      expect(result.of('tool-result')).toMatchObject([{ output: expect.stringContaining('xxx') }]);
      expect(result.end).toMatchObject({ ok: true, output: text });
    });

    it('tells several calls of one turn apart', async () => {
      const tools = ['echo one', 'echo two', 'echo three'].map(shell);
      await using result = await run({ script: [{ tools }, { text: 'Done.' }] });
      const outputs = new Map(result.of('tool-result').map(({ id, output }) => [id, output.trim()]));
      const pairs = result.of('tool-call').map(({ id, input }) => [input, outputs.get(id)]);
      expect(pairs).toHaveLength(3);
      for (const word of ['one', 'two', 'three']) {
        expect(pairs).toContainEqual([expect.objectContaining({ command: `echo ${word}` }), word]);
      }
    });

    it('tells a tool that failed, and goes on', async () => {
      const script = [{ tools: [shell('echo oops >&2; exit 3')] }, { text: 'It failed.' }];
      await using result = await run({ script });
      expect(result.of('tool-result')).toMatchObject([
        { isError: true, output: expect.stringContaining('oops') },
      ]);
      expect(result.end).toMatchObject({ ok: true, output: 'It failed.' });
    });

    it('lets the agent work without asking anyone', async () => {
      const tools = [shell('mkdir -p .claude .codex && echo x > .claude/a && rm -r .codex && echo y > b')];
      await using result = await run({ script: [{ tools }, { text: 'Done.' }] });
      expect(result.of('denied')).toEqual([]);
      expect([await result.file('.claude/a'), await result.file('b')]).toEqual(['x\n', 'y\n']);
    });

    it('offers the skills of the workspace and no others', async () => {
      await using result = await run({ files: { [`${dialect.skillFolder}/greet/SKILL.md`]: SKILL } });
      const sent = JSON.stringify(result.requests[0]?.body);
      expect(sent).toContain('Greets people warmly.');
      expect(sent).not.toMatch(/plugin-authoring|skill-creator|skill-installer|update-config/);
    });

    it('tells a skill that the agent loads by itself', async () => {
      const path = `${dialect.skillFolder}/greet/SKILL.md`;
      const tools = [shell(`ls ${path}`), shell(`sed -n '1,200p' ${path}`)];
      await using result = await run({ files: { [path]: SKILL }, script: [{ tools }, { text: 'Hello!' }] });
      expect(result.of('skill')).toEqual([{ type: 'skill', name: 'greet', how: 'read' }]);
      expect(JSON.stringify(result.requests[1]?.body)).toContain('Say hello in a warm way.');
    });

    const { loadSkill } = dialect;
    if (loadSkill !== null) {
      it('tells a skill that is loaded by the engine', async () => {
        await using result = await run({
          files: { [`${dialect.skillFolder}/greet/SKILL.md`]: SKILL },
          script: [{ tools: [loadSkill('greet'), loadSkill('no-such-skill')] }, { text: 'Hello!' }],
        });
        expect(result.of('skill')).toEqual([{ type: 'skill', name: 'greet', how: 'tool' }]);
        expect(JSON.stringify(result.requests[1]?.body)).toContain('Say hello in a warm way.');
      });
    }

    it('tells a sub-agent and what it says', async () => {
      const steps = dialect.startAgent('helper', 'Count to two.');
      const main = (request: ModelRequest): Turn => {
        const step = steps[request.turn];
        return step ? { tools: [step(request)] } : { text: 'All done.' };
      };
      const helper = (turn: number): Turn =>
        turn === 0 ? { tools: [shell('echo counted > counted.txt')] } : { text: 'One, two.' };
      await using result = await run({
        files: dialect.agentFiles('helper', 'You are the helping hand.'),
        script: (request) =>
          JSON.stringify(request.body).includes('You are the helping hand.')
            ? helper(request.turn)
            : main(request),
      });
      expect(await result.file('counted.txt')).toBe('counted\n');
      expect(result.of('sub-agent')).toHaveLength(1);
      expect(['helper', null]).toContain(result.of('sub-agent')[0]?.name);
      expect(result.of('message')).toContainEqual({ type: 'message', text: 'One, two.', subAgent: true });
      expect(result.end).toMatchObject({ ok: true, output: 'All done.' });
    });

    it('lets a hook block a tool', async () => {
      await using result = await run({
        files: {
          ...dialect.hookFiles('PreToolUse', '/workspace/guard.sh'),
          'guard.sh': '#!/bin/sh\ncat > seen.json\necho "not in here" >&2\nexit 2\n',
        },
        script: [{ tools: [shell('touch forbidden')] }, { text: 'It was blocked.' }],
      });
      expect(await result.file('forbidden')).toBeNull();
      expect(result.of('denied')).toEqual([
        {
          type: 'denied',
          tool: dialect.shellTool,
          by: 'hook',
          reason: expect.stringContaining('not in here'),
        },
      ]);
      expect(JSON.parse((await result.file('seen.json')) ?? '')).toMatchObject({
        hook_event_name: 'PreToolUse',
        tool_input: { command: 'touch forbidden' },
      });
      expect(JSON.stringify(result.requests[1]?.body)).toContain('not in here');
      expect(result.end).toMatchObject({ ok: true, output: 'It was blocked.' });
    });

    it('lets a hook block the prompt: no request is made, and nothing failed', async () => {
      const files = dialect.hookFiles('UserPromptSubmit', 'echo no >&2; exit 2');
      await using result = await run({ files });
      expect(result.requests).toEqual([]);
      expect(result.end).toMatchObject({ ok: true, modelError: null });
    });

    it.concurrent.each([401, 429, 500, 529])(
      'tells a model that answers %i as the model’s failure',
      async (status) => {
        await using result = await run({ script: [{ status }] });
        expect(result.outcome.ended).toBe('exited');
        expect(result.end?.ok).toBe(false);
        // Codex hides what kind of server error it was.
        const told = name === 'codex' && status === 500 ? null : status;
        expect(result.end?.modelError).toMatchObject({ status: told, message: expect.stringMatching(/\S/) });
        expect(result.outcome.durationMs).toBeLessThan(20_000);
        expect(result.requests.length).toBeLessThan(8);
      },
    );

    it.concurrent('tells a model that cannot be reached', async () => {
      await using result = await run({ script: null });
      expect(result.end).toMatchObject({ ok: false, modelError: { status: null } });
      expect(result.outcome.durationMs).toBeLessThan(20_000);
    });

    it.concurrent('tells an answer that breaks off every time, and recovers from one that does once', async () => {
      let asked = 0;
      const once: Script = () => (asked++ === 0 ? { text: 'Do', fault: 'cut' } : { text: 'Done.' });
      const [always, recovered] = await Promise.all([
        run({ script: [{ text: 'Do', fault: 'cut' }] }),
        run({ script: once }),
      ]);
      await using _always = always;
      await using _recovered = recovered;
      expect(always.end).toMatchObject({ ok: false, modelError: { status: null } });
      expect(always.outcome.durationMs).toBeLessThan(20_000);
      expect(recovered.end).toMatchObject({ ok: true, output: 'Done.', modelError: null });
      expect(recovered.of('error').length).toBeGreaterThan(0);
    });

    it.each([
      ['a leading dash', '--help is what I want to know about'],
      ['a dash alone', '-'],
      ['a leading slash', '/etc/hosts: what is that?'],
      ['newlines and spaces around', '\n\n  first\n\n\tsecond  \n\n'],
      ['quotes and variables', `it's "quoted" \`id\` $HOME $(id) \\n %s {prompt} __AAM_PORT__`],
      ['other scripts', 'Überprüfe das 日本語 🦜 e\u0301 \u200f\u202e'],
      ['200 KB', `begin ${'long '.repeat(40_000)}end`],
    ])('passes on a prompt with %s unchanged', async (_, prompt) => {
      await using result = await run({ prompt });
      expect(result.end).toMatchObject({ ok: true, output: 'Done.' });
      expect(texts(result.requests[0]?.body)).toContain(prompt);
    });

    it.each(['/help', '/cost', '/compact now', '/init', '/clear', '/no-such-command x'])(
      'does not take the prompt %s for a command of its own',
      async (prompt) => {
        await using result = await run({ prompt });
        expect(result.end).toMatchObject({ ok: true, output: 'Done.' });
        expect(texts(result.requests[0]?.body).map((it) => it.trim())).toContain(prompt);
        expect(result.of('error')).toEqual([]);
      },
    );

    it('gives the agent’s shell the case’s environment, and no key or folder of the host', async () => {
      process.env['ANTHROPIC_AUTH_TOKEN'] = 'sk-fake-of-the-host';
      process.env['CODEX_API_KEY'] = 'sk-fake-of-the-host';
      await using result = await run({
        env: { CASE_TOKEN: 'for the case' },
        script: [{ tools: [shell('env; echo $HOME; ls -A $HOME')] }, { text: 'Done.' }],
      });
      delete process.env['ANTHROPIC_AUTH_TOKEN'];
      delete process.env['CODEX_API_KEY'];
      const shown = result.of('tool-result')[0]?.output ?? '';
      expect(shown).toContain('CASE_TOKEN=for the case');
      expect(shown).not.toContain('sk-fake');
      expect(shown.trimEnd()).toMatch(/\n\/home\/agent$/);
      expect(shown).not.toContain(`=${HOST.cwd}`);
    });

    it('runs twice at once without mixing things up', async () => {
      const [one, two] = await Promise.all(
        ['one', 'two'].map((word) =>
          run({ script: [{ tools: [shell(`echo ${word} > w; sleep 0.2; cat w`)] }, { text: `${word}.` }] }),
        ),
      );
      expect([one?.end?.output, two?.end?.output]).toEqual(['one.', 'two.']);
      expect([await one?.file('w'), await two?.file('w')]).toEqual(['one\n', 'two\n']);
      expect(one?.of('session')[0]?.sessionId).not.toBe(two?.of('session')[0]?.sessionId);
      await Promise.all([one, two].map((it) => it?.[Symbol.asyncDispose]()));
    });

    it('leaves no process when the sandbox is killed in the middle', async () => {
      const mark = `9${process.pid}${name.length}`;
      let folder = '';
      const running = run({
        script: [
          {
            tools: [
              shell(
                `echo started > mark; setsid sleep ${mark} & python3 -c "import time; time.sleep(${mark})" || sleep ${mark}`,
              ),
            ],
          },
        ],
        onStart: (path) => {
          folder = path;
        },
      });
      await until(() => programsWith('sleep', mark).length > 0);
      const [inside = 0] = programsWith('sleep', mark);
      kill(childAbove(inside), 'SIGKILL');
      await using result = await running;
      expect(result.outcome.ended).toBe('not-started');
      expect(await result.file('mark')).toBe('started\n');
      expect(result.end).toBeUndefined();
      await until(() => processesWith(mark).length === 0 && processesOf(folder).length === 0);
    });

    it('ends with the sandbox at the time-out, keeping the events so far', async () => {
      const script: Turn[] = [{ tools: [shell('echo before')] }, { text: 'never', fault: 'stall' }];
      await using result = await run({ script, timeoutMs: 3_000 });
      expect(result.outcome.ended).toBe('timed-out');
      expect(result.of('tool-result')).toMatchObject([{ output: expect.stringContaining('before') }]);
      expect(result.end).toBeUndefined();
    });
  });
}

/** Every text in a request. */
function texts(body: unknown): string[] {
  if (typeof body === 'string') return [body];
  return typeof body === 'object' && body !== null ? Object.values(body).flatMap(texts) : [];
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('it never came to be');
    await new Promise((resume) => setTimeout(resume, 50));
  }
}
