/** Doors that record what goes through them, and doors that answer from a tape. */
import { describe, expect, it } from 'vitest';
import { createGateway, type Door, type Gateway } from '../../../src/gateway/gateway.ts';
import { TapePlayer } from '../../../src/gateway/tape/player.ts';
import { parseTape } from '../../../src/gateway/tape/read.ts';
import type { TapeRecorder } from '../../../src/gateway/tape/recorder.ts';
import type { Tape } from '../../../src/model/tape.ts';
import {
  type Answer,
  answerError,
  answerStream,
  gatewayTo,
  KEY,
  RECORDING,
  send,
  upstreamServer,
} from '../helpers.ts';

const ABOUT = {
  source: 'recorded',
  recorded_at: '2026-01-01T00:00:00.000Z',
  trial: 'a.claude-code.with.1',
  case: 'a',
  case_hash: 'abc',
  engine: 'claude-code',
  engine_version: '2.1.325',
  model: null,
  judge: null,
  aam_version: '0.1.0',
  package: {},
} as const;

function tapeOf(recorder: TapeRecorder): Tape {
  const done = recorder.finish(ABOUT);
  if ('problem' in done) throw new Error(done.problem);
  return parseTape('a.jsonl', done.text);
}

/** What a gateway without any upstream answers from the tape. */
async function playing(tape: Tape, use: (door: Door, gateway: Gateway, player: TapePlayer) => Promise<void>) {
  await using gateway = await createGateway({ upstreams: {} });
  const player = new TapePlayer(tape);
  const settings = { tape: { play: player }, listModels: true };
  await using door = await gateway.open('a', 'anthropic', settings);
  await use(door, gateway, player);
}

const asks = (text: string) => ({ body: JSON.stringify({ stream: true, messages: [text] }) });

describe('a door that records', () => {
  it('keeps what the client got, byte for byte, with what it took', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url);
    const recorder = gateway.recorder();
    await using door = await gateway.open('a', 'anthropic', { tape: { record: recorder } });
    const answer = await send(door, asks('one'));
    const { exchanges, header } = tapeOf(recorder);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]?.body).toEqual({ text: RECORDING.anthropic.toString() });
    expect(answer.body).toEqual(RECORDING.anthropic);
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, models } = door.usage;
    expect(exchanges[0]?.usage).toEqual({
      model: models[0],
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cache_read_tokens: cacheReadTokens,
      cache_write_tokens: cacheWriteTokens,
    });
    expect(header.models).toEqual(models);
    expect(recorder.gaps).toBe(0);
  });

  it('forgets failures that were mended, and knows of those that were not', async () => {
    await using upstream = await upstreamServer((response, { body }, number) => {
      if (body.includes('refused')) answerError(response, 401);
      else if (number === 1) answerError(response, 429);
      else answerStream(response);
    });
    await using gateway = await gatewayTo(upstream.url);
    const recorder = gateway.recorder();
    await using door = await gateway.open('a', 'anthropic', { tape: { record: recorder } });
    expect((await send(door, asks('one'))).status).toBe(200);
    expect(door.retries).toBe(1);
    expect(tapeOf(recorder).exchanges.map(({ status }) => status)).toEqual([200]);
    expect((await send(door, asks('refused'))).status).toBe(401);
    expect(tapeOf(recorder).exchanges).toHaveLength(1);
    expect(recorder.gaps).toBe(1);
  });

  it('does not keep an answer that broke off', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(RECORDING.anthropic.subarray(0, 300), () => response.destroy());
    });
    await using gateway = await gatewayTo(upstream.url);
    const recorder = gateway.recorder();
    await using door = await gateway.open('a', 'anthropic', { tape: { record: recorder } });
    await send(door, asks('one')).catch(() => {});
    expect(recorder.finish(ABOUT)).toEqual({ problem: 'the model has answered nothing' });
    expect(recorder.gaps).toBe(1);
  });

  it('knows the keys of the host, and writes no tape that would hold one', async () => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'message', model: 'm', content: `your key is ${KEY}` }));
    });
    await using gateway = await gatewayTo(upstream.url);
    const recorder = gateway.recorder();
    await using door = await gateway.open('a', 'anthropic', { tape: { record: recorder } });
    await send(door, asks('one'));
    expect(recorder.finish(ABOUT)).toEqual({
      problem: 'an answer of the model holds what looks like a secret (a key of this machine)',
    });
  });

  it('sees a secret that a stream brings in pieces', async () => {
    const secret = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const events = [
      { type: 'message_start', message: { model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
      ...Array.from(secret.matchAll(/.{1,7}/g), ([text]) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      { type: 'message_stop' },
    ];
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((it) => `event: ${it.type}\ndata: ${JSON.stringify(it)}\n\n`).join(''));
    });
    await using gateway = await gatewayTo(upstream.url);
    const recorder = gateway.recorder();
    await using door = await gateway.open('a', 'anthropic', { tape: { record: recorder } });
    await send(door, asks('one'));
    expect(recorder.finish(ABOUT)).toEqual({
      problem: 'an answer of the model holds what looks like a secret (GitHub token)',
    });
  });
});

