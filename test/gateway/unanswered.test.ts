/** Agents are ended at their time-out: the door must know whether they were waiting for the model then. */
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Door } from '../../src/gateway/gateway.ts';
import {
  answerError,
  answerStream,
  gatewayTo,
  KEY,
  listen,
  RECORDING,
  send,
  until,
  upstreamServer,
} from './helpers.ts';

const FIRST_EVENT = RECORDING.anthropic.subarray(0, RECORDING.anthropic.indexOf('\n\n') + 2);
const LONG_PAUSE = { 'retry-after': '30' };
const PATIENT = { timings: { maxWaitMs: 60_000 } };

/** A client that is ended like an agent at its time-out. */
function client(door: Door, path?: string) {
  const ended = new AbortController();
  const answer = send(door, { signal: ended.signal, ...(path && { path }) }).then(
    () => 'answered',
    () => 'ended',
  );
  return {
    answer,
    async end() {
      ended.abort();
      await answer;
    },
  };
}

/** The door has noticed that nobody waits any more. */
async function released(door: Door): Promise<void> {
  for (let last = -1; last !== door.waitedMs; ) {
    last = door.waitedMs;
    await new Promise((next) => setTimeout(next, 20));
  }
}

const hostless = (message = '') => message.replace(/[\d.]+:\d+/, 'HOST').replace(/[\d.]+ s/, 'N s');

describe('a request that is held back', () => {
  it.each([
    [429, 'rate-limit'],
    [529, 'overloaded'],
    [503, 'server-error'],
  ] as const)(
    'after %i is unanswered as %s, while it waits and when its client is ended',
    async (status, kind) => {
      await using upstream = await upstreamServer((response) => answerError(response, status, LONG_PAUSE));
      await using gateway = await gatewayTo(upstream.url, PATIENT);
      await using door = await gateway.open('t1', 'anthropic');
      const agent = client(door);
      await until(() => door.unanswered !== null);
      expect(door).toMatchObject({ unanswered: { kind, status }, failure: null });
      await agent.end();
      await until(() => upstream.requests.length === 1);
      expect(door).toMatchObject({ unanswered: { kind, status }, failure: null, retries: 0 });
      expect(hostless(door.unanswered?.message)).toBe(
        `HOST answered ${status}, and the request was still held back after N s`,
      );
      expect(await agent.answer).toBe('ended');
    },
  );

  it('because of another trial knows why', async () => {
    await using upstream = await upstreamServer((response) => answerError(response, 529, LONG_PAUSE));
    await using gateway = await gatewayTo(upstream.url, PATIENT);
    await using first = await gateway.open('t1', 'anthropic');
    await using second = await gateway.open('t2', 'anthropic');
    const agents = [client(first)];
    await until(() => first.unanswered !== null);
    agents.push(client(second));
    await until(() => second.unanswered !== null);
    for (const agent of agents) await agent.end();
    expect(second.unanswered).toMatchObject({ kind: 'overloaded', status: 529 });
    expect(upstream.requests.length).toBe(1);
  });

  it('because nobody answers at all is unreachable', async () => {
    const free = createTcpServer();
    const url = await listen(free);
    await new Promise((done) => free.close(done));
    await using gateway = await gatewayTo(url, { timings: { firstPauseMs: 30_000, maxWaitMs: 60_000 } });
    await using door = await gateway.open('t1', 'anthropic');
    const agent = client(door);
    await until(() => door.unanswered !== null);
    await agent.end();
    expect(door.unanswered).toMatchObject({ kind: 'unreachable', status: null });
    expect(door.unanswered?.message).toMatch(
      /cannot be reached: .*ECONNREFUSED.*, and the request was still/,
    );
  });

  it('stays unanswered when the door is closed under it', async () => {
    await using upstream = await upstreamServer((response) => answerError(response, 429, LONG_PAUSE));
    await using gateway = await gatewayTo(upstream.url, PATIENT);
    const door = await gateway.open('t1', 'anthropic');
    const agent = client(door);
    await until(() => door.unanswered !== null);
    await door[Symbol.asyncDispose]();
    expect(await agent.answer).toBe('ended');
    expect(door.unanswered?.kind).toBe('rate-limit');
    const { waitedMs } = door;
    await new Promise((next) => setTimeout(next, 20));
    expect(door.waitedMs).toBe(waitedMs);
  });
});

