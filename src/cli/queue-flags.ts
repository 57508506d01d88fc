/** Where the queue is, and what is asked of its workers. */
import { UserError } from '../model/errors.ts';
import type { QueueOptions } from '../pipeline/site-fleet.ts';
import { tagsIn } from './arguments.ts';
import type { Cli } from './cli.ts';
import type { EvalFlags } from './eval-flags.ts';

const VARIABLE = 'AAM_QUEUE';
const WAIT_SECONDS = 60;

/** null: the run is here. */
export async function queueOf(
  { queue, workerTags, engineVersion, queueWait }: EvalFlags,
  cli: Cli,
): Promise<QueueOptions | null> {
  if (queue === undefined) {
    const [alone] = Object.entries({
      '--worker-tags': workerTags,
      '--engine-version': engineVersion,
      '--queue-wait': queueWait,
    }).flatMap(([option, value]) => (value === undefined ? [] : [option]));
    if (alone !== undefined)
      throw new UserError(
        `${alone} is about workers, and this run is here`,
        'add  --queue redis://host:6379',
      );
    return null;
  }
  if (engineVersion !== undefined) await requireRange(engineVersion);
  return {
    url: queueUrl(queue, cli),
    tags: tagsIn(workerTags, '--worker-tags'),
    engineVersion: engineVersion ?? null,
    waitSeconds: queueWait ?? WAIT_SECONDS,
  };
}

async function requireRange(written: string): Promise<void> {
  const { validRange } = await import('semver');
  if (validRange(written) === null)
    throw new UserError(
      `--engine-version ${written} is no range of versions`,
      'for example:  --engine-version ">=2.1 <3"',
    );
}

/** As written, else from the environment, where no password is seen by others on the machine. */
export function queueUrl(written: string | true | undefined, { host }: Pick<Cli, 'host'>): string {
  const url = typeof written === 'string' ? written : host.env[VARIABLE]?.trim();
  if (url) return url;
  throw new UserError(
    'it is not said where the queue is',
    `--queue redis://host:6379, or:  export ${VARIABLE}=redis://host:6379`,
  );
}
