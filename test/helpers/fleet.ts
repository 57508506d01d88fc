/** Workers as a user starts them, beside a Redis server of the test's own. */
import { readdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerEvent } from '../../src/pipeline/worker-events.ts';
import { startAam } from './cli.ts';
import { temporaryFolder } from './folder.ts';
import { type Files, skillText } from './package.ts';
import { startRedis } from './redis.ts';

const READY_MS = 60_000;
const END_MS = 60_000;
/** Short, so that tests of lost workers do not wait for long. */
const LEASE_SECONDS = 3;

/** All that they write of their own goes into `temporary`. */
export async function startFleet() {
  const redis = await startRedis();
  const folder = await temporaryFolder();
  const workers = new Set<FleetWorker>();
  return {
    redis,
    url: redis.url,
    temporary: folder.path,
    async worker(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<FleetWorker> {
      const worker = await startWorker(redis.url, args, { TMPDIR: folder.path, ...env });
      workers.add(worker);
      return worker;
    },
    /** As planners and workers are connected. */
    client() {
      const client = redis.client();
      client.options.maxRetriesPerRequest = null;
      return client;
    },
    /** Names of folders that planners and workers have now. */
    folders: () => readdir(folder.path),
    async [Symbol.asyncDispose]() {
      await Promise.all([...workers].map((worker) => worker.end()));
      await redis.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;
export type FleetWorker = Awaited<ReturnType<typeof startWorker>>;

/** Resolves when it takes trials. */
export async function startWorker(url: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const all = ['worker', '--queue', url, '--lease', `${LEASE_SECONDS}`, '--json', ...args];
  const { child, ended, output } = startAam(all, '/', env);
  const events = (): WorkerEvent[] =>
    output()
      .split('\n')
      .flatMap((line) =>
        line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as WorkerEvent] : [],
      );
  const ready = async () => {
    while (!events().some(({ type }) => type === 'ready')) await delay(50);
  };
  const isReady = await Promise.race([
    ready().then(() => true),
    ended.then(() => false),
    delay(READY_MS, false, { ref: false }),
  ]);
  if (!isReady) {
    child.kill('SIGKILL');
    throw new Error(`the worker did not start: ${output()}`);
  }
  return {
    pid: child.pid ?? 0,
    ended,
    output,
    events,
    /** Ids of trials that it began. */
    started: () => events().flatMap((it) => (it.type === 'start' ? [it.trial] : [])),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    /** As a machine dies. */
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    /** In good order; by force when that takes too long. */
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await ended;
      clearTimeout(force);
    },
  };
}

export interface AgentSetting {
  readonly cases: number;
  /** What the agent does, a shell script; `$1` is the number of its case. */
  readonly agent: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Of its config. */
  readonly sandbox?: object;
}

/** A skill whose agent is a shell script: a case passes when it says `number`. */
export function numberedSkill({ cases, agent, env = {}, sandbox = {} }: AgentSetting): Files {
  return {
    'SKILL.md': skillText('counting'),
    'evals/eval-config.json': {
      version: 1,
      engine: 'command',
      timeout: 120,
      command: ['/bin/sh', '-c', agent, 'agent', '{prompt}'],
      env,
      sandbox,
    },
    'evals/evals.json': Array.from({ length: cases }, (_, index) => ({
      id: `c-${index}`,
      prompt: `${index}`,
      assertions: [{ type: 'contains', value: `number ${index}` }],
    })),
  };
}
