/** Shapes that are hard to make the real CLIs print. */
import { describe, expect, it } from 'vitest';
import { scriptOf } from '../../src/engine/codex/script-of.ts';
import { codex } from '../../src/engine/codex.ts';
import { ENGINES, type EngineName } from '../../src/engine/engines.ts';
import { skillAt, skillsRead } from '../../src/engine/skill-reads.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import { collect } from '../helpers/engines.ts';

function read(name: EngineName, ...lines: readonly (object | string)[]): Promise<AgentEvent[]> {
  async function* each() {
    for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line);
  }
  return collect(ENGINES[name].read(each()));
}

describe.each<EngineName>(['claude-code', 'codex'])('%s', (name) => {
  it('tells lines that make no sense, passes over empty and unknown ones, and makes up no end', async () => {
    const lines = ['{"type":', '', '  ', '[1]', 'null', '{"no":"type"}', '{"type":"news"}', 'x'.repeat(600)];
    expect(await read(name, ...lines)).toEqual(
      ['{"type":', '[1]', 'null', '{"no":"type"}', 'x'.repeat(500)].map((line) => ({
        type: 'unreadable',
        line,
      })),
    );
  });

  it('does not repeat itself when nothing makes sense', async () => {
    expect(await read(name, ...Array.from({ length: 5_000 }, () => 'nonsense'))).toHaveLength(100);
  });
});

describe('claude-code', () => {
  const assistant = (...content: object[]) => ({
    type: 'assistant',
    message: { content },
    parent_tool_use_id: null,
  });
  const use = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input });
  const result = (id: string, content: unknown, more: object = {}) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...more }] },
  });

  it('takes the last result, and puts the end last', async () => {
    const events = await read(
      'claude-code',
      { type: 'result', is_error: false, terminal_reason: 'completed', result: 'first', total_cost_usd: 1 },
      assistant({ type: 'text', text: 'more' }),
      { type: 'result', is_error: false, terminal_reason: 'completed', result: 'second', total_cost_usd: 2 },
      { type: 'system', subtype: 'background_tasks_changed' },
    );
    expect(events).toEqual([
      { type: 'message', text: 'more', subAgent: false },
      { type: 'end', ok: true, output: 'second', reason: 'completed', costUsd: 2, modelError: null },
    ]);
  });

  it.each([
    [{ subtype: 'error_max_turns', is_error: true, terminal_reason: 'max_turns' }, false, 'max_turns'],
    [
      { subtype: 'error_during_execution', is_error: false, terminal_reason: 'aborted_tools' },
      false,
      'aborted_tools',
    ],
    [{ subtype: 'error_during_execution', is_error: true }, false, 'error_during_execution'],
    [{ subtype: 'success', is_error: true, terminal_reason: 'completed' }, false, 'completed'],
    [{ subtype: 'success', is_error: false, terminal_reason: null, num_turns: 0 }, true, 'success'],
    [{ subtype: 'success' }, false, 'success'],
  ])('reads the end %j', async (line, ok, reason) => {
    const [end] = await read('claude-code', { type: 'result', ...line });
    expect(end).toMatchObject({ type: 'end', ok, reason, output: '', modelError: null });
  });

  it('tells why a session failed', async () => {
    const line = { type: 'result', is_error: true, subtype: 'error_max_turns', errors: ['too many turns'] };
    expect((await read('claude-code', line))[0]).toEqual({ type: 'error', message: 'too many turns' });
  });

  it('tells each denied call once, whatever tells it first', async () => {
    const rejected = { permission_decision: { decision: 'reject', source: 'config' } };
    const events = await read(
      'claude-code',
      assistant(use('a', 'Bash', {}), use('b', 'Write', {})),
      { type: 'system', subtype: 'permission_denied', tool_use_id: 'a', tool_name: 'Bash', message: 'no' },
      { ...result('a', 'no', { is_error: true }), tool_result_meta: [{ id: 'a', ...rejected }] },
      {
        type: 'result',
        is_error: false,
        permission_denials: [
          { tool_name: 'Bash', tool_use_id: 'a' },
          { tool_name: 'Write', tool_use_id: 'b' },
        ],
      },
    );
    expect(events.filter((it) => it.type === 'denied')).toEqual([
      { type: 'denied', tool: 'Bash', by: 'permissions', reason: 'no' },
      { type: 'denied', tool: 'Write', by: 'permissions', reason: '' },
    ]);
  });

  it('tells a sub-agent by its result when nothing told its start, and none for a failed call', async () => {
    const events = await read(
      'claude-code',
      assistant(use('a', 'Task', { subagent_type: 'helper' }), use('b', 'Agent', { subagent_type: 'none' })),
      result('a', [{ type: 'text', text: 'done' }, { type: 'image' }, { type: 'text', text: 'really' }]),
      result('b', 'no such agent', { is_error: true }),
      { type: 'system', subtype: 'task_started', tool_use_id: 'a', subagent_type: 'helper' },
    );
    expect(events.filter((it) => it.type === 'sub-agent')).toEqual([{ type: 'sub-agent', name: 'helper' }]);
    expect(events).toContainEqual({ type: 'tool-result', id: 'a', output: 'done\nreally', isError: false });
  });

  it('tells a skill that runs in a fork by the name it was called with', async () => {
    const events = await read('claude-code', assistant(use('a', 'Skill', { skill: 'deep:dive' })), {
      ...result('a', 'It says…'),
      tool_use_result: { status: 'forked', result: 'It says…' },
    });
    expect(events.at(-1)).toEqual({ type: 'skill', name: 'deep:dive', how: 'tool' });
  });

  it('tells no hook as blocking when its event cannot block', async () => {
    const hook = (hook_event: string, more: object) =>
      read('claude-code', { type: 'system', subtype: 'hook_response', hook_event, ...more });
    const outcome = async (event: string, more: object) => {
      const [it] = await hook(event, more);
      return it?.type === 'hook' && it.blocked;
    };
    expect(await outcome('SessionStart', { exit_code: 2 })).toBe(false);
    expect(await outcome('PostToolUse', { exit_code: 2 })).toBe(false);
    expect(await outcome('SubagentStop', { exit_code: 2 })).toBe(true);
    expect(await outcome('Stop', { exit_code: 0, stdout: '{"decision":"block"}\n' })).toBe(true);
    expect(await outcome('Stop', { exit_code: 1, stdout: '{"decision":"block"}\n' })).toBe(false);
    expect(await outcome('PreToolUse', { stdout: 'no JSON' })).toBe(false);
    const asked = { hookSpecificOutput: { decision: { behavior: 'deny' } } };
    expect(await outcome('PermissionRequest', { exit_code: 0, stdout: JSON.stringify(asked) })).toBe(true);
    expect((await hook('PreToolUse', { outcome: 'cancelled' }))[0]).toMatchObject({ exitCode: null });
  });
});