describe('a silent model', () => {
  it('before its first byte has stalled when the idle time is over', async () => {
    await using upstream = await upstreamServer(() => {});
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 500 } });
    await using door = await gateway.open('t1', 'anthropic');
    const agent = client(door);
    await until(() => upstream.requests.length === 1);
    expect(door.unanswered).toBe(null);
    await until(() => door.unanswered !== null);
    await agent.end();
    await until(() => upstream.requests[0]?.cancelled === true);
    expect(door).toMatchObject({ unanswered: { kind: 'stalled', status: null }, failure: null });
    expect(hostless(door.unanswered?.message)).toBe('HOST did not begin to answer: nothing for N s');
  });

  it('after an error says what came before', async () => {
    await using upstream = await upstreamServer((response, _, number) => {
      if (number === 1) answerError(response, 500);
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 100 } });
    await using door = await gateway.open('t1', 'anthropic');
    const agent = client(door);
    await until(() => upstream.requests.length === 2 && door.unanswered !== null);
    await agent.end();
    expect(hostless(door.unanswered?.message)).toBe(
      'HOST did not begin to answer: nothing for N s (before, it answered 500)',
    );
  });

  it.each([
    ['after its headers', (it: { flushHeaders(): void }) => it.flushHeaders()],
    ['in a stream', (it: { write(bytes: Buffer): void }) => it.write(FIRST_EVENT)],
  ] as const)('%s fails by itself; its client is not needed for that', async (_, begin) => {
    await using upstream = await upstreamServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      begin(response);
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 150 } });
    await using door = await gateway.open('t1', 'anthropic');
    await client(door).answer;
    await until(() => door.failure !== null);
    expect(door).toMatchObject({ failure: { kind: 'stalled' }, unanswered: null });
  });

  it('whose client goes away before the idle time is over has done nothing wrong', async () => {
    await using upstream = await upstreamServer((response, _, number) => {
      if (number === 1) return;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(FIRST_EVENT);
    });
    await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 20_000 } });
    await using door = await gateway.open('t1', 'anthropic');
    for (const number of [1, 2]) {
      const agent = client(door);
      await until(() => upstream.requests.length === number);
      await agent.end();
      await until(() => upstream.requests[number - 1]?.cancelled === true);
    }
    expect(door).toMatchObject({ unanswered: null, failure: null, waitedMs: 0 });
  });
});

describe('what was unanswered', () => {
  it('is forgotten when a later request is answered, not when an earlier one is', async () => {
    let finish = () => {};
    await using upstream = await upstreamServer((response, _, number) => {
      if (number === 1) finish = () => answerStream(response);
      else if (number === 2) answerError(response, 500);
      else answerStream(response);
    });
    await using gateway = await gatewayTo(upstream.url, {
      timings: { firstPauseMs: 20_000, maxWaitMs: 60_000 },
    });
    await using door = await gateway.open('t1', 'anthropic');
    const early = client(door);
    await until(() => upstream.requests.length === 1);
    const held = client(door);
    await until(() => door.unanswered !== null);
    await held.end();
    await released(door);
    finish();
    expect(await early.answer).toBe('answered');
    expect(door.unanswered?.kind).toBe('server-error');
    expect(await client(door).answer).toBe('answered');
    await until(() => door.unanswered === null);
  });

  it('is about requests to the model only', async () => {
    await using upstream = await upstreamServer((response) => answerError(response, 429, LONG_PAUSE));
    await using gateway = await gatewayTo(upstream.url, PATIENT);
    await using door = await gateway.open('t1', 'anthropic');
    const agent = client(door, '/v1/messages/count_tokens');
    await until(() => upstream.requests.length === 1);
    await new Promise((next) => setTimeout(next, 50));
    expect(door).toMatchObject({ unanswered: null, waitedMs: 0 });
    await agent.end();
    expect(door).toMatchObject({ unanswered: null, waitedMs: 0 });
  });
});

