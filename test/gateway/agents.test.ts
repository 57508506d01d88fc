/** The real CLIs find their model through a door, and only through it. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Door } from '../../src/gateway/gateway.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { INPUT_TOKENS, modelServer, OUTPUT_TOKENS } from '../helpers/model-server.ts';
import { gatewayTo, KEY, listen } from './helpers.ts';

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const CLAUDE = join(modules, '@anthropic-ai/claude-code-linux-x64/claude');
const CODEX = join(modules, '@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex');

interface Ran {
  readonly code: number;
  readonly stdout: string;
}

function run(file: string, args: readonly string[], cwd: string, env: Record<string, string>): Promise<Ran> {
  return new Promise((settle) => {
    const settings = { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env }, timeout: 30_000 };
    const child = execFile(file, args, settings, (error, stdout) => {
      settle({ code: error ? Number(error.code ?? -1) : 0, stdout });
    });
    child.stdin?.end();
  });
}

async function claude(door: Door, folder: string) {
  const config = join(folder, 'config');
  const args = ['-p', 'say hello', '--output-format', 'json', '--model', 'claude-sonnet-5-5'];
  const ran = await run(CLAUDE, args, folder, {
    ANTHROPIC_UNIX_SOCKET: door.socket,
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
    ANTHROPIC_API_KEY: 'sk-fake-in-the-sandbox',
    CLAUDE_CONFIG_DIR: config,
    IS_SANDBOX: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  });
  return { ...ran, result: JSON.parse(ran.stdout) as { result: string; is_error: boolean } };
}

describe('Claude Code', () => {
  it('talks to its model through a door', async () => {
    await using folder = await temporaryFolder();
    await using model = await modelServer([
      { tools: [{ name: 'Read', input: { file_path: '/nothing/here' } }] },
      { text: 'Grüße aus dem Modell' },
    ]);
    await using gateway = await gatewayTo(model.url);
    await using door = await gateway.open('t1', 'anthropic');
    const { code, result } = await claude(door, folder.path);
    expect({ code, result: result.result }).toEqual({ code: 0, result: 'Grüße aus dem Modell' });
    expect(model.requests.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual(
      Array(2).fill(['/v1/messages?beta=true', KEY]),
    );
    expect(JSON.stringify(model.requests)).not.toContain('sk-fake-in-the-sandbox');
    expect(door).toMatchObject({
      failure: null,
      usage: {
        requests: 2,
        inputTokens: 2 * INPUT_TOKENS,
        outputTokens: 2 * OUTPUT_TOKENS,
        models: ['claude-sonnet-5-5'],
      },
    });
  });

  it('ends soon when the model is lost, and the door says why', async () => {
    await using folder = await temporaryFolder();
    await using model = await modelServer([{ status: 429, headers: { 'retry-after': '3600' } }]);
    await using gateway = await gatewayTo(model.url);
    await using door = await gateway.open('t1', 'anthropic');
    const { code, result } = await claude(door, folder.path);
    expect({ code, isError: result.is_error }).toEqual({ code: 1, isError: true });
    expect(door.failure).toMatchObject({ kind: 'rate-limit', status: 429 });
  });
});

describe('Codex', () => {
  it('falls back from websockets and talks to its model through a door', async () => {
    await using folder = await temporaryFolder();
    await using model = await modelServer([{ text: 'Grüße aus dem Modell' }]);
    await using gateway = await gatewayTo(model.url);
    await using door = await gateway.open('t1', 'openai');
    const bridge = createServer((socket) => {
      const through = connect(door.socket);
      socket.pipe(through).pipe(socket);
      for (const side of [socket, through]) side.on('error', () => {});
    });
    const url = await listen(bridge);
    const home = join(folder.path, 'codex-home');
    await mkdir(home);
    const provider = `{ name = "door", base_url = "${url}/v1", env_key = "DOOR_KEY", supports_websockets = true }`;
    const settings = [
      'model_provider="door"',
      `model_providers.door=${provider}`,
      ...['plugins', 'apps', 'shell_snapshot', 'memories', 'tool_suggest'].map(
        (it) => `features.${it}=false`,
      ),
      ...['analytics', 'feedback'].map((it) => `${it}.enabled=false`),
      'check_for_update_on_startup=false',
      'web_search="disabled"',
    ].flatMap((setting) => ['-c', setting]);
    const args = ['exec', '--json', '--skip-git-repo-check', '-m', 'gpt-5.5', ...settings, 'hi'];
    const env = { CODEX_HOME: home, DOOR_KEY: 'sk-fake-in-the-sandbox' };
    const { code, stdout } = await run(CODEX, args, folder.path, env);
    bridge.close();
    expect(code).toBe(0);
    expect(stdout).toContain('Grüße aus dem Modell');
    expect(model.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/responses', `Bearer ${KEY}`],
    ]);
    expect(door).toMatchObject({
      failure: null,
      usage: { requests: 1, inputTokens: INPUT_TOKENS, outputTokens: OUTPUT_TOKENS, models: ['gpt-5.5'] },
    });
  });
});
