import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Upstream } from '../../src/gateway/credentials.ts';
import { createRedactor } from '../../src/gateway/redact.ts';
import { gatewayTo, KEY, send, until, upstreamAt, upstreamServer, writeInPieces } from './helpers.ts';

const SECRET = 'sk/fake+key "with\\all=kinds&of%chars';

function upstreamWith(headers: Record<string, string>, baseUrl = 'http://127.0.0.1:1'): Upstream {
  return { ...upstreamAt('openai', baseUrl), headers: () => headers };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a key is taken out of text', () => {
  const redact = createRedactor([upstreamWith({ authorization: `Bearer ${SECRET}` })]);
  it.each([
    ['as it is', SECRET, '[key]'],
    ['with its scheme', `authorization: Bearer ${SECRET}!`, 'authorization: [key]!'],
    ['in JSON', JSON.stringify({ a: SECRET }), '{"a":"[key]"}'],
    [
      'in JSON with escaped slashes',
      `"${JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')}"`,
      '"[key]"',
    ],
    ['in a URL', `?k=${encodeURIComponent(SECRET)}&b`, '?k=[key]&b'],
    [
      'in a URL, with small letters',
      `?k=${encodeURIComponent(SECRET).replace(/%../g, (it) => it.toLowerCase())}`,
      '?k=[key]',
    ],
    ['in a form', new URLSearchParams({ k: SECRET }).toString(), 'k=[key]'],
    ['in base64', base64(SECRET), '[key]'],
    ['in base64 for URLs', Buffer.from(SECRET).toString('base64url'), '[key]'],
    ['more than once', `${SECRET}${SECRET} ${SECRET}`, '[key][key] [key]'],
  ])('%s', (_, text, clean) => {
    expect(redact(text)).toBe(clean);
  });

  it.each(['', 'a', 'ab', 'user:'])('in base64 behind %o', (before) => {
    const clean = redact(`Basic ${base64(`${before}${SECRET}:end`)}`);
    expect(clean).toMatch(/^Basic \w{0,7}\[key\][\w=]{0,8}$/);
  });

  it('only when it is one', () => {
    const texts = ['oauth-2025-04-20', 'short77', 'Bearer', 'sk/fake', ''];
    const short = upstreamWith({ 'x-api-key': 'short77', 'anthropic-beta': 'oauth-2025-04-20' });
    for (const text of texts) expect(createRedactor([short, undefined])(text)).toBe(text);
    for (const text of texts) expect(redact(text)).toBe(text);
  });

  it('also when it stands in the base URL', () => {
    const clean = createRedactor([upstreamWith({}, 'http://127.0.0.1:1/x?key=in-the-address')]);
    expect(clean('no such key: in-the-address')).toBe('no such key: [key]');
  });

  it('whatever it is made of', () => {
    const key = fc.string({ minLength: 8, unit: 'grapheme-ascii' }).map((it) => `k${it.trim()}12345678`);
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
        const clean = createRedactor([upstreamWith({ 'x-api-key': secret })]);
        fc.pre(!`${before}[key]${after}`.includes(secret));
        for (const form of [secret, base64(secret), encodeURIComponent(secret)]) {
          expect(clean(`${before}${form}${after}`)).not.toContain(form);
        }
      }),
    );
  });
});

it('the keys of all upstreams are known, and what else is named', () => {
  const clean = createRedactor(
    [
      upstreamWith({ 'x-api-key': 'key-of-anthropic' }),
      upstreamWith({ authorization: 'Bearer key-of-openai', 'chatgpt-account-id': 'account-17' }),
      { state: 'missing', provider: 'google', problem: 'none', fix: [] },
    ],
    ['one-more-of-them', 'short'],
  );
  const text = 'key-of-anthropic, Bearer key-of-openai, key-of-openai, account-17, one-more-of-them, short';
  expect(clean(text)).toBe('[key], [key], [key], [key], [key], short');
});

describe('an error that repeats the key reaches the sandbox without it', () => {
  const said = JSON.stringify({ error: { type: 'authentication_error', message: `bad key „${KEY}“ ü` } });
  const clean = said.replace(KEY, '[key]');

  it.each([401, 404, 500])('with status %i, in body and headers', async (status) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(status, `Not ${KEY}`, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(said),
        'www-authenticate': `Bearer error="${KEY}"`,
        'x-seen': [`one ${KEY}`, 'two'],
      });
      response.end(said);
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { attempts: 1 } });
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer).toMatchObject({ status, text: clean, cut: false });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(clean)),
      'www-authenticate': 'Bearer error="[key]"',
      'x-seen': 'one [key], two',
    });
    expect(door.failure?.message).toContain('bad key „[key]“ ü');
  });

  it('that comes byte by byte', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      return writeInPieces(response, Buffer.from(said), 1);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'openai');
    expect(await send(door)).toMatchObject({ status: 401, text: clean });
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('that is packed with %s', async (encoding, pack) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'content-encoding': encoding });
      response.end(pack(said));
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer).toMatchObject({ status: 401, text: clean });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(door.failure?.message).toContain('bad key');
  });

  const huge = Buffer.alloc(3 * 1024 * 1024, `${KEY} `);
  it.each([
    ['too large', 'identity', huge],
    ['a bomb', 'gzip', gzipSync(Buffer.alloc(200 * 1024 * 1024))],
    ['packed in an unknown way', 'x-own', Buffer.from(said)],
    ['not what it says', 'gzip', Buffer.from(said)],
    ['in wide characters', 'identity', Buffer.from(said, 'utf16le')],
  ])('or, when it is %s, with an error of our own', async (_, encoding, body) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(401, { 'content-type': 'text/html', 'content-encoding': encoding });
      response.end(body);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door);
    expect(answer).toMatchObject({
      status: 401,
      cut: false,
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(answer.text)).toEqual({
      type: 'error',
      error: {
        type: 'authentication_error',
        message: 'the model server answered 401, and no readable reason',
      },
    });
    expect(door.failure).toMatchObject({ kind: 'auth', status: 401 });
  });

  it.each([
    ['stops', () => {}],
    ['breaks off', (it: { destroy(): void }) => setTimeout(() => it.destroy(), 20)],
    [
      'drips',
      (it: { write(text: string): void; on(event: 'close', end: () => void): void }) => {
        const timer = setInterval(() => it.write(' '), 20);
        it.on('close', () => clearInterval(timer));
      },
    ],
  ] as const)('or, when its body %s, with an error of our own', async (_, end) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.write(KEY.slice(0, 20));
      end(response);
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 200 } });
    await using door = await gateway.open('t1', 'openai');
    const answer = await send(door);
    expect(answer).toMatchObject({ status: 400, cut: false });
    expect(answer.text).not.toContain(KEY.slice(0, 20));
    expect(door.failure).toMatchObject({ kind: 'bad-request', status: 400 });
    await until(() => upstream.requests[0]?.cancelled === true);
  });

  it('a good answer is left as it is, but for its headers', async () => {
    const body = `data: {"type":"message_stop","x":"${KEY}"}\n\n`;
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-key': KEY });
      response.end(body);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect(await send(door)).toMatchObject({ status: 200, text: body, headers: { 'x-key': '[key]' } });
  });
});
