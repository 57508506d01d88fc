/** What the real CLIs send, with the settings that trials use, is never taken for a way out of the sandbox. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/engine/claude-code.ts';
import { codex } from '../../src/engine/codex.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Door } from '../../src/gateway/gateway.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { modelServer } from '../helpers/model-server.ts';
import { gatewayTo, listen } from './helpers.ts';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const PROGRAMS = {
  'claude-code': join(modules, '@anthropic-ai/claude-code-linux-x64/claude'),
  codex: join(modules, '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex'),
};

/** Runs an engine as a trial does, apart from the sandbox. */
async function runEngine(engine: Engine, door: Door, folder: string, model: string): Promise<string> {
  const bridge = createServer((socket) => {
    const through = connect(door.socket);
    socket.pipe(through).pipe(socket);
    for (const side of [socket, through]) side.on('error', () => {});
  });
  const port = new URL(await listen(bridge)).port;
  const program = PROGRAMS[engine.id as keyof typeof PROGRAMS];
  const configDir = join(folder, 'config');
  await mkdir(configDir, { recursive: true });
  const places = {
    program,
    configDir,
    socket: door.socket,
    node: 'node',
    bridge: 'bridge',
    workspace: folder,
  };
  const command = engine.command({
    ...places,
    prompt: 'hello',
    model,
    template: null,
    network: true,
    budgetUsd: null,
    files: [],
  });
  for (const [name, text] of Object.entries(command.configFiles))
    await writeFile(join(configDir, name), text);
  const args = command.argv
    .slice(command.argv.indexOf(program) + 1)
    .map((it) => it.replace('__AAM_PORT__', port));
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...command.env };
  try {
    return await new Promise((settle) => {
      const child = execFile(program, args, { cwd: folder, env, timeout: 40_000 }, (_, stdout) =>
        settle(stdout),
      );
      child.stdin?.end(command.stdin);
    });
  } finally {
    bridge.close();
  }
}

async function codexModels(folder: string): Promise<string[]> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, CODEX_HOME: folder };
  const { stdout } = await promisify(execFile)(PROGRAMS.codex, ['debug', 'models'], { env, timeout: 20_000 });
  return (JSON.parse(stdout) as { models: { slug: string }[] }).models.map(({ slug }) => slug);
}

describe('a session of', () => {
  it.each(['claude-sonnet-5-5', 'claude-opus-4-6', 'claude-haiku-4-5'])('Claude Code with %s', async (id) => {
    await using folder = await temporaryFolder();
    await using model = await modelServer([{ text: 'done here' }]);
    await using gateway = await gatewayTo(model.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect(await runEngine(claudeCode, door, folder.path, id)).toContain('done here');
    expect(model.requests[0]?.body.tools.length).toBeGreaterThan(3);
    expect(door.refused).toEqual([]);
  });

  it('Codex with each model it knows, and with one it does not', async () => {
    await using folder = await temporaryFolder();
    await using model = await modelServer([{ text: 'done here' }]);
    await using gateway = await gatewayTo(model.url);
    const slugs = await codexModels(folder.path);
    expect(slugs.length).toBeGreaterThan(3);
    for (const slug of [...slugs, 'unknown-model']) {
      await using door = await gateway.open(slug, 'openai');
      expect(await runEngine(codex, door, folder.path, slug), slug).toContain('done here');
      expect([slug, door.refused]).toEqual([slug, []]);
    }
  });

  it('Claude Code that asks for a web search: only the search is refused', async () => {
    await using folder = await temporaryFolder();
    await using model = await modelServer([
      { tools: [{ name: 'WebSearch', input: { query: 'weather' } }] },
      { text: 'done here' },
    ]);
    await using gateway = await gatewayTo(model.url);
    await using door = await gateway.open('t1', 'anthropic');
    const output = await runEngine(claudeCode, door, folder.path, 'claude-sonnet-5-5');
    expect(output).toContain('done here');
    expect(door).toMatchObject({ refused: ['web_search_20250305'], failure: null });
    expect(model.requests.length).toBe(2);
  });
});
