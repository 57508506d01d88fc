/** A job as a real planner writes it, to be changed by tests that play a stranger on the queue. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { packArchive } from '../../src/host/archive/pack.ts';
import { readArchive } from '../../src/host/archive/read.ts';
import type { WorkerFacts, WorkerNeeds } from '../../src/model/needs.ts';
import type { RunSpec } from '../../src/model/run-spec.ts';
import { BUNDLE, SPEC } from '../../src/pipeline/bundle.ts';
import { getBlob } from '../../src/queue/blobs.ts';
import { Consumer } from '../../src/queue/consumer.ts';
import { type TrialJob, trialJob } from '../../src/queue/messages.ts';
import { announceWorker, listKinds } from '../../src/queue/registry.ts';
import { startAam } from './cli.ts';
import type { Fleet } from './fleet.ts';

const AAM_VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Of a worker that is none. */
export const FAKE_WORKER: WorkerFacts = {
  ...{ id: 'fake', host: 'nowhere', pid: 1, aam: AAM_VERSION, providers: [], tags: [], network: false },
  ...{
    engines: { command: null, mock: null },
    sandboxes: ['bubblewrap'],
    jobs: 1,
    active: 0,
    draining: false,
    trouble: null,
  },
  since: new Date(0).toISOString(),
};

export interface Stolen {
  readonly job: TrialJob;
  readonly needs: WorkerNeeds;
  readonly bundle: Buffer;
}

const STEAL_MS = 60_000;

/** The planner is killed, and the queue emptied. */
export async function stealJob(fleet: Fleet, root: string, args: readonly string[]): Promise<Stolen> {
  const redis = fleet.client();
  await announceWorker(redis, FAKE_WORKER);
  const { child, ended } = startAam(['eval', ...args, '--queue', fleet.url], root, {
    TMPDIR: fleet.temporary,
  });
  try {
    const consumer = new Consumer(redis, 30_000, () => {});
    await using _consumer = consumer;
    const until = performance.now() + STEAL_MS;
    for (;;) {
      const [needs] = await listKinds(redis);
      if (needs) await consumer.serve([needs]);
      const taken = needs && (await consumer.take());
      if (needs && taken) {
        const job = trialJob.parse(taken.data);
        const bundle = await getBlob(redis, job.bundle, BUNDLE.limits.bytes);
        if (bundle === null) throw new Error('there is no bundle');
        return { job, needs, bundle };
      }
      if (performance.now() > until) throw new Error('the planner asked for nothing');
      await delay(100);
    }
  } finally {
    child.kill('SIGKILL');
    await ended;
    await redis.flushall();
    redis.disconnect();
  }
}

/** The same bundle with other settings, and more files. */
export async function changedBundle(
  bundle: Buffer,
  change: (spec: RunSpec) => unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Buffer> {
  const files = new Map<string, { bytes: Buffer; executable: boolean }>();
  for await (const { name, executable, content } of readArchive(only(bundle), BUNDLE)) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(Buffer.from(chunk));
    files.set(name, { bytes: Buffer.concat(chunks), executable });
  }
  const spec = change(JSON.parse(files.get(SPEC)?.bytes.toString() ?? '') as RunSpec);
  files.set(SPEC, { bytes: Buffer.from(JSON.stringify(spec)), executable: false });
  for (const [name, text] of Object.entries(more))
    files.set(name, { bytes: Buffer.from(text), executable: false });
  const entries = [...files].map(([name, { bytes, executable }]) => ({
    ...{ name, executable, size: bytes.length },
    content: () => [bytes],
  }));
  const chunks: Buffer[] = [];
  for await (const chunk of packArchive(entries, BUNDLE)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
