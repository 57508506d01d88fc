/** The floor: runs N commands in the sandbox that aam would use, K at a time, and looks at each output. Nothing else. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { ENGINES } from '../dist/engine/engines.js';
import { findEngine } from '../dist/engine/find.js';
import { bubblewrapArguments } from '../dist/sandbox/bubblewrap/arguments.js';
import { findBubblewrap } from '../dist/sandbox/bubblewrap/find.js';
import { sandboxPath, systemArguments, toolArguments, writeEtc } from '../dist/sandbox/bubblewrap/system.js';
import { makeWorkspace } from '../dist/sandbox/workspace.js';

const [kind, count, parallel, given] = process.argv.slice(2);
const host = { env: process.env, cwd: process.cwd(), home: homedir() };
const bwrap = findBubblewrap(host).path;
const dir = mkdtempSync(join(tmpdir(), 'aam-floor-'));
writeEtc(join(dir, 'etc'));
const base = {
  system: systemArguments(join(dir, 'etc')),
  tools: toolArguments(host),
  path: sandboxPath(host),
  canSizeScratch: false,
};

/** kind → what a command is run with; `given` is a package for `test`, the model's socket for `claude-code`. */
const KINDS = {
  test: (own) => ({
    argv: ['/bin/sh', '-c', 'echo Done as asked.'],
    env: {},
    stdin: null,
    cwd: '/package/skills/echo',
    mounts: [
      { from: own, to: '/package', mode: 'rw' },
      { from: join(given, 'skills'), to: '/package/skills', mode: 'ro' },
      { from: join(own, 'config'), to: '/package/skills/echo', mode: 'rw' },
    ],
  }),
  command: (own) => ({
    argv: ['/bin/sh', '-c', 'echo Done as asked.'],
    env: {},
    stdin: 'Do it.',
    cwd: '/workspace',
    mounts: [{ from: join(own, 'workspace'), to: '/workspace', mode: 'rw' }],
  }),
  'claude-code': (own) => {
    const { path } = findEngine('claude-code', host);
    const command = ENGINES['claude-code'].command({
      prompt: 'Do it.',
      model: 'claude-sonnet-5-5',
      workspace: '/workspace',
      files: FILES['claude-code'].map(({ to }) => to),
      network: false,
      budgetUsd: null,
      program: `/aam/engine/${basename(path)}`,
      configDir: '/agent',
      socket: '/aam/gateway.sock',
    });
    return {
      ...command,
      cwd: '/workspace',
      mounts: [
        { from: join(own, 'workspace'), to: '/workspace', mode: 'rw' },
        { from: join(own, 'config'), to: '/agent', mode: 'rw' },
        { from: path, to: command.argv[0], mode: 'ro' },
        { from: given, to: '/aam/gateway.sock', mode: 'rw' },
      ],
    };
  },
};

/** What the agent finds in its workspace is part of its own work: a repository and a skill take time to look at. */
const SKILL = '---\nname: echo\ndescription: Echoes.\n---\nEcho.\n';
const FILES = { test: [], command: [], 'claude-code': [{ to: '.claude/skills/echo/SKILL.md', text: SKILL }] };

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
  const own = join(dir, kind === 'claude-code' ? String(index) : 'all');
  if (!existsSync(own)) {
    mkdirSync(join(own, 'config'), { recursive: true });
    makeWorkspace(join(own, 'workspace'), FILES[kind]);
  }
  const { stdin, ...wanted } = KINDS[kind](own);
  const { options, command } = bubblewrapArguments({ ...wanted, network: false, limits: {} }, base);
  return new Promise((settle) => {
    const child = spawn(bwrap, ['--args', '4', '--', ...command], {
      env: {},
      stdio: [stdin === null ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    child.stdio[4].on('error', () => {}).end(options.join('\0'));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.stdin?.on('error', () => {}).end(stdin);
    child.on('close', (code) => settle(code === 0 && output.includes('Done as asked.')));
  });
}
