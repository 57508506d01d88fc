/** The floor: spawns N sandboxed commands, K at a time, and looks at each output. Nothing else. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { bubblewrapArguments } from '../dist/sandbox/bubblewrap/arguments.js';
import { findBubblewrap } from '../dist/sandbox/bubblewrap/find.js';
import { sandboxPath, systemArguments, toolArguments, writeEtc } from '../dist/sandbox/bubblewrap/system.js';

const [packageDir, count, parallel] = process.argv.slice(2);
const host = { env: process.env, cwd: process.cwd(), home: homedir() };
const bwrap = findBubblewrap(host).path;
const dir = mkdtempSync(join(tmpdir(), 'aam-floor-'));
writeEtc(join(dir, 'etc'));
mkdirSync(join(dir, 'package'));
mkdirSync(join(dir, 'focus'));

const args = bubblewrapArguments(
  {
    argv: ['/bin/sh', '-c'],
    cwd: '/package/skills/echo',
    env: {},
    mounts: [
      { from: join(dir, 'package'), to: '/package', mode: 'rw' },
      { from: join(packageDir, 'skills'), to: '/package/skills', mode: 'ro' },
      { from: join(dir, 'focus'), to: '/package/skills/echo', mode: 'rw' },
    ],
    network: false,
    limits: {},
  },
  {
    system: systemArguments(join(dir, 'etc')),
    tools: toolArguments(host),
    path: sandboxPath(host),
    canSizeScratch: false,
  },
);

let next = 0;
let right = 0;
await Promise.all(Array.from({ length: Number(parallel) }, worker));
rmSync(dir, { recursive: true });
console.log(right);

async function worker() {
  while (next < Number(count)) {
    const index = next++;
    if ((await run(`echo ${index}`)) === `${index}\n`) right++;
  }
}

function run(command) {
  return new Promise((settle) => {
    const child = spawn(bwrap, [...args, command], { env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.on('close', () => settle(output));
  });
}
