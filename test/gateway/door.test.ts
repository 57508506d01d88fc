import { describe, expect, it } from 'vitest';
import { answerStream, gatewayTo, send, sendRaw, twoDoors, upstreamServer } from './helpers.ts';

const HELLO = 'POST /v1/messages HTTP/1.1\r\nhost: x\r\n';

describe('a door lets through', () => {
  it('the paths of its provider, below the base URL', async () => {
    await using it = await twoDoors('/s/x');
    await send(it.anthropic, { path: '/v1/messages?beta=true&x=%2F' });
    await send(it.anthropic, { path: '/v1/messages/count_tokens' });
    await send(it.openai, { path: '/v1/responses' });
    await send(it.openai, { path: '/responses?a=1' });
    expect(it.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /s/x/v1/messages?beta=true&x=%2F',
      'POST /s/x/v1/messages/count_tokens',
      'POST /s/x/responses',
      'POST /s/x/responses?a=1',
    ]);
    expect(it.anthropic.usage.requests).toBe(1);
  });

  it('a base URL with a query of its own', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response, 'openai'));
    await using gateway = await gatewayTo(`${upstream.url}/deployments?api-version=3`);
    await using door = await gateway.open('t1', 'openai');
    await send(door, { path: '/v1/responses?b=1' });
    expect(upstream.requests[0]?.url).toBe('/deployments/responses?api-version=3&b=1');
  });

  it('bodies unchanged, also when they come in chunks', async () => {
    await using it = await twoDoors();
    const body = `{"text":"${'ü🧪'.repeat(50_000)}"}`;
    await send(it.anthropic, { body });
    expect(it.requests[0]?.body).toBe(body);
    const chunked = `${HELLO}transfer-encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n`;
    expect(await sendRaw(it.anthropic, chunked)).toContain('HTTP/1.1 200');
    expect(it.requests[1]).toMatchObject({ body: '{"a":1}', headers: { 'content-length': '7' } });
    expect(it.requests[1]?.headers['transfer-encoding']).toBe(undefined);
  });
});

describe('a door refuses', () => {
  it.each([
    ['GET', '/v1/messages', 405],
    ['DELETE', '/v1/messages', 405],
    ['POST', '/', 404],
    ['POST', '/v1/responses', 404],
    ['POST', '/v1/messages/', 404],
    ['POST', '/v1/messages/batches', 404],
    ['POST', '/v1/messages/../files', 404],
    ['POST', '/v1/%6dessages', 404],
    ['POST', '//evil.example/v1/messages', 404],
    ['POST', 'http://evil.example/v1/messages', 404],
    ['POST', '/v1/messages#x', 404],
    ['GET', '/v1/models', 404],
    ['GET', '/v1/files/1/content', 404],
  ])('%s %s', async (method, path, status) => {
    await using it = await twoDoors();
    const answer = await send(it.anthropic, { method, path });
    expect(answer).toMatchObject({ status, headers: { 'x-should-retry': 'false' } });
    expect(JSON.parse(answer.text)).toMatchObject({ type: 'error', error: { message: expect.any(String) } });
    expect(it.requests).toEqual([]);
    expect(it.anthropic).toMatchObject({ failure: null, usage: { requests: 0 } });
  });

  it('in the shape of its provider', async () => {
    await using it = await twoDoors();
    const { text } = await send(it.openai, { path: '/v1/messages' });
    expect(JSON.parse(text)).toEqual({
      error: {
        type: 'not_found_error',
        message: 'the gateway passes on requests to the model only',
        param: null,
        code: null,
      },
    });
  });

  it('websockets, so that Codex uses HTTP', async () => {
    await using it = await twoDoors();
    const upgrade = 'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: eA==\r\n';
    const answer = await sendRaw(it.openai, `GET /v1/responses HTTP/1.1\r\nhost: x\r\n${upgrade}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 426 /);
    expect(it.requests).toEqual([]);
  });

  it('to be a proxy', async () => {
    await using it = await twoDoors();
    const target = 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n';
    expect(await sendRaw(it.anthropic, target)).not.toContain('200');
    expect(it.requests).toEqual([]);
  });

  it.each([
    [
      'both lengths',
      `${HELLO}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    ],
    ['two lengths', `${HELLO}content-length: 5\r\ncontent-length: 6\r\n\r\n{"a":1}`],
    ['a bad chunk', `${HELLO}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['an unknown coding', `${HELLO}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `${HELLO}x-a: 1\r\n host: evil\r\ncontent-length: 2\r\nbad header: 1\r\n\r\n{}`],
    ['a bare line feed in a header', `${HELLO}x-a: 1\nx-b\r\ncontent-length: 2\r\n\r\n{}`],
    ['no host', 'POST /v1/messages HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}'],
    ['what is not HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
  ])('requests with %s', async (_, text) => {
    await using it = await twoDoors();
    expect(await sendRaw(it.anthropic, text)).toMatch(/^HTTP\/1\.1 400 /);
    expect(it.requests).toEqual([]);
  });

  it('headers that are too large', async () => {
    await using it = await twoDoors();
    const text = `${HELLO}x-a: ${'a'.repeat(20_000)}\r\ncontent-length: 2\r\n\r\n{}`;
    expect(await sendRaw(it.anthropic, text)).toMatch(/^HTTP\/1\.1 431 /);
    expect(it.requests).toEqual([]);
  });

  it('a body that is too large, announced or not', async () => {
    await using it = await twoDoors();
    const announced = await sendRaw(it.anthropic, `${HELLO}content-length: 99999999999\r\n\r\n{}`);
    expect(announced).toMatch(/^HTTP\/1\.1 413 [\s\S]*request_too_large/);
    const piece = `${(1 << 20).toString(16)}\r\n${'x'.repeat(1 << 20)}\r\n`;
    const chunked = `${HELLO}transfer-encoding: chunked\r\n\r\n${piece.repeat(65)}`;
    expect(await sendRaw(it.anthropic, chunked, 2_000)).toMatch(/^HTTP\/1\.1 413 /);
    expect(it.requests).toEqual([]);
  });

  it('only the wrong one of requests that are sent in one go', async () => {
    await using it = await twoDoors();
    const first = `${HELLO}content-length: 7\r\n\r\n{"a":1}`;
    const second = `POST /admin HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`;
    const answer = await sendRaw(it.anthropic, first + second + first);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    expect(it.requests.map(({ url, body }) => [url, body])).toEqual([
      ['/v1/messages', '{"a":1}'],
      ['/v1/messages', '{"a":1}'],
    ]);
  });
});
