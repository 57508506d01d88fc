/** Suites that need a Redis server: each has one of its own, and where there is none that is said. */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import type { WorkerNeeds } from '../../src/model/needs.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { findRedis, NO_REDIS, startRedis } from './redis.ts';

if (findRedis() === null) console.warn(NO_REDIS);

export const describeWithRedis = describe.skipIf(findRedis() === null);

export const PLAIN_NEEDS: WorkerNeeds = {
  ...{ aam: '1.0.0', engine: 'mock', engineVersion: null, sandbox: 'bubblewrap', network: false },
  ...{ providers: [], tags: [] },
};

type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** Empty before each test. */
export function serverForAll(): { readonly server: RedisServer; readonly redis: Redis } {
  let server: RedisServer;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = server.client();
    redis.options.maxRetriesPerRequest = null;
  });
  beforeEach(async () => {
    await redis.flushall();
  });
  afterAll(() => server.stop());
  return {
    get server() {
      return server;
    },
    get redis() {
      return redis;
    },
  };
}

export function fleetForAll(): { readonly fleet: Fleet; readonly redis: Redis } {
  let fleet: Fleet;
  let redis: Redis;
  beforeAll(async () => {
    fleet = await startFleet();
    redis = fleet.client();
  });
  afterAll(() => fleet[Symbol.asyncDispose]());
  return {
    get fleet() {
      return fleet;
    },
    get redis() {
      return redis;
    },
  };
}
