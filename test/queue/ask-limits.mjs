/** A worker that only asks: `node ask-limits.mjs <port> <prefix> <requests>`, all at once, until each may be sent. */
import { randomUUID } from 'node:crypto';
import { argv } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { openRateLimits } from '../../dist/queue/rate-limits.js';

const [port, prefix, requests] = argv.slice(2);
const redis = new Redis(Number(port), '127.0.0.1');
const limits = await openRateLimits(redis, prefix);
await Promise.all(
  Array.from({ length: Number(requests) }, async () => {
    const request = { provider: 'anthropic', model: 'claude', ticket: randomUUID(), atMostMs: 60_000 };
    for (;;) {
      const hold = await limits.admit(request);
      if (hold === null) return;
      await delay(hold.ms);
    }
  }),
);
await limits[Symbol.asyncDispose]();
redis.disconnect();
