/** What the model failed to answer for good stays known, whatever else is answered meanwhile. */
import { describe, expect, it } from 'vitest';
import type { Door } from '../../src/gateway/gateway.ts';
import { answerError, answerStream, gatewayTo, RECORDING, send, upstreamServer } from './helpers.ts';

const ask = (door: Door, ...input: readonly string[]) =>
  send(door, { body: JSON.stringify({ model: 'm', input, client_metadata: { sent: Math.random() } }) });

/** Answers with an error while the text of a request contains FAIL. */
async function moody(status = 500) {
  const state = { isDown: true };
  const upstream = await upstreamServer((response, { body }) =>
    state.isDown && body.includes('FAIL') ? answerError(response, status) : answerStream(response, 'openai'),
  );
  const gateway = await gatewayTo(upstream.url, { timings: { attempts: 1 } });
  const door = await gateway.open('t1', 'openai');
  return {
    state,
    door,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

describe('a failure that was given to the client', () => {
  it('is kept while others are answered, unlike the last failure', async () => {
    await using it = await moody();
    await ask(it.door, 'FAIL');
    await ask(it.door, 'another conversation');
    expect(it.door.failure).toBe(null);
    expect(it.door.unrecovered).toMatchObject([{ kind: 'server-error', status: 500 }]);
  });

  it('is forgotten when the same is asked again and answered, and only then', async () => {
    await using it = await moody();
    await ask(it.door, 'FAIL', 'a');
    await ask(it.door, 'FAIL', 'a');
    await ask(it.door, 'FAIL', 'b');
    expect(it.door.unrecovered).toHaveLength(2);
    it.state.isDown = false;
    await ask(it.door, 'FAIL');
    expect(it.door.unrecovered).toHaveLength(2);
    await ask(it.door, 'FAIL', 'a');
    expect(it.door.unrecovered).toHaveLength(1);
    await ask(it.door, 'FAIL', 'b', 'the part that had come', 'more');
    expect(it.door.unrecovered).toEqual([]);
  });

  it('is not one when the request itself was wrong', async () => {
    await using it = await moody(400);
    await ask(it.door, 'FAIL');
    expect(it.door).toMatchObject({ failure: { kind: 'bad-request' }, unrecovered: [] });
  });

  it('may be an answer that broke off', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(RECORDING.anthropic.subarray(0, 100), () => response.destroy());
    });
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    await send(door).catch(() => {});
    expect(door.unrecovered).toMatchObject([{ kind: 'cut-off' }]);
  });

  it('does not make the door remember without end', async () => {
    await using it = await moody();
    const texts = Array.from({ length: 1200 }, (_, number) => `FAIL ${number}`);
    for (let start = 0; start < texts.length; start += 50)
      await Promise.all(texts.slice(start, start + 50).map((text) => ask(it.door, text)));
    expect(it.door.unrecovered).toHaveLength(1000);
  });
});
