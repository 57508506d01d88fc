/** The real CLIs as judges, through the real gateway, against a scripted model. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeCode } from '../../src/engine/claude-code.ts';
import { codex } from '../../src/engine/codex.ts';
import { findEngine } from '../../src/engine/find.ts';
import { judgeCase } from '../../src/judge/judge.ts';
import { claudeCli } from '../../src/judge/transports/claude-cli.ts';
import { createCliTransport, type JudgeCli, type JudgeCliSetup } from '../../src/judge/transports/cli.ts';
import { codexCli } from '../../src/judge/transports/codex-cli.ts';
import { createNoSandbox } from '../../src/sandbox/none.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { gatewayTo } from '../gateway/helpers.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type ModelRequest, modelServer, type Turn } from '../helpers/model-server.ts';
import { answer, GOOD, never, QUESTION } from './helpers.ts';

const HOST = { env: process.env, cwd: process.cwd(), home: homedir() };
const BRIDGE = fileURLToPath(new URL('../../dist/inside/bridge.js', import.meta.url));

interface Dialect {
  readonly cli: JudgeCli;
  readonly model: string;
  readonly provider: 'anthropic' | 'openai';
  /** What the CLI is set up with, from the engine of the same CLI. */
  setup(folder: string, socket: string): Omit<JudgeCliSetup, 'model'>;
  /** A turn of the model that is an answer. */
  says(value: unknown): Turn;
}

const request = (folder: string, socket: string) => ({
  ...{ prompt: '', model: null, template: null, program: 'x', node: 'x', bridge: 'x', socket },
  network: false,
  budgetUsd: null,
  files: [],
  workspace: join(folder, 'workspace'),
  configDir: join(folder, 'config'),
});

const claudeDialect: Dialect = {
  cli: claudeCli,
  model: 'claude-sonnet-5-5',
  provider: 'anthropic',
  setup(folder, socket) {
    const { env, configFiles } = claudeCode.command(request(folder, socket));
    const start = [program('claude-code')] as const;
    return { start, arguments: [], env, configFiles, configDir: join(folder, 'config') };
  },
  says: (value) => ({ tools: [{ name: 'StructuredOutput', input: value as object }] }),
};

const codexDialect: Dialect = {
  cli: codexCli,
  model: 'gpt-5.5',
  provider: 'openai',
  setup(folder, socket) {
    const { argv, env, configFiles } = codex.command(request(folder, socket));
    const leading = argv.slice(argv.indexOf('--config'), argv.indexOf('--config') + 2);
    const start = [process.execPath, BRIDGE, socket, '--', program('codex')] as const;
    return { start, arguments: leading, env, configFiles, configDir: join(folder, 'config') };
  },
  says: (value) => ({ text: JSON.stringify(value) }),
};

function program(name: 'claude-code' | 'codex'): string {
  const found = findEngine(name, HOST);
  if (!found) throw new Error(`${name} is not installed: npm install`);
  return found.path;
}

