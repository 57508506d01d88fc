/** The site that is many machines: trials go into a queue, workers take them, and what they tell comes back. */
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeOwnedFolder, removeOwnedFolder } from '../host/owned-folder.ts';
import { PrerequisiteError, UserError } from '../model/errors.ts';
import type { WorkerFacts, WorkerNeeds } from '../model/needs.ts';
import type { TrialResult } from '../model/trial.ts';
import { BUNDLE_SECONDS, putBlob } from '../queue/blobs.ts';
import { anotherConnection, connect, type Redis, told } from '../queue/connection.ts';
import { whileReachable } from '../queue/reachable.ts';
import { listWorkers } from '../queue/registry.ts';
import { beginEvents } from '../queue/trial-events.ts';
import { packBundle } from './bundle.ts';
import type { EvalOptions } from './eval.ts';
import { CostBudget, spentOn } from './eval-cost.ts';
import type { EvalPlan } from './eval-plan.ts';
import { prepareTapes } from './eval-tapes.ts';
import { FleetExecutor } from './executor-fleet.ts';
import { able, commonVersion, needsOf, whyNobody } from './fleet-needs.ts';
import { copyPackage, withoutAnswers } from './package-copy.ts';
import { createRedaction, findKnownSecrets } from './redaction.ts';
import type { Site } from './site.ts';
import { limitsOf } from './site-local.ts';

export interface QueueOptions {
  readonly url: string;
  /** That a worker must have. */
  readonly tags: readonly string[];
  /** A range; null: the one version that most workers have. */
  readonly engineVersion: string | null;
  /** How long nobody may be there who can serve. */
  readonly waitSeconds: number;
}

/** `attempts`: what the run has taken already. `version`: of the engine, in an earlier process of the run. */
export async function openFleetSite(
  plan: EvalPlan,
  options: EvalOptions & { readonly queue: QueueOptions },
  attempts: readonly TrialResult[],
  version: string | null,
): Promise<Site> {
  requireSendable(options);
  const { queue, host } = options;
  const redaction = createRedaction(await findKnownSecrets(host, plan));
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const it of closing.splice(0).reverse()) await it();
  };
  try {
    const redis = await connect(queue.url);
    closing.push(async () => redis.disconnect());
    const waiting = { url: queue.url, waitSeconds: queue.waitSeconds, signal: options.signal };
    const workers = await whileReachable(redis, requireWorkers(redis, plan, options, version), waiting);
    const { needs } = workers;
    const scratch = await makeOwnedFolder(tmpdir(), 'eval');
    closing.push(() => removeOwnedFolder(scratch));
    const packageCopy = join(scratch, 'package');
    const { pkg, warnings } = withoutAnswers(
      plan.pkg,
      plan.trials.map((trial) => trial.case),
    );
    await copyPackage(pkg, packageCopy);
    // Before anything runs it is known that every case can travel.
    const bundle = await packBundle({ ...plan, pkg }, options, packageCopy, redaction.known);
    const putting = putBlob(redis, bundle.bytes, BUNDLE_SECONDS);
    const sha256 = await whileReachable(redis, putting, waiting);
    const tapes = (await prepareTapes({ ...options, model: plan.model, plan, program: null }))({
      ...{ gateway: null, packageCopy, places: [] },
    });
    return {
      packageCopy,
      engineVersion: workers.version,
      redaction,
      limits: limitsOf(plan, options),
      jobs: workers.jobs,
      tapes,
      packageWarnings: warnings,
      warnings: bundle.warnings,
      async start(records, signal) {
        await whileReachable(redis, beginEvents(redis, records.id), waiting);
        const events = await anotherConnection(redis);
        closing.push(async () => events.disconnect());
        const executor = new FleetExecutor({
          ...{ redis, events, plan, needs, records, signal, redaction },
          bundle: { sha256, ...bundle },
          budget: new CostBudget(options.maxCostUsd, attempts),
          maxTokens: options.maxTokens,
          spent: spentOn(attempts),
          isResumed: options.resume !== null,
          waitSeconds: queue.waitSeconds,
          places: workers.jobs,
          about: { package: plan.pkg.name, host: hostname(), since: new Date().toISOString() },
          onEvent: options.onEvent,
        });
        closing.push(async () => executor[Symbol.asyncDispose]());
        return executor;
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw told(error, queue.url);
  }
}

function requireSendable({ tape, keepWorkspace }: EvalOptions): void {
  if (tape.mode !== 'off')
    throw new UserError(
      `--tape ${tape.mode} does not go with --queue: tapes are on this machine, and the models are asked on others`,
      'leave out one of them',
    );
  if (keepWorkspace)
    throw new UserError(
      '--keep-workspace does not go with --queue: the workspaces are on other machines',
      'what agents left behind is in the captures; or run here, without --queue',
    );
}

const LOOK_MS = 1000;

interface Able {
  readonly needs: WorkerNeeds;
  /** Of the engine; null: it has none. */
  readonly version: string | null;
  /** Agents that all of them together run at a time. */
  readonly jobs: number;
}

/** Nothing of a run is written down before somebody is there who can run it. */
async function requireWorkers(
  redis: Redis,
  plan: EvalPlan,
  options: EvalOptions & { readonly queue: QueueOptions },
  version: string | null,
): Promise<Able> {
  const { queue, onEvent, signal } = options;
  const wanted = needsOf(plan, options, version ?? queue.engineVersion);
  const until = performance.now() + queue.waitSeconds * 1000;
  // Workers find out what is needed from runs that are there.
  for (let isTold = false; ; isTold = true) {
    const workers = await listWorkers(redis);
    const found = choose(workers, plan, options, wanted, queue.engineVersion);
    if (found) return found;
    const { message, details } = whyNobody(workers, wanted);
    if (signal.aborted) throw new PrerequisiteError(message, ...details, 'interrupted before one came');
    if (performance.now() >= until)
      throw new PrerequisiteError(message, ...details, `waited for ${queue.waitSeconds} s (--queue-wait)`);
    if (!isTold) onEvent?.({ type: 'waiting', message, details });
    await delay(LOOK_MS, null, { signal }).catch(() => {});
  }
}

function choose(
  workers: readonly WorkerFacts[],
  plan: EvalPlan,
  options: EvalOptions,
  wanted: WorkerNeeds,
  range: string | null,
): Able | null {
  const version = commonVersion(workers, wanted);
  // A range stands for all that is in it; else it is one version, and no other.
  const needs = range !== null || version === null ? wanted : needsOf(plan, options, version);
  const jobs = able(workers, needs).reduce((sum, worker) => sum + worker.jobs, 0);
  return jobs === 0 ? null : { needs, version, jobs };
}
