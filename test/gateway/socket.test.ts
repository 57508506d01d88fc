import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createGateway } from '../../src/gateway/gateway.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import {
  answerStream,
  gatewayTo,
  KEY,
  send,
  twoDoors,
  until,
  upstreamAt,
  upstreamServer,
} from './helpers.ts';

describe('credentials', () => {
  const FROM_SANDBOX = {
    'x-api-key': 'sk-fake-sandbox',
    authorization: 'Bearer sk-fake-sandbox',
    cookie: 'session=sk-fake-sandbox',
    'proxy-authorization': 'Basic sk-fake-sandbox',
    'chatgpt-account-id': 'sk-fake-sandbox',
    'x-goog-api-key': 'sk-fake-sandbox',
    'openai-organization': 'sk-fake-sandbox',
    'X-Forwarded-Host': 'evil.example',
    host: 'evil.example',
    connection: 'keep-alive, x-only-here',
    'x-only-here': '1',
    te: 'trailers',
  };

  it('of the sandbox are replaced with those of the host', async () => {
    await using it = await twoDoors();
    const headers = { ...FROM_SANDBOX, 'anthropic-version': '2023-06-01', 'anthropic-beta': 'a,b' };
    await send(it.anthropic, { headers });
    await send(it.openai, { headers });
    const [first, second] = it.requests.map((request) => request.headers);
    expect(first).toMatchObject({
      'x-api-key': KEY,
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'a,b',
    });
    expect(first).not.toHaveProperty('authorization');
    expect(second).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect(second).not.toHaveProperty('x-api-key');
    for (const seen of [first, second]) {
      expect(JSON.stringify(seen)).not.toMatch(/sandbox|evil|x-only-here|trailers/);
      expect(seen?.host).toMatch(/^127\.0\.0\.1:\d+$/);
    }
  });

  it('for a subscription join the betas of the client', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response));
    const headers = () => ({ authorization: `Bearer ${KEY}`, 'anthropic-beta': 'oauth-2025-04-20' });
    const anthropic = { ...upstreamAt('anthropic', upstream.url), headers };
    await using gateway = await createGateway({ upstreams: { anthropic } });
    await using door = await gateway.open('t1', 'anthropic');
    await send(door, { headers: { 'anthropic-beta': 'a, b' } });
    await send(door, { headers: { 'anthropic-beta': 'oauth-2025-04-20,a' } });
    await send(door);
    expect(upstream.requests.map((request) => request.headers['anthropic-beta'])).toEqual([
      'a,b,oauth-2025-04-20',
      'oauth-2025-04-20,a',
      'oauth-2025-04-20',
    ]);
  });

  it('that the upstream hands out stay on the host', async () => {
    await using upstream = await upstreamServer((response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      answerStream(response);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door)).headers).not.toHaveProperty('set-cookie');
  });
});

describe('the socket', () => {
  it('is private and short, and goes away with its door', async () => {
    await using folder = await temporaryFolder();
    await using upstream = await upstreamServer(() => {});
    const gateway = await gatewayTo(upstream.url, { folder: folder.path });
    const door = await gateway.open('a/trial ../with 🧪 '.repeat(20), 'anthropic');
    const other = await gateway.open('t2', 'anthropic');
    expect(statSync(door.socket).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(door.socket))).mode & 0o777).toBe(0o700);
    expect(door.socket.length).toBeLessThan(100);

    const hanging = expect(send(door)).rejects.toThrow();
    const idle = connect(door.socket);
    const idleClosed = new Promise((done) => idle.on('close', done).on('error', () => {}));
    await until(() => upstream.requests.length === 1);
    await door[Symbol.asyncDispose]();
    await hanging;
    await idleClosed;
    expect(existsSync(door.socket)).toBe(false);
    await until(() => upstream.requests[0]?.cancelled === true);
    expect(door).toMatchObject({ failure: null });
    await door[Symbol.asyncDispose]();

    await gateway[Symbol.asyncDispose]();
    expect(existsSync(other.socket)).toBe(false);
    expect(await readdir(folder.path)).toEqual([]);
    await expect(send(other)).rejects.toThrow(/ENOENT/);
    expect(await connections(upstream.server)).toBe(0);
  });

  it('in a folder whose path is too long is told with what to do', async () => {
    await using folder = await temporaryFolder();
    const long = join(folder.path, 'x'.repeat(100));
    await mkdir(long);
    await using gateway = await gatewayTo('http://127.0.0.1:1', { folder: long });
    await expect(gateway.open('t1', 'anthropic')).rejects.toMatchObject({
      name: 'PrerequisiteError',
      hints: ['export TMPDIR=/tmp'],
    });
  });

  it('is not opened without an upstream', async () => {
    const anthropic = {
      state: 'missing',
      provider: 'anthropic',
      problem: 'no key',
      fix: ['do this'],
    } as const;
    await using gateway = await createGateway({ upstreams: { anthropic } });
    await expect(gateway.open('t1', 'anthropic')).rejects.toMatchObject({
      name: 'PrerequisiteError',
      message: 'no key',
      hints: ['do this'],
    });
    await expect(gateway.open('t1', 'openai')).rejects.toThrow('no upstream');
  });
});

async function connections(server: {
  getConnections(done: (error: unknown, count: number) => void): unknown;
}) {
  const count = () => new Promise<number>((done) => server.getConnections((_, open) => done(open)));
  for (let tries = 0; tries < 100 && (await count()) > 0; tries += 1) {
    await new Promise((next) => setTimeout(next, 5));
  }
  return count();
}
