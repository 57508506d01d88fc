/** `aam queue status`. */
import { UserError } from '../model/errors.ts';
import { lacks, type WorkerFacts, type WorkerNeeds } from '../model/needs.ts';
import { connect, type Redis, told } from '../queue/connection.ts';
import { countJobs } from '../queue/counts.ts';
import { SHARED_PREFIX } from '../queue/keys.ts';
import { listLimits, removeLimit, setLimit } from '../queue/limit-list.ts';
import { parseLimit, parseTarget, rateOf, targetOf } from '../queue/limit-rule.ts';
import { listKinds, listRunning, listWorkers, type RunFacts } from '../queue/registry.ts';

export interface QueueStatus {
  readonly workers: readonly WorkerFacts[];
  readonly runs: readonly RunFacts[];
  /** Of requests to models, that all workers keep together: `anthropic=60/min`. */
  readonly limits: readonly string[];
  /** Trials with the same needs are in one queue. */
  readonly queues: readonly {
    readonly needs: WorkerNeeds;
    readonly waiting: number;
    readonly active: number;
    readonly failed: number;
    /** Who can serve it. */
    readonly workers: number;
  }[];
}

export async function queueStatus(url: string): Promise<QueueStatus> {
  const redis = await connect(url);
  try {
    const [workers, runs, kinds, limits] = await Promise.all([
      listWorkers(redis),
      listRunning(redis),
      listKinds(redis),
      limitsOf(redis),
    ]);
    const queues = await Promise.all(
      kinds.map(async (needs) => ({
        needs,
        ...(await countJobs(redis, needs)),
        workers: workers.filter((worker) => lacks(worker, needs).length === 0).length,
      })),
    );
    return { workers, runs, limits, queues };
  } catch (error) {
    throw told(error, url);
  } finally {
    redis.disconnect();
  }
}

export interface LimitChanges {
  /** As people write them: `anthropic=60/min`. */
  readonly set: readonly string[];
  /** What is no longer limited: `anthropic`. */
  readonly remove: readonly string[];
}

/** Gives the limits that hold from now on. Nothing is changed unless all of it can be. */
export async function changeLimits(url: string, { set, remove }: LimitChanges): Promise<readonly string[]> {
  const rules = set.map(parseLimit);
  const targets = remove.map(parseTarget);
  const redis = await connect(url);
  try {
    for (const target of targets) {
      if (!(await removeLimit(redis, SHARED_PREFIX, target)))
        throw new UserError(
          `there is no limit for ${targetOf(target)}`,
          'see those that there are:  aam queue limit',
        );
    }
    for (const rule of rules) await setLimit(redis, SHARED_PREFIX, rule);
    return await limitsOf(redis);
  } catch (error) {
    throw told(error, url);
  } finally {
    redis.disconnect();
  }
}

async function limitsOf(redis: Redis): Promise<string[]> {
  const rules = await listLimits(redis, SHARED_PREFIX);
  return rules.map((rule) => `${targetOf(rule)}=${rateOf(rule)}`);
}