describe('codex', () => {
  const item = (more: object) => ({ type: 'item.completed', item: { id: 'item_1', ...more } });

  it.each([
    [
      'unexpected status 401 Unauthorized: no, url: http://127.0.0.1:4/v1/responses',
      401,
      'unexpected status 401 Unauthorized: no',
    ],
    ['exceeded retry limit, last status: 429 Too Many Requests', 429, undefined],
    ['{"error":{"message":"bad input","code":400}}', null, 'bad input'],
    ['Quota exceeded. Check your plan and billing details.', null, undefined],
    ['stream disconnected before completion: idle timeout waiting for SSE', null, undefined],
    ['something new', null, undefined],
  ])('takes %j for the model’s failure', async (message, status, told = message) => {
    const [end] = await read('codex', { type: 'turn.failed', error: { message } });
    expect(end).toMatchObject({ type: 'end', ok: false, modelError: { status, message: told } });
  });

  it.each([
    'Codex ran out of room in the model’s context window. Start a new thread.',
    'internal error; agent loop died unexpectedly',
  ])('takes %j for the agent’s', async (message) => {
    const [end] = await read('codex', { type: 'turn.failed', error: { message } });
    expect(end).toMatchObject({ type: 'end', ok: false, reason: message, modelError: null });
  });

  it('tells a command that is refused, and one that never came to its end', async () => {
    const command = { type: 'command_execution', command: "/bin/bash -lc 'rm x'", aggregated_output: 'no' };
    const events = await read(
      'codex',
      item({ ...command, status: 'declined' }),
      { type: 'item.started', item: { id: 'item_2', ...command, status: 'in_progress' } },
      { type: 'turn.completed', usage: {} },
    );
    expect(events).toEqual([
      { type: 'tool-call', id: 'item_1', tool: 'Bash', input: { command: 'rm x' }, subAgent: false },
      { type: 'tool-result', id: 'item_1', output: 'no', isError: true },
      { type: 'denied', tool: 'Bash', by: 'permissions', reason: 'no' },
      { type: 'tool-call', id: 'item_2', tool: 'Bash', input: { command: 'rm x' }, subAgent: false },
      { type: 'end', ok: true, reason: 'completed', modelError: null, output: '', costUsd: null },
    ]);
  });

  it('tells an MCP call that failed and a search', async () => {
    const events = await read(
      'codex',
      item({
        type: 'mcp_tool_call',
        server: 's',
        tool: 't',
        arguments: { a: 1 },
        error: { message: 'broke' },
      }),
      { type: 'item.completed', item: { id: 'item_2', type: 'web_search', query: 'q' } },
      item({ type: 'todo_list', items: [] }),
    );
    expect(events).toMatchObject([
      { type: 'tool-call', tool: 'mcp__s__t', input: { a: 1 } },
      { type: 'tool-result', output: 'broke', isError: true },
      { type: 'tool-call', tool: 'web_search', input: { query: 'q' } },
      { type: 'tool-result', output: '', isError: false },
    ]);
  });

  it('reads its log, of which a record may have several lines', () => {
    const log = `WARNING: something
2026-11-15T06:09:49.54Z ERROR codex_core::tools::router: error=Command blocked by PreToolUse hook: no
second line. Command: *** Begin Patch
*** End Patch

2026-11-15T06:09:49.55Z  WARN codex_core::other: rejected: x
2026-11-15T06:09:49.55Z ERROR codex_core::tools::router: error=apply_patch verification failed: no such file
`;
    expect(codex.readErrors?.(log)).toEqual([
      {
        type: 'denied',
        tool: 'apply_patch',
        by: 'hook',
        reason:
          'Command blocked by PreToolUse hook: no\nsecond line. Command: *** Begin Patch\n*** End Patch',
      },
      { type: 'error', message: 'apply_patch verification failed: no such file' },
    ]);
  });

  it.each([
    [`/bin/bash -lc 'echo "a b"'`, 'echo "a b"'],
    [`/usr/bin/zsh -c "sed -n '1,2p' x \\$HOME"`, "sed -n '1,2p' x $HOME"],
    [`/bin/sh -c 'it'"'"'s'`, "it's"],
    ['/bin/sh -c env', 'env'],
    ['/bin/sh -c one two', 'one two'],
    ["/bin/sh -c 'open", "'open"],
    ['ls -l', 'ls -l'],
  ])('finds the script of %j', (line, script) => {
    expect(scriptOf(line)).toBe(script);
  });
});

