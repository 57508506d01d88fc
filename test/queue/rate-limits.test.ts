/** Limits and pauses that workers keep together in a real Redis. */
import { execFile } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Pause } from '../../src/model/shared-limits.ts';
import type { Provider } from '../../src/model/usage.ts';
import { listLimits, removeLimit, setLimit } from '../../src/queue/limit-list.ts';
import { PERIOD_MS, parseLimit, parseTarget } from '../../src/queue/limit-rule.ts';
import { openRateLimits, type RedisRateLimits } from '../../src/queue/rate-limits.ts';
import { answerError, answerStream, gatewayTo, send, until, upstreamServer } from '../gateway/helpers.ts';
import { modelServer } from '../helpers/model-server.ts';
import { findRedis, NO_REDIS, startRedis } from '../helpers/redis.ts';

const WITHOUT_REDIS = findRedis() === null;
if (WITHOUT_REDIS) console.warn(NO_REDIS);

const PREFIX = 'aam:';
const HOUR_MS = PERIOD_MS.hour;

const limit = (redis: Redis, ...rules: string[]) =>
  Promise.all(rules.map((rule) => setLimit(redis, PREFIX, parseLimit(rule))));

let tickets = 0;

/** A request of its own unless a ticket is given. */
function ask(limits: RedisRateLimits, what: string, ticket = `new-${++tickets}`, atMostMs = 48 * HOUR_MS) {
  const { provider, model } = parseTarget(what);
  return limits.admit({ provider, model, ticket, atMostMs });
}

/** Pauses from before are known: whatever is heard from now on is new. */
async function caughtUp(...all: readonly RedisRateLimits[]): Promise<void> {
  for (const limits of all) expect(await ask(limits, 'google')).toBe(null);
}

/** How many of them go before the first is held back. */
async function countAtOnce(limits: RedisRateLimits, what: string): Promise<number> {
  for (let count = 0; ; count += 1) if ((await ask(limits, what)) !== null) return count;
}