describe('a door that replays', () => {
  it('needs no upstream and no key, and counts the same', async () => {
    await using upstream = await upstreamServer((response, { url, body }) => {
      if (url.startsWith('/v1/models')) response.end('{"data":[]}');
      else if (url.includes('count_tokens')) answerError(response, 404);
      else if (body.includes('wrong')) answerError(response, 400);
      else answerStream(response);
    });
    await using gateway = await gatewayTo(upstream.url);
    const recorder = gateway.recorder();
    await using door = await gateway.open('a', 'anthropic', {
      tape: { record: recorder },
      listModels: true,
    });
    const all = [
      asks('one'),
      asks('two'),
      { ...asks('one'), path: '/v1/messages/count_tokens' },
      { method: 'GET', path: '/v1/models?limit=1000' },
      asks('wrong'),
    ];
    const first: Answer[] = [];
    for (const it of all) first.push(await send(door, it));
    expect(first.map(({ status }) => status)).toEqual([200, 200, 404, 200, 400]);
    await upstream[Symbol.asyncDispose]();

    await playing(tapeOf(recorder), async (played, silent) => {
      for (const [index, it] of all.entries()) {
        const { status, text } = await send(played, it);
        expect([status, text]).toEqual([first[index]?.status, first[index]?.text]);
      }
      expect(played.usage).toEqual(door.usage);
      expect(played.tokensByModel).toEqual(door.tokensByModel);
      expect(silent.usage).toEqual(gateway.usage);
      expect(played.failure).toMatchObject({ kind: 'bad-request', status: 400 });
      expect(played.tapeMiss).toBeNull();
    });
  });

  it('answers what the tape does not have with a final error, and remembers the first of these', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url);
    const recorder = gateway.recorder();
    await using door = await gateway.open('a', 'anthropic', { tape: { record: recorder } });
    await send(door, asks('one'));
    expect(door.tapeMiss).toBeNull();
    await playing(tapeOf(recorder), async (played, _, player) => {
      const missed = await send(played, asks('another'));
      expect(missed).toMatchObject({ status: 400, headers: { 'x-should-retry': 'false' } });
      expect(JSON.parse(missed.text).error.message).toBe('the tape has no answer to this request');
      await send(played, asks('a third'));
      expect(played.tapeMiss).toContain('the tape a.jsonl has no answer');
      expect(played.tapeMiss).toContain('another');
      expect(played.tapeMiss).not.toContain('third');
      expect(player.misses).toHaveLength(2);
      expect(played.usage.requests).toBe(0);
    });
    expect(upstream.requests).toHaveLength(1);
  });

  it('keeps to the budget like any other', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response));
    await using gateway = await gatewayTo(upstream.url);
    const recorder = gateway.recorder();
    await using door = await gateway.open('a', 'anthropic', { tape: { record: recorder } });
    await send(door, asks('one'));
    await using small = await createGateway({ upstreams: {}, budget: { maxTokens: 1 } });
    const player = new TapePlayer(tapeOf(recorder));
    await using played = await small.open('a', 'anthropic', { tape: { play: player } });
    expect((await send(played, asks('one'))).status).toBe(200);
    expect((await send(played, asks('one'))).status).toBe(403);
    expect(played.failure?.kind).toBe('budget');
  });
});