describe('reading a skill', () => {
  it.each<[string, string[]]>([
    ['cat .claude/skills/greet/SKILL.md', ['greet']],
    ["sed -n '1,200p' /workspace/.agents/skills/nested/deep/SKILL.md", ['deep']],
    ['ls -la; head -50 "/w/.claude/skills/a/SKILL.md" .claude/skills/b/SKILL.md', ['a', 'b']],
    ['cd .agents/skills/greet && cat SKILL.md', ['greet']],
    ['cd "/w/.claude/skills/greet/" ; cat ./SKILL.md | head', ['greet']],
    ['cd .agents/skills/greet && cd .. && cat SKILL.md', []],
    ['python3 -c "print(open(\'.claude/skills/greet/SKILL.md\').read())"', ['greet']],
    ['ls .claude/skills/greet/SKILL.md', []],
    ['cat notes.txt && ls .claude/skills/greet/SKILL.md', []],
    ['find . -name SKILL.md', []],
    ['rm .claude/skills/greet/SKILL.md', []],
    ['cat > .claude/skills/new/SKILL.md <<EOF\nname: new\nEOF', []],
    ['sed -i s/a/b/ .claude/skills/greet/SKILL.md', []],
    ['cat .claude/skills/*/SKILL.md', []],
    ['cat SKILL.md', []],
    ['cat .claude/skills/greet/reference.md', []],
  ])('by %j: %j', (command, expected) => {
    expect(skillsRead(command)).toEqual(expected);
  });

  it.each([
    ['/workspace/.claude/skills/greet/SKILL.md', 'greet'],
    ['.claude/skills/a b/SKILL.md', 'a b'],
    ['/workspace/skills/group/deep/SKILL.md', 'deep'],
    ['/workspace/SKILL.md', null],
    ['/workspace/.claude/skills/greet/other.md', null],
  ])('by its path %j', (path, name) => {
    expect(skillAt(path)).toBe(name);
  });

  it('takes no long look at a hostile command', () => {
    const started = performance.now();
    for (const text of ['skills/', 'cd skills/x ', '> ', '<', 'cat ', "'", 'cat skills/a/SKILL.md ']) {
      skillsRead(`SKILL.md ${text.repeat(200_000)}`);
      skillAt(text.repeat(200_000));
      scriptOf(`/bin/sh -c ${text.repeat(200_000)}`);
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
