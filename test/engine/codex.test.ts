import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codex } from '../../src/engine/codex.ts';
import { createBubblewrap } from '../../src/sandbox/bubblewrap/bubblewrap.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Dialect, engineConformance } from '../conformance/engine.ts';
import { HOST } from '../conformance/sandbox.ts';
import { type EngineTrial, engineProgram, INSIDE, runEngine } from '../helpers/engines.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const dialect: Dialect = {
  model: 'gpt-5.5',
  shellTool: 'Bash',
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  write: (path, text) => ({
    name: 'apply_patch',
    custom: `*** Begin Patch\n*** Add File: ${path}\n+${text}\n*** End Patch\n`,
  }),
  skillFolder: '.agents/skills',
  loadSkill: null,
  agentFiles: (name, prompt) => ({
    [`.codex/agents/${name}.toml`]: `name = "${name}"\ndescription = "Helps."\ndeveloper_instructions = "${prompt}"\n`,
  }),
  startAgent: (agent_type, message) => [
    () => ({ namespace: 'multi_agent_v1', name: 'spawn_agent', input: { message, agent_type } }),
    ({ body }) => ({
      namespace: 'multi_agent_v1',
      name: 'wait_agent',
      input: { targets: [agentId(body)], timeout_ms: 10_000 },
    }),
  ],
  hookFiles: (event, command) => ({
    '.codex/hooks.json': JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: 'command', command }] }] } }),
  }),
};

/** As the result of spawn_agent named it. */
function agentId(body: unknown): string {
  return /agent_id\W+([0-9a-f-]{36})/.exec(JSON.stringify(body))?.[1] ?? '';
}

engineConformance('codex', dialect);

describe('codex', () => {
  const { model, shell } = dialect;
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createBubblewrap(HOST);
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());
  const run = (trial: EngineTrial) => runEngine('codex', sandbox, { model, ...trial });

  it('understands every one of its settings', async () => {
    await using folder = await temporaryFolder();
    const { program, mounts } = engineProgram('codex');
    const { argv, configFiles } = codex.command({
      ...INSIDE,
      program,
      prompt: '',
      model: null,
      template: null,
    });
    const outcome = await sandbox.run({
      argv: [
        '/bin/sh',
        '-c',
        'echo "$CONFIG" > /agent/config.toml; exec "$@"',
        'sh',
        ...argv,
        '--strict-config',
      ],
      cwd: '/',
      env: { CODEX_HOME: INSIDE.configDir, CONFIG: configFiles['config.toml'] ?? '' },
      mounts: [...mounts, { from: folder.path, to: INSIDE.configDir, mode: 'rw' }],
      stdin: '',
      network: false,
      timeoutMs: 20_000,
      limits: { outputBytes: 10_000 },
    });
    // It reads its settings before it misses the prompt.
    expect(outcome.stderr.text).toBe('No prompt provided via stdin.\n');
  });

  it('sends no credentials at all', async () => {
    await using result = await run({ script: [{ text: 'Done.' }] });
    expect(result.requests[0]).toMatchObject({ path: '/v1/responses' });
    expect(result.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('runs the scripts of models that write code to call tools', async () => {
    const custom =
      'const { output } = await tools.exec_command({ cmd: "echo code > c; cat c" }); text(output);';
    await using result = await run({
      model: null,
      script: [{ tools: [{ name: 'exec', custom }] }, { text: 'Done.' }],
    });
    expect(result.of('tool-call')).toMatchObject([
      { tool: 'Bash', input: { command: 'echo code > c; cat c' } },
    ]);
    expect(result.of('tool-result')).toMatchObject([{ output: 'code\n', isError: false }]);
  });

  it('tells changes of files', async () => {
    await using result = await run({
      script: [{ tools: [dialect.write('a.txt', 'x')] }, { text: 'Done.' }],
    });
    const change = { path: '/workspace/a.txt', kind: 'add' };
    expect(result.of('tool-call')).toMatchObject([{ tool: 'apply_patch', input: { changes: [change] } }]);
    expect(result.of('tool-result')).toMatchObject([{ output: 'add /workspace/a.txt', isError: false }]);
  });

  it('tells calls that it did not carry out', async () => {
    const tools = [shell('rm -rf /workspace/x'), { name: 'no_such_tool' }, { name: 'exec_command' }];
    await using result = await run({ script: [{ tools }, { text: 'Done.' }] });
    expect(result.of('tool-call')).toEqual([]);
    expect(result.of('denied')).toMatchObject([{ tool: 'Bash', by: 'permissions' }]);
    expect(result.of('error').map(({ message }) => message)).toEqual(
      expect.arrayContaining(['unsupported call: no_such_tool', expect.stringContaining('missing field')]),
    );
  });

  it('passes on its warnings, but not the one about hooks', async () => {
    await using result = await run({ model: 'no-such-model', script: [{ text: 'Done.' }] });
    expect(result.of('error')).toEqual([
      { type: 'error', message: expect.stringContaining('Model metadata for `no-such-model` not found') },
    ]);
    expect(result.end?.ok).toBe(true);
  });

  it('runs the MCP servers of the workspace', async () => {
    const server = `const { createInterface } = require('node:readline');
const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'calc', version: '1' } });
  if (method === 'tools/list') reply(id, { tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } } }] });
  if (method === 'tools/call') reply(id, { content: [{ type: 'text', text: String(params.arguments.a + params.arguments.b) }] });
});
`;
    await using result = await run({
      files: {
        '.codex/config.toml': `[mcp_servers.calc]\ncommand = "${INSIDE.node}"\nargs = ["/workspace/calc.cjs"]\n`,
        'calc.cjs': server,
      },
      script: [
        { tools: [{ namespace: 'mcp__calc', name: 'add', input: { a: 2, b: 3 } }] },
        { text: 'Done.' },
      ],
    });
    expect(result.of('tool-call')).toMatchObject([{ tool: 'mcp__calc__add', input: { a: 2, b: 3 } }]);
    expect(result.of('tool-result')).toMatchObject([{ output: '5', isError: false }]);
  });
});
