/** The limits that are in force: kept in one place, so that a change reaches all workers with their next request. */
import type { Redis } from 'ioredis';
import { type LimitRule, parseLimit, rateOf, targetOf } from './limit-rule.ts';

/** Where they are, below the prefix of all keys. */
export const LIMITS_KEY = 'limits';

/** In the place of the one that had the same target. */
export async function setLimit(redis: Redis, prefix: string, rule: LimitRule): Promise<void> {
  await redis.hset(prefix + LIMITS_KEY, targetOf(rule), rateOf(rule));
}

/** Says whether there was one. */
export async function removeLimit(
  redis: Redis,
  prefix: string,
  target: Pick<LimitRule, 'provider' | 'model'>,
): Promise<boolean> {
  return (await redis.hdel(prefix + LIMITS_KEY, targetOf(target))) > 0;
}

/** In the order of their targets. Throws a UserError when somebody else wrote there what is no limit. */
export async function listLimits(redis: Redis, prefix: string): Promise<readonly LimitRule[]> {
  const rates = await redis.hgetall(prefix + LIMITS_KEY);
  return Object.keys(rates)
    .sort()
    .map((target) => parseLimit(`${target}=${rates[target]}`));
}
