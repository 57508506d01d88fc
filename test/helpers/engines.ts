/** Runs the real agent CLIs in the real sandbox against a scripted model. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Engine, EngineRequest } from '../../src/engine/engine.ts';
import { ENGINES, type EngineName } from '../../src/engine/engines.ts';
import { findEngine, hasProgram } from '../../src/engine/find.ts';
import { Lines } from '../../src/engine/lines.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { Host } from '../../src/model/host.ts';
import type { ProcessOutcome } from '../../src/model/process.ts';
import type { Mount, Sandbox } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from './folder.ts';
import { type ModelRequest, modelServer, type Script } from './model-server.ts';

const HOST: Host = { env: process.env, cwd: process.cwd(), home: homedir() };

/** Where things stand inside. */
export const INSIDE = {
  workspace: '/workspace',
  configDir: '/agent',
  socket: '/run/gateway.sock',
  bridge: '/aam/inside/bridge.js',
  node: '/aam/node',
  network: false,
  budgetUsd: null,
  files: [],
} as const;

const BUILT = fileURLToPath(new URL('../../dist/inside', import.meta.url));

/** The program of an engine as the sandbox sees it, and what must be mounted for it. */
export function engineProgram(name: EngineName): { readonly program: string; readonly mounts: Mount[] } {
  const mounts: Mount[] = [
    { from: BUILT, to: dirname(INSIDE.bridge), mode: 'ro' },
    { from: process.execPath, to: INSIDE.node, mode: 'ro' },
  ];
  if (!hasProgram(name)) return { program: join(dirname(INSIDE.bridge), 'completion.js'), mounts };
  const host = findEngine(name, HOST)?.path;
  if (host === undefined) throw new Error(`${name} is not installed: npm install`);
  // Codex has its helpers beside the folder of its program.
  const above = dirname(dirname(host));
  const root = existsSync(join(above, 'codex-resources')) ? above : dirname(host);
  mounts.push({ from: root, to: '/aam/engine', mode: 'ro' });
  return { program: join('/aam/engine', host.slice(root.length)), mounts };
}

export interface EngineTrial {
  /** null: nobody listens on the socket. */
  readonly script: Script | null;
  readonly prompt?: string;
  readonly model?: string | null;
  readonly template?: EngineRequest['template'];
  /** Files of the workspace; those that begin with #! can be run. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Called with the folder that holds all of the trial, once it runs. */
  readonly onStart?: (folder: string) => void;
}

export interface EngineResult {
  /** Those of standard error come first. */
  readonly events: readonly AgentEvent[];
  readonly end: Extract<AgentEvent, { type: 'end' }> | undefined;
  readonly outcome: ProcessOutcome;
  readonly requests: readonly ModelRequest[];
  /** Text of a file that the workspace has at the end. */
  file(path: string): Promise<string | null>;
  of<Type extends AgentEvent['type']>(type: Type): Extract<AgentEvent, { type: Type }>[];
}

export async function runEngine(
  name: EngineName,
  sandbox: Sandbox,
  trial: EngineTrial,
): Promise<EngineResult & AsyncDisposable> {
  const engine: Engine = ENGINES[name];
  const folder = await temporaryFolder();
  const at = (path: string) => join(folder.path, path);
  await Promise.all([mkdir(at('workspace')), mkdir(at('agent'))]);
  await writeFiles(at('workspace'), trial.files ?? {});
  const socket = at('gateway.sock');
  const server = trial.script === null ? null : await modelServer(trial.script, { socket });
  if (server === null) await writeFile(socket, '');

  const { program, mounts } = engineProgram(name);
  const command = engine.command({
    ...INSIDE,
    program,
    prompt: trial.prompt ?? 'Do it.',
    files: Object.keys(trial.files ?? {}),
    model: trial.model ?? null,
    template: trial.template ?? null,
  });
  await writeFiles(at('agent'), command.configFiles);
  const lines = new Lines();
  const reading = collect(engine.read(lines));
  trial.onStart?.(folder.path);
  const outcome = await sandbox.run({
    argv: command.argv,
    cwd: INSIDE.workspace,
    env: { ...command.env, ...trial.env },
    mounts: [
      ...mounts,
      { from: at('workspace'), to: INSIDE.workspace, mode: 'rw' },
      { from: at('agent'), to: INSIDE.configDir, mode: 'rw' },
      { from: socket, to: INSIDE.socket, mode: 'ro' },
    ],
    stdin: command.stdin,
    network: false,
    timeoutMs: trial.timeoutMs ?? 30_000,
    limits: { outputBytes: 1024 * 1024 },
    signal: trial.signal,
    onStdout: (chunk) => lines.add(chunk),
  });
  lines.end();
  const events = [...(engine.readErrors?.(outcome.stderr.text) ?? []), ...(await reading)];
  await server?.[Symbol.asyncDispose]();
  return {
    events,
    end: events.find((it) => it.type === 'end'),
    outcome,
    requests: server?.requests ?? [],
    file: (path) => readFile(join(at('workspace'), path), 'utf8').catch(() => null),
    of: <Type extends AgentEvent['type']>(type: Type) =>
      events.filter((it): it is Extract<AgentEvent, { type: Type }> => it.type === type),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
}
