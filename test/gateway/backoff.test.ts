import { describe, expect, it } from 'vitest';
import { Backoff, type Clock } from '../../src/gateway/backoff.ts';
import { retryAfter } from '../../src/gateway/retry-after.ts';
import { DEFAULT_TIMINGS } from '../../src/gateway/timings.ts';
import { answerError, answerStream, gatewayTo, send, until, upstreamServer } from './helpers.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('how long an upstream asks to wait', () => {
  it.each([
    [{}, null],
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [
      {
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:12Z',
      },
      12_000,
    ],
    [
      {
        'anthropic-ratelimit-tokens-remaining': '5',
        'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:12Z',
      },
      null,
    ],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m2.5s' }, 62_500],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '20ms' }, 20],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': 'never' }, null],
  ])('%o', (headers, expected) => {
    expect(retryAfter(headers, NOW)).toBe(expected);
  });
});

/** Time passes only by sleeping. */
function handClock(random = 0): Clock & { slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    date: () => now,
    random: () => random,
    async sleep(ms) {
      slept.push(ms);
      now += ms;
    },
  };
}

describe('the pauses of one request', () => {
  const { signal } = new AbortController();

  it('double, are spread, and end with the attempts', async () => {
    const clock = handClock(0.999_999);
    const backoff = new Backoff(clock, DEFAULT_TIMINGS);
    expect([1, 2, 3, 4].map((attempt) => backoff.pauseAfter(attempt, null, 0))).toEqual([
      1000,
      2000,
      4000,
      null,
    ]);
    await backoff.wait(1000, 0, signal);
    expect(clock.slept[0]).toBeGreaterThan(1200);
    expect(clock.slept[0]).toBeLessThan(1250);
  });

  it('never exceed the bound together', () => {
    const backoff = new Backoff(handClock(), DEFAULT_TIMINGS);
    expect(backoff.pauseAfter(1, 60_000, 0)).toBe(60_000);
    expect(backoff.pauseAfter(1, 60_001, 0)).toBe(null);
    expect(backoff.pauseAfter(2, 30_000, 31_000)).toBe(null);
  });

  it('are held for everybody, the longest one', async () => {
    const clock = handClock();
    const backoff = new Backoff(clock, DEFAULT_TIMINGS);
    expect(await backoff.wait(0, 0, signal)).toBe(0);
    backoff.hold(5_000, { status: 429 });
    backoff.hold(2_000, { status: 503 });
    expect(await backoff.wait(0, 0, signal)).toBe(5_000);
    expect(await backoff.wait(0, 0, signal)).toBe(0);
  });
});

describe('trials of a run', () => {
  it('wait together when one of them is told to', async () => {
    const arrivals: number[] = [];
    await using upstream = await upstreamServer((response, _, number) => {
      arrivals.push(performance.now());
      if (number === 1) answerError(response, 429, { 'retry-after-ms': '2000' });
      else answerStream(response);
    });
    await using gateway = await gatewayTo(upstream.url);
    await using first = await gateway.open('t1', 'anthropic');
    await using second = await gateway.open('t2', 'anthropic');
    await using other = await gateway.open('t3', 'openai');
    const started = performance.now();
    const told = send(first);
    await until(() => arrivals.length === 1);
    await new Promise((next) => setTimeout(next, 50));
    const follows = send(second);
    let isOver = false;
    const over = Promise.all([told, follows]).then(() => {
      isOver = true;
    });
    await send(other);
    expect(isOver).toBe(false);
    await over;
    for (const arrival of arrivals.slice(2)) expect(arrival - started).toBeGreaterThan(1990);
    expect(first).toMatchObject({ retries: 1, failure: null });
    expect(second).toMatchObject({ retries: 0, failure: null });
    expect(second.waitedMs).toBeGreaterThan(300);
    expect(other.waitedMs).toBe(0);
  });

  it('do not wait for the trouble that is one trial’s own', async () => {
    await using upstream = await upstreamServer((response, { body }) =>
      body.includes('poison') ? answerError(response, 500) : answerStream(response),
    );
    await using gateway = await gatewayTo(upstream.url, { timings: { firstPauseMs: 100 } });
    await using first = await gateway.open('t1', 'anthropic');
    await using second = await gateway.open('t2', 'anthropic');
    const poisoned = send(first, { body: '{"poison":true}' });
    await until(() => upstream.requests.length === 1);
    await new Promise((next) => setTimeout(next, 20));
    await send(second);
    expect(second.waitedMs).toBe(0);
    await poisoned;
    expect(first.failure?.kind).toBe('server-error');
  });
});
