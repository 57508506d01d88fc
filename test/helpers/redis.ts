/** A Redis server of the test's own, on loopback, that keeps nothing on disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { which } from '../../src/host/programs.ts';
import { temporaryFolder } from './folder.ts';

/** null: there is none on PATH. */
export function findRedis(): string | null {
  return which('redis-server', process.env);
}

/** To be printed by tests that are skipped for want of it. */
export const NO_REDIS =
  'skipped what needs Redis: there is no redis-server on PATH; install it:  apt-get install redis-server';

const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const PORT_ATTEMPTS = 5;
const START_MS = 20_000;

/** Settings of a server beside the usual ones. */
export type RedisSettings = (port: number) => readonly string[];

const PLAIN: RedisSettings = (port) => ['--port', `${port}`];

export async function startRedis(own: RedisSettings = PLAIN) {
  const program = findRedis();
  if (program === null) throw new Error('there is no redis-server on PATH');
  const folder = await temporaryFolder();
  const clients = new Set<Redis>();
  const sockets = new Set<Socket>();
  let { server, port } = await startAnywhere(program, folder.path, own);
  const options = { host: '127.0.0.1', port };

  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const stop = async () => {
    for (const client of clients) client.disconnect();
    for (const socket of sockets) socket.destroy();
    await end('SIGKILL');
    await folder[Symbol.asyncDispose]();
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    options,
    /** A client that goes away with the server. */
    client() {
      const client = new Redis(options);
      client.on('error', () => {});
      clients.add(client);
      return client;
    },
    /**
     * Hears all that the server is told, until it goes away: when, in seconds, and the words. Without a client's help:
     * that of ioredis takes what others say right after its question for the answer.
     */
    async monitor(onCommand: (time: number, words: readonly string[]) => void) {
      const socket = connect(options.port, options.host);
      sockets.add(socket);
      socket.on('error', () => {});
      const lines = createInterface({ input: socket });
      const answer = once(lines, 'line');
      socket.write('MONITOR\r\n');
      await answer;
      lines.on('line', (line) => {
        const [, time, words = ''] = /^\+([\d.]+) \[[^\]]*\] (.*)$/.exec(line) ?? [];
        if (time !== undefined) onCommand(Number(time), words.match(QUOTED)?.map(unquoted) ?? []);
      });
    },
    /** The way a machine dies: nobody is told. */
    kill: () => end('SIGKILL'),
    /** On the same port, empty. */
    async restart() {
      await end('SIGKILL');
      const again = await startAt(program, folder.path, port, own);
      if (again === null) throw new Error(`redis-server did not start again on port ${port}`);
      server = again;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** As Redis quotes it; what is no plain text stays as it is. */
function unquoted(word: string): string {
  return word.slice(1, -1).replace(/\\(["\\])/g, '$1');
}

async function startAnywhere(program: string, folder: string, own: RedisSettings) {
  for (let attempt = 1; attempt <= PORT_ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const server = await startAt(program, folder, port, own);
    if (server) return { server, port };
  }
  throw new Error(`redis-server did not start on any of ${PORT_ATTEMPTS} ports`);
}

/** null: it ended, as it does when somebody else took the port. */
async function startAt(
  program: string,
  folder: string,
  port: number,
  own: RedisSettings,
): Promise<ChildProcess | null> {
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawn(program, [...own(port), ...settings], { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  const isReady = new Promise<true>((ready) => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('Ready to accept connections')) ready(true);
    });
  });
  const over = new AbortController();
  const isOver = Promise.race([once(server, 'exit'), delay(START_MS, null, { signal: over.signal })]);
  const isUp = await Promise.race([isReady, isOver.then(() => false)]);
  over.abort();
  isOver.catch(() => {});
  if (isUp) return server;
  server.kill('SIGKILL');
  return null;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
