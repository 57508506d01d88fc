/** What is where in Redis. */

const PREFIX = 'aam';

/** Of what workers keep together: limits and budgets. */
export const SHARED_PREFIX = `${PREFIX}:`;

/** Of BullMQ's own keys. */
export const QUEUE_PREFIX = `${PREFIX}:queue`;

/** Trials with the same needs are in one queue. */
export function queueName(kind: string): string {
  return `trials-${kind}`;
}

/** Of all keys of a queue. */
export function queuePattern(kind: string): string {
  return `${QUEUE_PREFIX}:${queueName(kind)}:*`;
}

/** Hash: what trials may need of a worker, by its id. */
export const KINDS = `${PREFIX}:kinds`;
/** Set of ids. */
export const WORKERS = `${PREFIX}:workers`;
/** Set of ids. */
export const RUNS = `${PREFIX}:runs`;
/** Channel: there is something to take. */
export const WAKE = `${PREFIX}:wake`;
/** Channel: `{run, session}`: what was put into the queue by then is not wanted any more. */
export const CANCEL = `${PREFIX}:cancel`;

export function workerKey(id: string): string {
  return `${PREFIX}:worker:${id}`;
}

/** What the planner tells about its run; gone when the planner is. */
export function runKey(id: string): string {
  return `${PREFIX}:run:${id}`;
}

/** Stream: what workers tell about the trials of a run. */
export function eventsKey(run: string): string {
  return `${PREFIX}:run:${run}:events`;
}

/** There for a while when a run is over and nothing more is wanted of it. */
export function overKey(run: string): string {
  return `${PREFIX}:over:${run}`;
}

/** `run`: of what only one run has; null: runs share it. */
export function blobKey(sha256: string, run: string | null = null): string {
  return `${PREFIX}:blob:${run === null ? '' : `${run}:`}${sha256}`;
}
