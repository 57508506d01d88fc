/** The floor: runs N commands in the sandbox that aam would use, K at a time, and looks at each output. Nothing else. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ANSWER, COMMAND, SKILL } from './places.js';

const [kind, sandbox, count, parallel, given] = process.argv.slice(2);
const host = { env: process.env, cwd: process.cwd(), home: homedir() };
const isAgent = kind === 'claude-code' || kind === 'codex';
const dir = mkdtempSync(join(tmpdir(), 'aam-floor-'));
const wrap = sandbox === 'none' ? unwrapped : await wrapped();
const prepare = isAgent ? await agent() : plain;

let next = 0;
let right = 0;
await Promise.all(Array.from({ length: Number(parallel) }, worker));
rmSync(dir, { recursive: true });
console.log(right);

async function worker() {
  while (next < Number(count)) if (await run(next++)) right++;
}

function run(index) {
  // Only an agent writes: the others all work in the same folders.
  const own = join(dir, isAgent ? String(index) : 'all');
  const { stdin, ...wanted } = prepare(own);
  const { file, args, options, ...more } = wrap(wanted);
  return new Promise((settle) => {
    const child = spawn(file, args, {
      ...more,
      stdio: [stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(options ? ['pipe', 'pipe'] : [])],
    });
    child.stdio[4]?.on('error', () => {}).end(options);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stderr.resume();
    child.stdin?.on('error', () => {}).end(stdin);
    child.on('close', (code) => settle(code === 0 && output.includes(ANSWER)));
  });
}

/** `given`: the package, for `test`. */
function plain(own) {
  if (!existsSync(own))
    for (const name of ['config', 'package', 'workspace']) mkdirSync(join(own, name), { recursive: true });
  const command = { argv: COMMAND, env: {} };
  if (kind === 'test')
    return {
      ...command,
      stdin: null,
      cwd: '/package/skills/echo',
      mounts: [
        { from: own, to: '/package', mode: 'rw' },
        { from: join(given, 'skills'), to: '/package/skills', mode: 'ro' },
        { from: join(own, 'config'), to: '/package/skills/echo', mode: 'rw' },
      ],
    };
  // What aam shows to every agent.
  const mounts = [
    { from: join(own, 'workspace'), to: '/workspace', mode: 'rw' },
    { from: join(own, 'package'), to: '/package', mode: 'ro' },
  ];
  return { ...command, stdin: 'Do it.', cwd: '/workspace', mounts };
}

/** What the agent finds in its workspace is part of its own work. `given`: the model's socket. */
async function agent() {
  const { ENGINES } = await import('../dist/engine/engines.js');
  const { findEngine } = await import('../dist/engine/find.js');
  const { placeEngine } = await import('../dist/pipeline/engine-place.js');
  const { makeWorkspace } = await import('../dist/sandbox/workspace.js');
  const skill = kind === 'codex' ? '.agents/skills/echo/SKILL.md' : '.claude/skills/echo/SKILL.md';
  const place = placeEngine({ isolatesFiles: true, seenAt: ({ to }) => to }, findEngine(kind, host).path);
  const command = ENGINES[kind].command({
    prompt: 'Do it.',
    model: kind === 'codex' ? 'gpt-5.4' : 'claude-sonnet-5-5',
    workspace: '/workspace',
    files: [skill],
    network: false,
    budgetUsd: null,
    ...place,
    configDir: '/agent',
    socket: '/aam/gateway.sock',
  });
  return (own) => {
    mkdirSync(join(own, 'config'), { recursive: true });
    makeWorkspace(join(own, 'workspace'), [{ to: skill, text: SKILL }]);
    for (const [path, text] of Object.entries(command.configFiles))
      writeFileSync(join(own, 'config', path), text);
    const mounts = [
      ...place.mounts,
      { from: join(own, 'workspace'), to: '/workspace', mode: 'rw' },
      { from: join(own, 'config'), to: '/agent', mode: 'rw' },
      { from: given, to: '/aam/gateway.sock', mode: 'rw' },
    ];
    return { argv: command.argv, env: command.env, stdin: command.stdin, cwd: '/workspace', mounts };
  };
}

function unwrapped({ argv: [file, ...args], mounts: [{ from }] }) {
  return { file, args, cwd: from, env: { PATH: process.env.PATH } };
}

async function wrapped() {
  const { bubblewrapArguments } = await import('../dist/sandbox/bubblewrap/arguments.js');
  const { findBubblewrap } = await import('../dist/sandbox/bubblewrap/find.js');
  const system = await import('../dist/sandbox/bubblewrap/system.js');
  const file = findBubblewrap(host).path;
  system.writeEtc(join(dir, 'etc'));
  const base = {
    system: system.systemArguments(join(dir, 'etc')),
    tools: system.toolArguments(host),
    path: system.sandboxPath(host),
    canSizeScratch: false,
  };
  return (wanted) => {
    const { options, command } = bubblewrapArguments({ ...wanted, network: false, limits: {} }, base);
    return { file, args: ['--args', '4', '--', ...command], options: options.join('\0'), env: {} };
  };
}