describe.each([
  ['Claude Code', claudeDialect],
  ['Codex', codexDialect],
])('%s', (_, { cli, model, provider, setup, says }) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createNoSandbox(HOST);
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  type Ask = (request: ModelRequest, number: number, workspace: string) => Turn;

  async function judge(script: Ask, timeoutMs = 30_000) {
    await using folder = await temporaryFolder();
    let number = 0;
    await using server = await modelServer((it) => {
      number += 1;
      return script(it, number, join(folder.path, 'workspace'));
    });
    await using gateway = await gatewayTo(server.url, { timings: { maxWaitMs: 200, idleMs: 1_000 } });
    await using door = await gateway.open('judge', provider);
    const transport = createCliTransport({
      cli,
      door,
      setup: { ...setup(folder.path, door.socket), model },
      async run(command, signal) {
        const cwd = join(folder.path, 'workspace');
        await mkdir(cwd, { recursive: true });
        await mkdir(join(folder.path, 'config'), { recursive: true });
        for (const [path, text] of Object.entries(command.configFiles)) {
          const file = join(folder.path, 'config', path);
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, text);
        }
        const { argv, env, stdin } = command;
        const limits = { outputBytes: 1024 * 1024 };
        return sandbox.run({ argv, cwd, env, mounts: [], stdin, network: true, timeoutMs, limits, signal });
      },
    });
    const judgement = await judgeCase(QUESTION, transport, { votes: 1, signal: never });
    const left = await readdir(join(folder.path, 'workspace'));
    return { judgement, requests: server.requests, usage: door.usage, left };
  }

  it('gets a verdict in one request, without tools to act with', async () => {
    const { judgement, requests, usage } = await judge(() => says(GOOD));
    expect(judgement).toMatchObject({
      result: 'PASS',
      model,
      provider,
      transport: cli.id,
      attempts: 1,
      error: null,
    });
    expect(usage.requests).toBe(1);
    const { body } = requests[0] ?? {};
    const sent = JSON.stringify(body);
    expect(sent).toContain('You are an examiner');
    expect(sent).toContain('The greeting is written to hello.txt.');
    expect(sent).toContain('"additionalProperties":false');
    const tools: { name?: string; type?: string }[] = body.tools ?? [];
    expect(tools.map((it) => it.name ?? it.type)).toEqual(TOOLS[provider]);
  });

  it('takes FAIL for FAIL', async () => {
    const { judgement } = await judge(() => says(answer('FAIL')));
    expect(judgement).toMatchObject({ result: 'FAIL', error: null });
  });

  it('asks again when a quote was made up', async () => {
    const invented = { criteria: GOOD.criteria.map((it) => ({ ...it, evidence: ['Hello, Moon'] })) };
    const { judgement, requests } = await judge((_, number) => says(number === 1 ? invented : GOOD));
    expect(judgement).toMatchObject({ result: 'PASS', attempts: 2 });
    expect(JSON.stringify(requests.at(-1)?.body)).toContain('does not stand in the material');
  });

  it('writes nothing, even if the model tries to', async () => {
    const write = (path: string): Turn =>
      provider === 'anthropic'
        ? { tools: [{ name: 'Write', input: { file_path: path, content: 'x' } }] }
        : { tools: [{ name: 'apply_patch', custom: patchFor(path) }] };
    const { judgement, left, usage } = await judge((_, number, workspace) =>
      number === 1 ? write(join(workspace, 'made.txt')) : says(GOOD),
    );
    expect(left).toEqual([]);
    expect(usage.requests).toBe(2);
    expect(judgement).toMatchObject({ result: 'PASS' });
  });

  it('leaves the case undecided when the model keeps to prose', async () => {
    const { judgement } = await judge(() => ({ text: 'All is well: PASS.' }));
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'judge-unusable', attempts: 3 });
  });

  it('leaves the case undecided when the answer has another form', async () => {
    const { judgement } = await judge(() => says({ verdict: 'PASS' }));
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'judge-unusable' });
  });

  it.each<[string, Turn, string]>([
    ['401', { status: 401 }, 'model-auth'],
    ['429', { status: 429, headers: { 'retry-after': '3600' } }, 'model-rate-limit'],
    ['500', { status: 500 }, 'model-server-error'],
    ['529', { status: 529 }, 'model-overloaded'],
    ['400', { status: 400 }, 'model-bad-request'],
    ['an answer that breaks off', { fault: 'cut' }, 'model-cut-off'],
    ['an answer that stalls', { fault: 'stall' }, 'model-stalled'],
  ])('leaves the case undecided on %s', async (_, turn, errorKind) => {
    const { judgement } = await judge(() => turn);
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind });
    expect(judgement.criteria.map(({ result }) => result)).toEqual(['SKIP', 'SKIP']);
  });

  it('leaves the case undecided when its time is over', async () => {
    const { judgement } = await judge(() => ({ fault: 'no-answer' }), 2_500);
    expect(judgement).toMatchObject({ result: 'SKIP', errorKind: 'model-stalled' });
  });
});

/** Codex keeps two: nobody is there to be asked, and nothing can be written. */
const TOOLS = { anthropic: ['StructuredOutput'], openai: ['request_user_input', 'apply_patch'] } as const;

function patchFor(path: string): string {
  return `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n`;
}
