/** The socket to the model in the hands of whatever an agent runs. Smuggling, other paths and sizes: test/gateway/door. */
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  answerError,
  answerStream,
  gatewayTo,
  KEY,
  send,
  until,
  upstreamServer,
} from '../gateway/helpers.ts';
import { attempted } from './attempts.ts';

describe('a door in hostile hands', () => {
  it('spends little more than the budget, however much is asked at once', async (context) => {
    attempted(context);
    const waiting: (() => void)[] = [];
    await using upstream = await upstreamServer(
      (response) => void waiting.push(() => answerStream(response)),
    );
    await using gateway = await gatewayTo(upstream.url, { budget: { maxTokens: 1 } });
    await using door = await gateway.open('t1', 'anthropic');
    const asked = Array.from({ length: 100 }, () => send(door));
    await until(() => waiting.length >= 32);
    for (let answered = 0; answered < waiting.length; answered++) waiting[answered]?.();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(upstream.requests.length).toBe(32);
    expect(statuses.filter((it) => it === 403)).toHaveLength(68);
  });

  it('counts every model that is asked, whoever asks', async (context) => {
    attempted(context);
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    await send(door, { body: '{"model":"the-dearest-of-all","stream":true}' });
    expect(door.usage.requests).toBe(1);
    expect(gateway.usage.inputTokens).toBeGreaterThan(0);
    expect(Object.keys(door.tokensByModel)).toHaveLength(1);
  });

  it('takes no others with it when it is held open', async (context) => {
    attempted(context);
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url);
    await using held = await gateway.open('t1', 'anthropic');
    await using other = await gateway.open('t2', 'anthropic');
    const sockets: Socket[] = [];
    for (let count = 0; count < 400; count++) {
      const socket = connect(held.socket).on('error', () => {});
      socket.write('POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{');
      sockets.push(socket);
    }
    expect((await send(other)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect(upstream.requests).toHaveLength(1);
  });

  it.for([
    ['100,000 lists in lists', `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['100,000 maps in maps', `${'{"messages":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['tool results in tool results', toolResults(20_000)],
    ['a list', '[]'],
    ['nothing', ''],
  ] as const)('does not pass on %s', async ([, body], context) => {
    attempted(context);
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    expect((await send(door, { body })).status).toBe(400);
    expect(upstream.requests).toEqual([]);
    expect(door.failure).toBe(null);
  });

  it('hands out no key, whatever the server says back', async (context) => {
    attempted(context);
    await using upstream = await upstreamServer((response, { headers }) =>
      answerError(response, 418, {
        'x-echo': JSON.stringify(headers),
        link: `<https://x/?key=${headers['x-api-key']}>`,
      }),
    );
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    const answer = await send(door, { headers: { 'x-api-key': 'mine', authorization: 'Bearer mine' } });
    expect(upstream.requests[0]?.headers['x-api-key']).toBe(KEY);
    expect(JSON.stringify(answer.headers) + answer.text).not.toContain(KEY);
  });
});

function toolResults(depth: number): string {
  const open = '{"type":"tool_result","content":['.repeat(depth);
  return `{"messages":[{"role":"user","content":[${open}${']}'.repeat(depth)}]}]}`;
}