describe('the time that was waited', () => {
  it('is counted once for requests that wait together, and while they wait', async () => {
    await using upstream = await upstreamServer((response, _, number) =>
      number <= 5 ? answerError(response, 500) : answerStream(response),
    );
    await using gateway = await gatewayTo(upstream.url, { timings: { firstPauseMs: 300 } });
    await using door = await gateway.open('t1', 'anthropic');
    const started = performance.now();
    const agents = Array.from({ length: 5 }, () => client(door));
    await until(() => door.waitedMs > 50);
    expect(door.retries).toBe(0);
    expect(await Promise.all(agents.map((it) => it.answer))).toEqual(Array(5).fill('answered'));
    expect(door.waitedMs).toBeLessThanOrEqual(performance.now() - started);
    expect(door.waitedMs).toBeGreaterThan(290);
    const { waitedMs } = door;
    await new Promise((next) => setTimeout(next, 20));
    expect(door.waitedMs).toBe(waitedMs);
  });

  it('adds up over waits that follow each other', async () => {
    await using upstream = await upstreamServer((response, _, number) =>
      number % 2 ? answerError(response, 429, { 'retry-after-ms': '100' }) : answerStream(response),
    );
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'anthropic');
    for (const expected of [95, 190, 285]) {
      await send(door);
      expect(door.waitedMs).toBeGreaterThan(expected);
    }
  });
});

it('no message about what was unanswered holds the key', async () => {
  await using upstream = await upstreamServer((response) => {
    response.writeHead(429, `slow down ${KEY}`, LONG_PAUSE);
    response.end(KEY);
  });
  await using gateway = await gatewayTo(upstream.url, PATIENT);
  await using door = await gateway.open('t1', 'anthropic');
  const agent = client(door);
  await until(() => door.unanswered !== null);
  await agent.end();
  expect(door.unanswered?.message).not.toContain(KEY);
});

it('clients that go away at every stage, many at a time, leave nothing behind', async () => {
  await using upstream = await upstreamServer(async (response, _, number) => {
    const stage = number % 7;
    if (stage === 0) return;
    if (stage === 1) return answerError(response, 429, { 'retry-after-ms': '40' });
    if (stage === 2) return answerError(response, 401);
    if (stage === 3) return response.socket?.resetAndDestroy();
    response.writeHead(stage === 4 ? 500 : 200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    if (stage === 5) return;
    for (const byte of FIRST_EVENT) {
      if (response.destroyed) return;
      response.write(Buffer.of(byte));
      await new Promise((next) => setImmediate(next));
    }
    if (stage === 6) response.end(RECORDING.anthropic.subarray(FIRST_EVENT.length));
  });
  await using gateway = await gatewayTo(upstream.url, { timings: { idleMs: 60, headerMs: 90 } });
  const door = await gateway.open('t1', 'anthropic');
  const started = performance.now();
  // As many at a time as a busy machine gets to within the life of a client.
  const agents = Array.from({ length: 15 }, async (_, worker) => {
    for (let number = worker; number < 150; number += 15) {
      const agent = client(door);
      await new Promise((next) => setTimeout(next, (number * 7) % 160));
      await agent.end();
    }
  });
  await Promise.all(agents);
  await door[Symbol.asyncDispose]();
  expect(door.waitedMs).toBeGreaterThan(0);
  expect(door.waitedMs).toBeLessThanOrEqual(performance.now() - started);
  const { waitedMs, unanswered } = door;
  await new Promise((next) => setTimeout(next, 120));
  expect(door).toMatchObject({ waitedMs, unanswered });
  expect(door.usage.requests).toBeGreaterThan(0);
});
