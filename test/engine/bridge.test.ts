import { spawn } from 'node:child_process';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';

const BRIDGE = fileURLToPath(new URL('../../dist/inside/bridge.js', import.meta.url));

function start(socket: string, command: readonly string[], input = '') {
  const child = spawn(process.execPath, [BRIDGE, socket, '--', ...command], { stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((settle) => {
    child.on('close', (code) => settle({ code, stdout, stderr }));
  });
  return { child, ended, output: () => stdout };
}

/** Runs a script that gets `port` and `connect`. */
const node = (script: string) => [
  process.execPath,
  '-e',
  `const port = Number(process.argv[1]); const { connect } = require('node:net');\n${script}`,
  '__AAM_PORT__',
];

async function listening(path: string, serve: (socket: Socket) => void): Promise<Server & AsyncDisposable> {
  const server = createServer({ allowHalfOpen: true }, serve);
  await new Promise<void>((ready) => server.listen(path, ready));
  return Object.assign(server, {
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  });
}

describe('the bridge', () => {
  it('says its port wherever it is asked for, and passes on input and exit code', async () => {
    const script = 'echo "$1 $2"; cat; exit 7';
    const command = ['/bin/sh', '-c', script, 'sh', 'http://127.0.0.1:__AAM_PORT__/v1', '__AAM_PORT__'];
    const { code, stdout } = await start('/nowhere', command, 'given').ended;
    expect(code).toBe(7);
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:(\d+)\/v1 \1\ngiven$/);
  });

  it('carries many connections at once, whole, and the end of what is said', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 's');
    // Answers only after the other side has ended.
    await using _server = await listening(path, (socket) => {
      const chunks: Buffer[] = [];
      socket
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => socket.end(Buffer.concat(chunks).reverse()));
    });
    const script = `
      const one = (index) => new Promise((done) => {
        const sent = Buffer.alloc(300_000, String(index).padStart(3, '0') + '-');
        const got = [];
        connect({ port, host: '127.0.0.1', allowHalfOpen: true }, function () { this.end(sent); })
          .on('data', (chunk) => got.push(chunk))
          .on('end', () => done(Buffer.concat(got).equals(Buffer.from(sent).reverse())));
      });
      Promise.all(Array.from({ length: 100 }, (_, index) => one(index))).then((all) => {
        console.log(all.filter(Boolean).length);
        process.exit();
      });`;
    expect(await start(path, node(script)).ended).toMatchObject({ code: 0, stdout: '100\n' });
  });

  it('passes on that the other side broke off, and lives', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 's');
    await using _server = await listening(path, (socket) => {
      socket.write('begin');
      setTimeout(() => socket.destroy(), 50);
      socket.on('error', () => {});
    });
    const script = `
      const one = () => new Promise((done) => {
        let got = '';
        connect(port, '127.0.0.1').on('data', (text) => { got += text; }).on('error', () => {}).on('close', () => done(got));
      });
      one().then(async (first) => console.log(first, await one()));`;
    expect(await start(path, node(script)).ended).toMatchObject({ code: 0, stdout: 'begin begin\n' });
  });

  it('ends its side when the client goes away', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 's');
    let closed = 0;
    await using _server = await listening(path, (socket) => {
      const timer = setInterval(() => socket.write('x'.repeat(1000)), 5);
      socket
        .on('error', () => {})
        .on('close', () => {
          clearInterval(timer);
          closed++;
        });
    });
    const script = `
      const client = connect(port, '127.0.0.1').once('data', () => {
        client.resetAndDestroy();
        setTimeout(() => {}, 300);
      });`;
    expect(await start(path, node(script)).ended).toMatchObject({ code: 0 });
    expect(closed).toBe(1);
  });

  it('closes connections when there is nobody behind the socket', async () => {
    const script = `connect(port, '127.0.0.1').on('error', () => {}).on('close', () => console.log('closed'));`;
    expect(await start('/no/such/socket', node(script)).ended).toMatchObject({ code: 0, stdout: 'closed\n' });
  });

  it('leaves the output of the program as it is: it may write more than its reader takes at once', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 's');
    await using _server = await listening(path, (socket) => socket.end('answer'));
    // Node would mend the descriptors it starts a program with, so a shell starts the one that writes.
    const script = `"$1" -e 'require("net").connect(__AAM_PORT__, "127.0.0.1").resume()' </dev/null >/dev/null 2>&1
      echo begun >&2; head -c 5000000 /dev/zero`;
    const command = [BRIDGE, path, '--', '/bin/sh', '-c', script, 'sh', process.execPath];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise((settle) => child.on('close', settle));
    await new Promise((begun) => child.stderr.once('data', begun));
    // Its pipe is full by now.
    await new Promise((resume) => setTimeout(resume, 200));
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    expect(await ended).toBe(0);
    expect(bytes).toBe(5_000_000);
  });

  it('passes on signals, and tells which one ended the program', async () => {
    const trap = start('/nowhere', [
      '/bin/sh',
      '-c',
      'trap "exit 3" TERM; echo ready; while :; do sleep 0.05; done',
    ]);
    while (!trap.output().includes('ready')) await new Promise((resume) => setTimeout(resume, 20));
    trap.child.kill('SIGTERM');
    expect((await trap.ended).code).toBe(3);
    expect((await start('/nowhere', ['/bin/sh', '-c', 'kill -KILL $$']).ended).code).toBe(137);
  });

  it('says what is wrong with its command', async () => {
    const missing = await start('/nowhere', ['/no/such/program']).ended;
    expect(missing).toMatchObject({ code: 127, stderr: expect.stringContaining('/no/such/program') });
    const empty = await start('/nowhere', []).ended;
    expect(empty).toMatchObject({ code: 64, stderr: expect.stringContaining('usage:') });
  });
});
