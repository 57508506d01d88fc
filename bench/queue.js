/** (g) Trivial `command` cases through a queue on loopback, against the same run on this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { aamArguments, allPassed } from './command-cases.js';
import { compare } from './measure.js';
import { AAM, assert, caseLines, forgetRuns, inFolder, writePackage } from './places.js';

/** The aim of memory is for the planner: 10,000 cases against 1,000. */
const SIZES = [
  { cases: 1000, rounds: 5, aim: 1.5 },
  { cases: 10_000, rounds: 1, aim: 1.5 },
];

/** `only`: numbers of cases, all when empty. */
export async function queueCases(only) {
  return await withWorkers(1, 2, async (url) => {
    const rows = [];
    for (const size of SIZES.filter(({ cases }) => only.length === 0 || only.includes(cases)))
      rows.push(await row(size, url));
    return rows;
  });
}

/** A queue of its own with so many workers, each for `jobs` agents at a time. */
export function withWorkers(count, jobs, use) {
  return inFolder(async (dir) => {
    const redis = await startRedis(dir);
    const started = Array.from({ length: count }, () =>
      start([...AAM, 'worker', '--queue', redis.url, `-j${jobs}`, '--json']),
    );
    try {
      await Promise.all(started.map((worker) => once(worker.stdout, 'data')));
      for (const worker of started) worker.stdout.resume();
      return await use(redis.url);
    } finally {
      await Promise.all(started.map(end));
      await end(redis.server);
    }
  });
}

function row({ cases, rounds, aim }, url) {
  return inFolder(async (dir) => {
    writePackage(dir, caseLines(cases));
    const before = () => forgetRuns(dir);
    const check = (result) => allPassed(result, cases);
    const local = aamArguments(dir, 'bubblewrap');
    const measured = await compare(
      {
        'aam eval -j2': { argv: local, before, check },
        'aam eval --queue': { argv: [...local, '--queue', url], before, check },
      },
      rounds,
      { warmUp: rounds > 1 },
    );
    return { bench: `${cases.toLocaleString('en')} commands, queue`, rounds, aim, cases, measured };
  });
}

async function startRedis(dir) {
  const port = await freePort();
  const server = start(['redis-server', '--port', String(port), '--save', '', '--dir', dir]);
  server.on('error', () => {});
  for (let tries = 0; tries < 100; tries++) {
    await delay(50);
    assert(server.pid !== undefined, 'there is no redis-server; install it:  apt-get install redis-server');
    if (await answers(port)) return { server, url: `redis://127.0.0.1:${port}` };
  }
  throw new Error('redis-server does not answer');
}

async function answers(port) {
  const { connect } = await import('node:net');
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function start([file, ...args]) {
  return spawn(file, args, { env: process.env, stdio: ['ignore', 'pipe', 'ignore'] });
}

async function end(child) {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
