/** The built shim, as an agent CLI starts it. */
import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listenLines } from '../../src/host/line-socket.ts';
import { type HookRun, hookRun, hookStart } from '../../src/model/hook-log.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { processesWith } from '../helpers/processes.ts';

const SHIM = fileURLToPath(new URL('../../dist/inside/hook-shim.js', import.meta.url));
const PAYLOAD = {
  session_id: 's-1',
  transcript_path: null,
  hook_event_name: 'PreToolUse',
  tool_name: 'Write',
  tool_input: { file_path: '/etc/config.txt', content: 'test' },
  tool_use_id: 't-1',
};

interface Shimmed {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly run: HookRun | null;
  readonly ms: number;
}

interface Options {
  readonly event?: string;
  readonly engine?: string;
  readonly payload?: object | string;
  readonly timeoutSeconds?: number;
  readonly index?: number;
  readonly socket?: string;
  readonly definitions?: string;
  /** Sent once a process with the text is there. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly once: string };
  readonly inspect?: (folder: string) => Promise<void>;
}

async function shim(command: string | null, options: Options = {}): Promise<Shimmed> {
  await using folder = await temporaryFolder();
  const event = options.event ?? 'pre-tool-use';
  const definitions = join(folder.path, 'definitions.json');
  const timeoutSeconds = options.timeoutSeconds ?? 20;
  const definition = {
    event,
    group: 0,
    index: 1,
    type: 'command',
    command,
    timeoutSeconds,
    packageRoot: '/pkg',
  };
  await writeFile(
    definitions,
    options.definitions ?? JSON.stringify([{ ...definition, index: 0 }, definition]),
  );
  await using log = await listenLines(join(folder.path, 'log.sock'));
  const payload = options.payload ?? PAYLOAD;
  const input = typeof payload === 'string' ? payload : JSON.stringify({ cwd: folder.path, ...payload });
  const where = [definitions, options.socket ?? log.path, options.engine ?? 'claude-code'];
  const started = performance.now();
  const child = spawn(process.execPath, [SHIM, ...where, event, '0', String(options.index ?? 1)]);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {}).end(input);
  if (options.signal) {
    while (processesWith(options.signal.once).length === 0) await sleep(20);
    child.kill(options.signal.name);
  }
  const code = await new Promise<number | null>((ended) => child.on('close', ended));
  const ms = performance.now() - started;
  expect(log.dropped).toBe(0);
  const runs = log.lines.filter((line) => !hookStart.safeParse(line).success);
  expect(runs.length).toBeLessThan(2);
  await options.inspect?.(folder.path);
  const run = runs.length === 0 ? null : hookRun.parse(runs[0]);
  return { code, stdout, stderr, run, ms };
}

const print = (value: object) => `cat > /dev/null; echo '${JSON.stringify(value)}'`;
const decide = (permissionDecision: string, more: object = {}) =>
  print({
    hookSpecificOutput: {
      hookEventName: 'pre-tool-use',
      permissionDecision,
      permissionDecisionReason: 'why',
      ...more,
    },
  });

describe('what the hook gets', () => {
  it('is the payload in the package’s spelling, its folder, and the placeholders as variables', async () => {
    const command =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
      'cat > in.json; echo "${PACKAGE_ROOT} ${file}" > env.txt; printf %s "$ARGUMENTS" > arguments.json; pwd > cwd';
    const { code, run } = await shim(command, {
      inspect: async (folder) => {
        const input = await readFile(join(folder, 'in.json'), 'utf8');
        expect(JSON.parse(input)).toEqual({
          sessionId: 's-1',
          transcriptPath: null,
          hookEventName: 'pre-tool-use',
          toolName: 'Write',
          toolInput: { file_path: '/etc/config.txt', content: 'test' },
          toolUseId: 't-1',
          cwd: folder,
        });
        expect(await readFile(join(folder, 'arguments.json'), 'utf8')).toBe(input);
        expect(await readFile(join(folder, 'env.txt'), 'utf8')).toBe('/pkg /etc/config.txt\n');
        expect(await readFile(join(folder, 'cwd'), 'utf8')).toBe(`${folder}\n`);
      },
    });
    expect(code).toBe(0);
    expect(run).toMatchObject({ event: 'pre-tool-use', group: 0, index: 1, command, toolName: 'Write' });
    expect(run).toMatchObject({ exitCode: 0, decision: 'none', error: null });
  });

  it('names the file of a patch, as Codex sends it', async () => {
    const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch\n';
    const payload = { ...PAYLOAD, tool_name: 'apply_patch', tool_input: { command: patch }, turn_id: 'x' };
    const { stderr, run } = await shim('cat >/dev/null; echo "no: $file" >&2; exit 2', {
      engine: 'codex',
      payload,
    });
    expect(stderr).toBe('no: src/a.ts\n');
    expect(run).toMatchObject({ toolName: 'apply_patch', decision: 'block' });
  });

  it('may be too large for a variable', async () => {
    const payload = { ...PAYLOAD, tool_input: { content: 'x'.repeat(3_000_000) } };
    const { code, stdout } = await shim('wc -c; echo "[$ARGUMENTS]"', { payload });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^300\d{4}\s+\[\]/);
  });

  it('need not be read', async () => {
    const payload = { ...PAYLOAD, tool_input: { content: 'x'.repeat(3_000_000) } };
    expect(await shim('exit 0', { payload })).toMatchObject({ code: 0 });
  });
});

describe('a block', () => {
  it('is exit code 2, with the reason on stderr', async () => {
    const { code, stderr, run } = await shim('echo "protected: $file" >&2; exit 2');
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'protected: /etc/config.txt\n' });
    expect(run).toMatchObject({
      exitCode: 2,
      decision: 'block',
      reason: 'protected: /etc/config.txt',
      error: null,
    });
  });

  it('always has a reason, since Codex goes ahead without one', async () => {
    const { code, stderr } = await shim('exit 2');
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'blocked by a hook that gave no reason\n' });
  });

  it.each([
    ['permissionDecision deny', decide('deny')],
    ['decision block', print({ decision: 'block', reason: 'why' })],
  ])('by %s is told in the CLI’s words', async (_, command) => {
    const { code, stdout, run } = await shim(command);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'why',
      },
    });
    expect(run).toMatchObject({ exitCode: 0, decision: 'block', reason: 'why', error: null });
  });

  it('of other events is told in theirs', async () => {
    const payload = { hook_event_name: 'UserPromptSubmit', prompt: 'go' };
    const prompt = await shim(decide('deny', { additionalContext: 'more' }), {
      event: 'pre-prompt',
      payload,
    });
    expect(JSON.parse(prompt.stdout)).toEqual({
      decision: 'block',
      reason: 'why',
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'more' },
    });
    const stopping = print({ continue: false, stopReason: 'not now' });
    const stopped = await shim(stopping, { event: 'pre-prompt', payload });
    expect(stopped.run).toMatchObject({ decision: 'block', reason: 'not now' });
    const asked = await shim(decide('deny'), {
      event: 'permission-request',
      payload: { ...PAYLOAD, hook_event_name: 'PermissionRequest' },
    });
    expect(JSON.parse(asked.stdout).hookSpecificOutput).toEqual({
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'deny', message: 'why' },
    });
  });
});

describe('what is no block', () => {
  it('ask and allow are passed on, with the changed input', async () => {
    const ask = await shim(decide('ask'));
    expect(JSON.parse(ask.stdout).hookSpecificOutput).toMatchObject({
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
    });
    expect(ask.run).toMatchObject({ decision: 'ask', reason: 'why' });
    const allow = await shim(decide('allow', { updatedInput: { file_path: 'safe.txt' } }));
    expect(JSON.parse(allow.stdout).hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: 'why',
      updatedInput: { file_path: 'safe.txt' },
    });
    expect(allow.run).toMatchObject({ decision: 'allow' });
  });

  it('plain text is passed on', async () => {
    expect(await shim('echo context; echo note >&2', { event: 'session-start' })).toMatchObject({
      code: 0,
      stdout: 'context\n',
      stderr: 'note\n',
      run: { decision: 'none', error: null, stdout: 'context\n', stderr: 'note\n' },
    });
  });

  it('continue: false does not hold back a tool', async () => {
    const { stdout, run } = await shim(print({ continue: false, stopReason: 'stop it' }));
    expect(JSON.parse(stdout)).toEqual({ continue: false, stopReason: 'stop it' });
    expect(run).toMatchObject({
      decision: 'none',
      reason: 'stop it',
      error: 'said continue: false, which does not keep the tool from running',
    });
  });
});

describe('a broken hook', () => {
  it.each([
    ['exits with 1', 'echo oops >&2; exit 1', 1, /^exited with 1: oops$/],
    ['is missing', '"$PACKAGE_ROOT/none.sh"', 127, /^exited with 127 \(not found\): .*none\.sh/],
    ['is a folder', '/tmp', 126, /^exited with 126 \(not executable\): .*\/tmp/],
    ['dies', 'kill -SEGV $$', 139, /^exited with 139$/],
  ])('that %s does not block', async (_, command, code, error) => {
    const result = await shim(command);
    const run = { exitCode: code, decision: 'none', error: expect.stringMatching(error) };
    expect(result).toMatchObject({ code, run });
  });

  it('that prints broken JSON does not block', async () => {
    const { code, stdout, run } = await shim(`echo '{"decision": "block"'`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"decision": "block"\n' });
    expect(run).toMatchObject({
      decision: 'none',
      error: expect.stringContaining('printed JSON that is broken'),
    });
  });

  it('that decides what nobody knows does not block', async () => {
    const { run } = await shim(decide('maybe'));
    expect(run).toMatchObject({
      decision: 'none',
      error: 'decided "maybe", which is none of allow, deny, ask and block',
    });
  });

  it.each([
    ['a shell', 'sh /nowhere/guard.sh', /cannot open/],
    ['Python', 'python3 /nowhere/guard.py', /can't open file/],
    ['a shell’s syntax', 'if', /Syntax error|syntax error/],
    ['an option no shell has', 'bash --no-such-option', /invalid option/],
    ['an option dash does not have', 'sh -Z', /Illegal option|invalid option/],
    ['an option Python does not have', 'python3 -Z', /Unknown option: -Z/],
  ])('blocks by accident when %s fails with 2, and that is told', async (_, command, error) => {
    const { code, run } = await shim(command);
    expect(code).toBe(2);
    expect(run).toMatchObject({ decision: 'block', error: expect.stringMatching(error) });
  });

  it('that hangs is ended with all it started', async () => {
    const mark = `3${String(process.pid).padStart(7, '0')}`;
    const result = await shim(`echo part; sleep ${mark} & sleep ${mark}`, { timeoutSeconds: 1 });
    expect(result).toMatchObject({ code: 1, stdout: 'part\n', run: { exitCode: null, decision: 'none' } });
    expect(result.run?.error).toBe('was still running after 1 s; it and all it started were ended');
    expect(result.stderr).toContain('was still running after 1 s');
    expect(result.ms).toBeLessThan(30_000);
    await sleep(100);
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  it('is ended when the CLI gives up', async () => {
    const mark = `4${String(process.pid).padStart(7, '0')}`;
    const { code, run } = await shim(`sleep ${mark}`, { signal: { name: 'SIGTERM', once: mark } });
    expect(code).toBe(1);
    expect(run?.error).toBe('was ended by claude-code with SIGTERM');
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  it('that leaves something behind with its output open does not hold up the CLI', async () => {
    const { code, ms } = await shim('sleep 25 & echo "{}"');
    expect(code).toBe(0);
    expect(ms).toBeLessThan(20_000);
  });

  it('that prints without end is bounded', async () => {
    const { code, stdout, run } = await shim(
      `printf '{"a":"'; head -c 50000000 /dev/zero | tr '\\0' x; echo '"}'`,
    );
    expect(code).toBe(0);
    expect(stdout.length).toBe(1024 * 1024);
    expect(run?.stdout.length).toBe(16 * 1024);
    expect(run?.error).toBe('printed more than is read of a hook');
  });
});

describe('the shim itself', () => {
  it.each([
    ['no definitions', { definitions: 'nonsense' }, 'is not valid JSON'],
    ['no such hook', { index: 7 }, 'there is no hook 7 in group 0 of pre-tool-use'],
    ['a payload that is no JSON', { payload: 'nonsense' }, 'is not valid JSON'],
    ['a payload that is a list', { payload: '[]' }, 'claude-code sent a payload that is not a map of keys'],
  ])('fails with 1 and says so: %s', async (_, options, message) => {
    const { code, stderr, run } = await shim('exit 2', options);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(run).toMatchObject({ exitCode: null, decision: 'none', error: expect.stringContaining(message) });
  });

  it('runs no prompts', async () => {
    const { code, stderr } = await shim(null);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'the hook could not be run: it is a prompt, and only commands are run\n',
    });
  });

  it.each([['/nowhere/log.sock'], [''], [`/tmp/${'x'.repeat(300)}`]])(
    'works without a socket at %s',
    async (socket) => {
      const { code, stderr, run, ms } = await shim('echo no >&2; exit 2', { socket });
      expect({ code, stderr, run }).toEqual({ code: 2, stderr: 'no\n', run: null });
      expect(ms).toBeLessThan(30_000);
    },
  );

  it('does not wait long for a socket that does not answer', async () => {
    await using folder = await temporaryFolder();
    const socket = join(folder.path, 'slow.sock');
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, () => {});
    await new Promise<void>((ready) => server.listen(socket, ready));
    const { code, ms } = await shim('exit 2', { socket });
    server.close();
    expect(code).toBe(2);
    // By itself it would wait for ever.
    expect(ms).toBeLessThan(20_000);
  });
});
