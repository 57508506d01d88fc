/** `aam queue status`. */
import { lacks, type WorkerFacts, type WorkerNeeds } from '../model/needs.ts';
import { connect } from '../queue/connection.ts';
import { countJobs } from '../queue/counts.ts';
import { listKinds, listRunning, listWorkers, type RunFacts } from '../queue/registry.ts';

export interface QueueStatus {
  readonly workers: readonly WorkerFacts[];
  readonly runs: readonly RunFacts[];
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
    const [workers, runs, kinds] = await Promise.all([
      listWorkers(redis),
      listRunning(redis),
      listKinds(redis),
    ]);
    const queues = await Promise.all(
      kinds.map(async (needs) => ({
        needs,
        ...(await countJobs(redis, needs)),
        workers: workers.filter((worker) => lacks(worker, needs).length === 0).length,
      })),
    );
    return { workers, runs, queues };
  } finally {
    redis.disconnect();
  }
}
