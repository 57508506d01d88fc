import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const BUILT = new URL('../../dist/host/spawn.js', import.meta.url).href;

/** Uses up the descriptors, but for a few, and starts a program all the same. */
const SCRIPT = `
import { closeSync, openSync } from 'node:fs';
import { spawnBounded } from '${BUILT}';
const open = [];
try { for (;;) open.push(openSync('/dev/null')); } catch {}
for (const fd of open.splice(0, Number(process.argv[1]))) closeSync(fd);
const plan = { file: '/bin/true', args: [], env: {}, leads: 'sandbox', extraInput: '' };
const bounds = { stdin: '', timeoutMs: 20000, outputBytes: 1000 };
const { ended, error } = await spawnBounded(plan, bounds);
console.log(ended, error ?? '');
`;

it.each([0, 1, 2, 5, 8])('tells that there are no descriptors left, with %i that are', async (left) => {
  const args = ['--nofile=60', process.execPath, '--input-type=module', '-e', SCRIPT, String(left)];
  const { stdout } = await promisify(execFile)('prlimit', args);
  expect(stdout).toMatch(/^not-started spawn .*EMFILE\n$/);
});

/**
 * The end of the second program is noticed together with that of the first, before what it wrote was there to be read;
 * then nothing gets its turn for longer than pipes are waited for.
 */
const STARVED = `
import { ChildProcess } from 'node:child_process';
import { spawnBounded } from '${BUILT}';
const busy = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); };
const bounds = { stdin: null, timeoutMs: 60000, outputBytes: 1000 };
const plan = (script) => ({ file: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' }, leads: 'group' });
const first = spawnBounded(plan('echo first'), { ...bounds, onStdout: () => busy(1500) });
const { emit } = ChildProcess.prototype;
let exits = 0;
ChildProcess.prototype.emit = function (...args) {
  if (args[0] === 'exit' && ++exits === 2) process.nextTick(busy, 1000);
  return emit.apply(this, args);
};
const second = spawnBounded(plan('sleep 1; echo second'), bounds);
busy(500);
for (const { stdout } of await Promise.all([first, second])) console.log(stdout.text.trim());
`;

it('reads what a program wrote to its end, whenever this process gets its turn', async () => {
  const args = ['--input-type=module', '-e', STARVED];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe('first\nsecond\n');
});