describe.skipIf(WITHOUT_REDIS)('limits in Redis', () => {
  it('can be set, replaced, listed and removed', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await limit(redis, 'openai=5/s', 'anthropic/claude=1/hour', 'openai=6/s');
    expect(await listLimits(redis, PREFIX)).toEqual([
      { provider: 'anthropic', model: 'claude', requests: 1, per: 'hour' },
      { provider: 'openai', model: null, requests: 6, per: 's' },
    ]);
    expect(await removeLimit(redis, PREFIX, parseTarget('openai'))).toBe(true);
    expect(await removeLimit(redis, PREFIX, parseTarget('openai'))).toBe(false);
    expect((await listLimits(redis, PREFIX)).length).toBe(1);
  });

  it('are never exceeded by two processes together, in any stretch of time on the clock of Redis', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await limit(redis, 'anthropic=10/s');
    // Redis tells the moment of everything it does; what lets a request go is the only thing that sets this key.
    const moments: number[] = [];
    await server.monitor((time, [name, key]) => {
      if (name?.toUpperCase() === 'SET' && key === 'aam:rate:anthropic') moments.push(time * 1000);
    });
    const worker = fileURLToPath(new URL('ask-limits.mjs', import.meta.url));
    const settings = [worker, `${server.options.port}`, PREFIX, '14'];
    const run = promisify(execFile);
    await Promise.all([1, 2].map(() => run(process.execPath, settings, { timeout: 50_000 })));
    await until(() => moments.length === 28);
    // A few milliseconds less than the period: Redis writes the moment down after the script has looked at the clock.
    const counts = moments.map((start) => moments.filter((it) => it >= start && it < start + 995).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
    expect(await redis.zcard('aam:waiting:anthropic')).toBe(0);
  });

  it('let a tenth go at once, and then no more than the rest within the period', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await limit(redis, 'anthropic=60/hour', 'openai=1/day');
    await using limits = await openRateLimits(redis, PREFIX);
    const [seconds] = await redis.time();
    const hourLater = (Number(seconds) * 1000 + HOUR_MS).toString();
    expect(await countAtOnce(limits, 'anthropic')).toBe(6);
    expect(await countAtOnce(limits, 'openai')).toBe(1);
    expect(await ask(limits, 'google')).toBe(null);
    for (let number = 0; number < 60; number += 1) await ask(limits, 'anthropic');
    // The moments at which those that wait may go. Seconds were cut off, so that the hour begins before the first.
    const within = await redis.zcount('aam:waiting:anthropic', '-inf', `(${hourLater}`);
    expect(6 + within).toBeGreaterThanOrEqual(59);
    expect(6 + within).toBeLessThanOrEqual(60);
  });

  it('hold those that wait in the order they came, and say by which limit', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await limit(redis, 'anthropic=10/hour');
    await using first = await openRateLimits(redis, PREFIX);
    await using second = await openRateLimits(redis, PREFIX);
    const slots = async (limits: RedisRateLimits, ticket: string, atMostMs?: number) => {
      const hold = await ask(limits, 'anthropic/claude', ticket, atMostMs);
      expect(hold?.limit).toBe('anthropic=10/hour');
      return Math.round((hold?.ms ?? 0) / (HOUR_MS / 10));
    };
    expect(await ask(first, 'anthropic/claude')).toBe(null);
    expect(await slots(first, 'a')).toBe(1);
    expect(await slots(second, 'b')).toBe(2);
    expect(await slots(first, 'impatient', 1000)).toBe(3);
    expect(await slots(first, 'c')).toBe(3);
    expect(await slots(first, 'b')).toBe(2);
    expect(await slots(second, 'a')).toBe(1);
    await redis.zrem('aam:waiting:anthropic', 'a');
    expect(await slots(first, 'b')).toBe(1);
    const [seconds] = await redis.time();
    await redis.zadd('aam:waiting:anthropic', Number(seconds) * 1000 - 5_000, 'gone long ago');
    expect(await slots(second, 'c')).toBe(2);
  });

  it('of a provider and of the longest beginning of a model hold together; one that is held counts nowhere', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await limit(
      redis,
      'anthropic=100/hour',
      'anthropic/claude=1000/s',
      'anthropic/claude-opus=1/hour',
      'openai/gpt-5=1/day',
      'openai/gpt=1000/hour',
    );
    await using limits = await openRateLimits(redis, PREFIX);
    expect(await ask(limits, 'anthropic/claude-opus-4-6')).toBe(null);
    for (let number = 0; number < 20; number += 1)
      expect(await ask(limits, 'anthropic/claude-opus-4-6', 'same')).toMatchObject({
        limit: 'anthropic/claude-opus=1/hour',
      });
    expect(await countAtOnce(limits, 'anthropic/claude-sonnet-5-5')).toBe(9);
    expect(await ask(limits, 'anthropic')).toMatchObject({ limit: 'anthropic=100/hour' });
    await removeLimit(redis, PREFIX, parseTarget('anthropic'));
    expect(await ask(limits, 'anthropic')).toBe(null);
    expect(await ask(limits, 'anthropic/claude-sonnet-5-5')).toBe(null);
    expect(await ask(limits, 'anthropic/cla')).toBe(null);
    expect(await ask(limits, 'openai/gpt-5.4')).toBe(null);
    expect(await ask(limits, 'openai/gpt-5.4')).toMatchObject({ limit: 'openai/gpt-5=1/day' });
    expect(await countAtOnce(limits, 'openai/gpt-4')).toBe(100);
  });

  it('know every period that can be written', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await using limits = await openRateLimits(redis, PREFIX);
    for (const [per, ms] of Object.entries(PERIOD_MS)) {
      await limit(redis, `google/${per}-model=1/${per}`);
      expect(await ask(limits, `google/${per}-model`)).toBe(null);
      const hold = await ask(limits, `google/${per}-model`);
      // Within a second the request may go again.
      if (per !== 's') expect(hold?.ms).toBeGreaterThan(ms - 30_000);
      expect(hold?.ms ?? 0).toBeLessThanOrEqual(ms);
    }
  });

  it('leave nothing behind for good but themselves', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await limit(redis, 'anthropic=1/hour', 'anthropic/claude=2/hour');
    await using limits = await openRateLimits(redis, PREFIX);
    await ask(limits, 'anthropic/claude');
    await ask(limits, 'anthropic/claude');
    limits.pausedFor({ provider: 'openai', ms: 30_000, status: 429 });
    await expect.poll(() => redis.exists('aam:pause:openai')).toBe(1);
    const keys = (await redis.keys('*')).sort();
    expect(keys).toEqual([
      'aam:limits',
      'aam:pause:openai',
      'aam:rate:anthropic',
      'aam:rate:anthropic/claude',
      'aam:waiting:anthropic',
    ]);
    for (const key of keys.slice(1)) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });
});

describe.skipIf(WITHOUT_REDIS)('a pause', () => {
  it('that one worker is asked for holds the others, also one that starts later', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await using upstream = await upstreamServer((response, { url }, number) =>
      number === 1
        ? answerError(response, 429, { 'retry-after': '30' })
        : answerStream(response, url.includes('messages') ? 'anthropic' : 'openai'),
    );
    const patient = { timings: { maxWaitMs: 60_000 } };
    await using firstLimits = await openRateLimits(redis, PREFIX);
    await using secondLimits = await openRateLimits(redis, PREFIX);
    await using first = await gatewayTo(upstream.url, { ...patient, shared: firstLimits });
    await using second = await gatewayTo(upstream.url, { ...patient, shared: secondLimits });
    const heard: Pause[] = [];
    secondLimits.onPause((pause) => heard.push(pause));
    await caughtUp(secondLimits);
    const door = await first.open('t1', 'anthropic');
    const sent = send(door).catch(() => 'ended');
    await until(() => heard.length === 1);
    expect(heard).toEqual([{ provider: 'anthropic', ms: 30_000, status: 429 }]);

    await using lateLimits = await openRateLimits(redis, PREFIX);
    await using late = await gatewayTo(upstream.url, { ...patient, shared: lateLimits });
    for (const gateway of [second, late]) {
      const held = await gateway.open('t2', 'anthropic');
      const waits = send(held).catch(() => 'ended');
      await until(() => held.unanswered?.status === 429);
      await using free = await gateway.open('t3', 'openai');
      expect((await send(free)).status).toBe(200);
      await held[Symbol.asyncDispose]();
      expect(await waits).toBe('ended');
    }
    await door[Symbol.asyncDispose]();
    expect(await sent).toBe('ended');
    expect(upstream.requests.map(({ url }) => url)).toEqual([
      '/v1/messages?beta=true',
      '/responses',
      '/responses',
    ]);
  });

  it('does not end a longer one, and what is no pause is not heard', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await using limits = await openRateLimits(redis, PREFIX);
    await using other = await openRateLimits(redis, PREFIX);
    const heard: Pause[] = [];
    other.onPause((pause) => heard.push(pause));
    await caughtUp(other);
    for (const text of ['', 'null', '{}', '{"provider":"anthropic","ms":"x","status":1}', '{"provider":"x"}'])
      await redis.publish('aam:pauses', text);
    limits.pausedFor({ provider: 'google', ms: 40_000, status: 503 });
    limits.pausedFor({ provider: 'google', ms: 10.5, status: 429 });
    await until(() => heard.length === 2);
    expect(heard.map(({ ms }) => ms)).toEqual([40_000, 11]);
    expect(await redis.get('aam:pause:google')).toBe('503');
    expect(await redis.pttl('aam:pause:google')).toBeGreaterThan(5_000);
  });

  it('from before is told to whoever begins to listen, and from meanwhile to whoever was cut off', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await redis.set('aam:pause:anthropic', '529', 'PX', 30_000);
    await using limits = await openRateLimits(redis, PREFIX);
    await caughtUp(limits);
    const heard: Pause[] = [];
    limits.onPause((pause) => heard.push(pause));
    await caughtUp(limits);
    expect(heard).toEqual([{ provider: 'anthropic', ms: expect.any(Number), status: 529 }]);
    expect(heard[0]?.ms).toBeLessThanOrEqual(30_000);
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await redis.set('aam:pause:google', '503', 'PX', 30_000);
    await until(() => heard.some(({ provider, status }) => provider === 'google' && status === 503));
  });

  it('reaches every gateway of the same worker, once', async () => {
    await using server = await startRedis();
    await using limits = await openRateLimits(server.client(), PREFIX);
    await using other = await openRateLimits(server.client(), PREFIX);
    const [heard, elsewhere]: [Pause[], Pause[]] = [[], []];
    limits.onPause((pause) => heard.push(pause));
    other.onPause((pause) => elsewhere.push(pause));
    await caughtUp(limits, other);
    const pause = (provider: Provider) => ({ provider, ms: 5_000, status: 429 });
    limits.pausedFor(pause('openai'));
    other.pausedFor(pause('google'));
    await until(() => heard.some(({ provider }) => provider === 'google') && elsewhere.length === 2);
    expect(heard).toEqual([pause('openai'), pause('google')]);
  });
});

describe.skipIf(WITHOUT_REDIS)('a Redis that is lost', () => {
  it('does not stop requests, and rules again when it is back', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await using model = await modelServer([{ text: 'hello' }]);
    await using limits = await openRateLimits(redis, PREFIX);
    await using gateway = await gatewayTo(model.url, { shared: limits });
    await using door = await gateway.open('t1', 'anthropic');
    const request = { body: '{"model":"claude","stream":true,"messages":[]}' };
    expect((await send(door, request)).status).toBe(200);
    expect(gateway.unasked).toBe(0);

    await server.kill();
    for (let number = 1; number <= 3; number += 1) {
      expect((await send(door, request)).status).toBe(200);
      expect(gateway.unasked).toBe(number);
    }
    limits.pausedFor({ provider: 'openai', ms: 1_000, status: 429 });

    await server.restart();
    await expect.poll(() => ask(limits, 'anthropic').catch(() => 'lost')).toBe(null);
    await limit(server.client(), 'anthropic=1/hour');
    expect((await send(door, request)).status).toBe(200);
    expect((await send(door, request)).status).toBe(429);
    expect(door.failure?.message).toContain('anthropic=1/hour');
    expect(gateway.unasked).toBe(3);
    const heard: Pause[] = [];
    limits.onPause((pause) => heard.push(pause));
    await using other = await openRateLimits(server.client(), PREFIX);
    await expect
      .poll(() => {
        other.pausedFor({ provider: 'google', ms: 100, status: 529 });
        return heard.length;
      })
      .toBeGreaterThan(0);
  });

  it('from the beginning does not keep a worker from starting', async () => {
    await using server = await startRedis();
    const redis = server.client();
    await server.kill();
    await using limits = await openRateLimits(redis, PREFIX);
    await expect(ask(limits, 'anthropic')).rejects.toThrow();
    await server.restart();
    await expect.poll(() => ask(limits, 'anthropic').catch(() => 'lost')).toBe(null);
  });
});
