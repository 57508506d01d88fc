/** The runs that a worker has trials of: each has a site here, for as long as there is something to do. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeTree } from '../host/remove.ts';
import { Spawner } from '../host/spawner.ts';
import type { Case } from '../model/case.ts';
import type { SharedLimits } from '../model/shared-limits.ts';
import { atPlaces } from '../model/travel/places.ts';
import type { ErrorKind, Trial, TrialResult } from '../model/trial.ts';
import { NO_USAGE, type Usage } from '../model/usage.ts';
import { getBlob } from '../queue/blobs.ts';
import type { Redis } from '../queue/connection.ts';
import { SHARED_PREFIX } from '../queue/keys.ts';
import type { TrialEvent, TrialJob } from '../queue/messages.ts';
import { openRunBudget, type RunBudget } from '../queue/run-budget.ts';
import { tellEvent } from '../queue/trial-events.ts';
import { BUNDLE } from './bundle.ts';
import { openBundle } from './bundle-open.ts';
import type { LocalExecutor } from './executor-local.ts';
import { type LocalSite, openLocalSite } from './site-local.ts';
import { undecidedTrial } from './trial.ts';
import type { WorkerOptions } from './worker.ts';
import { sendAnswer } from './worker-answer.ts';
import { type Trouble, troubleOf } from './worker-troubles.ts';

interface OpenRun {
  readonly folder: string;
  /** A case with paths of this machine. */
  readonly arrived: (it: Case) => Case;
  readonly site: LocalSite;
  readonly executor: LocalExecutor;
  readonly stop: AbortController;
  /** null: it asks no model. */
  readonly budget: RunBudget | null;
  /** JSON of what trials left behind, until it is sent. */
  readonly captures: Map<string, string>;
}

interface RunEntry {
  readonly run: string;
  readonly session: number;
  readonly opened: Promise<OpenRun>;
  active: number;
  idleSince: number;
}

type Told = TrialEvent extends infer Event
  ? Event extends TrialEvent
    ? Omit<Event, 'version' | 'trial' | 'worker'>
    : never
  : never;

const IDLE_MS = 20_000;
const USAGE_MS = 2000;
/** Of what is over sooner, nobody needs to know that it has begun. */
const STARTED_MS = 100;
const MAX_TROUBLE = 1000;
const FILES_MS = 10_000;
const LOOK_MS = 200;

export class WorkerRuns implements AsyncDisposable {
  readonly #redis: Redis;
  readonly #limits: SharedLimits;
  readonly #starter: Spawner;
  readonly #worker: string;
  readonly #options: WorkerOptions;
  readonly #folder: string;
  readonly #entries = new Map<string, RunEntry>();
  readonly #cancelled = new Set<RunEntry>();
  /** The last process of a run that was cancelled. */
  readonly #cancelledSessions = new Map<string, number>();
  #made = 0;

  constructor(redis: Redis, limits: SharedLimits, worker: string, options: WorkerOptions, folder: string) {
    this.#redis = redis;
    this.#limits = limits;
    this.#worker = worker;
    this.#options = options;
    this.#folder = folder;
    mkdirSync(folder);
    // Not before: whoever cannot go on must not leave it behind.
    this.#starter = new Spawner();
  }

  /** Runs a trial and tells its planner. */
  async execute(job: TrialJob, onAgentDone: () => void): Promise<TrialResult | Trouble> {
    const entry = this.#entryOf(job);
    entry.active += 1;
    try {
      const run = await entry.opened.catch((error) => {
        // Next time it may open. Other trials of one that is open go on.
        if (this.#entries.get(keyOf(job)) === entry) this.#entries.delete(keyOf(job));
        throw error;
      });
      if (this.isCancelled(job)) return interrupted(job);
      return await this.#run(job, run, onAgentDone);
    } catch (error) {
      if (this.isCancelled(job)) return interrupted(job);
      const found = troubleOf(error as Error, this.#folder);
      // The trial goes back in any case.
      await this.#tell(job, { type: 'trouble', message: found.trouble.slice(0, MAX_TROUBLE) }).catch(
        () => {},
      );
      return found;
    } finally {
      entry.active -= 1;
      entry.idleSince = performance.now();
    }
  }

  /** Tells the planner that it is over without having run. */
  async decline(job: TrialJob, kind: ErrorKind, why: string): Promise<void> {
    const result = undecidedTrial(job.trial as Trial, kind, why);
    await this.#tell(job, { type: 'done', result, capture: null });
  }

  /** What this process of the run and earlier ones asked for; not what one that goes on with it asks for. */
  cancel(run: string, session: number): void {
    this.#cancelledSessions.set(run, Math.max(session, this.#cancelledSessions.get(run) ?? 0));
    for (const [key, entry] of this.#entries) {
      if (entry.run !== run || entry.session > session) continue;
      this.#entries.delete(key);
      this.#cancelled.add(entry);
      entry.opened.then(({ stop }) => stop.abort()).catch(() => {});
    }
  }

  /** Also one that was taken in that very moment. */
  isCancelled({ run, session }: TrialJob): boolean {
    return session <= (this.#cancelledSessions.get(run) ?? 0);
  }

  async closeIdle(): Promise<void> {
    for (const entry of this.#cancelled) {
      if (entry.active > 0) continue;
      this.#cancelled.delete(entry);
      await this.#close(entry);
    }
    for (const [key, entry] of this.#entries) {
      if (entry.active > 0 || performance.now() - entry.idleSince < IDLE_MS) continue;
      this.#entries.delete(key);
      await this.#close(entry);
    }
  }

  async #run(job: TrialJob, run: OpenRun, onAgentDone: () => void): Promise<TrialResult> {
    const { executor, arrived, captures, site } = run;
    const trial: Trial = { ...job.trial, case: arrived(job.trial.case) };
    let usage: () => Usage = () => NO_USAGE;
    let told = NO_USAGE;
    let starting: NodeJS.Timeout | undefined;
    const reporting = setInterval(() => {
      const now = usage();
      if (now === told) return;
      told = now;
      this.#tell(job, { type: 'usage', usage: { ...now, models: [...now.models] } }).catch(() => {});
    }, USAGE_MS);
    // A worker may end while its server, which is to hear of the result, is away.
    reporting.unref();
    try {
      const { result, fault } = await executor.run(trial, {
        onStart: (_, look) => {
          usage = look;
          clearTimeout(starting);
          starting = setTimeout(() => this.#tell(job, { type: 'started' }).catch(() => {}), STARTED_MS);
        },
        onJudge: () => {
          onAgentDone();
          clearTimeout(starting);
          this.#tell(job, { type: 'judging' }).catch(() => {});
        },
      });
      onAgentDone();
      clearTimeout(starting);
      await run.budget?.tell();
      if (fault !== null) throw fault;
      if (result.errorKind === 'interrupted') return result;
      const answer = { job, worker: this.#worker, capture: captures.get(trial.id) ?? null };
      await sendAnswer(this.#redis, { ...answer, result: site.redaction.value(result) }, run.stop.signal);
      return result;
    } finally {
      clearInterval(reporting);
      clearTimeout(starting);
      captures.delete(trial.id);
    }
  }

  async #tell(job: TrialJob, event: Told): Promise<void> {
    const about = { version: 1 as const, trial: job.trial.id, worker: this.#worker };
    await tellEvent(this.#redis, job.run, { ...about, ...event } as TrialEvent);
  }

  #entryOf(job: TrialJob): RunEntry {
    const key = keyOf(job);
    const known = this.#entries.get(key);
    if (known) return known;
    const fresh: RunEntry = {
      run: job.run,
      session: job.session,
      opened: this.#open(job),
      active: 0,
      idleSince: performance.now(),
    };
    // Whoever waits for it is told.
    fresh.opened.catch(() => {});
    this.#entries.set(key, fresh);
    return fresh;
  }

  async #open(job: TrialJob): Promise<OpenRun> {
    const { host, version, jobs } = this.#options;
    const bytes = await this.#filesOf(job);
    this.#made += 1;
    const folder = join(this.#folder, String(this.#made));
    const stop = new AbortController();
    const captures = new Map<string, string>();
    try {
      const { plan, options } = await openBundle(bytes, folder, { host, version, signal: stop.signal });
      this.#requireAllowed(plan.settings.network, options.sandbox);
      const site = await openLocalSite(plan, options, jobs, [], {
        limits: this.#limits,
        starter: this.#starter,
      });
      const records = {
        id: job.run,
        session: job.session,
        capture(capture: { readonly trial: string }) {
          captures.set(capture.trial, site.redaction.json(capture));
          return join('captures', `${capture.trial}.json`);
        },
      };
      try {
        const executor = await site.start(records, stop.signal);
        const budget = await this.#budgetOf(job.run, site);
        return { folder, arrived: atPlaces(folder), site, stop, captures, executor, budget };
      } catch (error) {
        await site[Symbol.asyncDispose]();
        throw error;
      }
    } catch (error) {
      await removeTree(folder);
      throw error;
    }
  }

  /** A server that has lost all is given them again by the planner, as soon as it looks. */
  async #filesOf({ bundle }: TrialJob): Promise<Buffer> {
    const until = performance.now() + FILES_MS;
    do {
      const bytes = await getBlob(this.#redis, bundle, BUNDLE.limits.bytes);
      if (bytes !== null) return bytes;
      await delay(LOOK_MS);
    } while (performance.now() < until);
    throw new Error('the files of the run are not in the queue');
  }

  /** What all workers spend on a run counts for its limits. */
  async #budgetOf(runId: string, { gateway }: LocalSite): Promise<RunBudget | null> {
    if (gateway === null) return null;
    return await openRunBudget({
      redis: this.#redis,
      prefix: SHARED_PREFIX,
      runId,
      spent: () => gateway.spent,
      onOthers: (spent) => gateway.othersSpent(spent),
    });
  }

  /** What the needs of a run say is checked before; a stranger's bundle may say something else. */
  #requireAllowed(network: boolean, sandbox: 'bubblewrap' | 'none'): void {
    const { allowNetwork, allowNoSandbox } = this.#options;
    if (network && !allowNetwork)
      throw new Error('it wants the network, which this worker does not give to agents');
    if (sandbox === 'none' && !allowNoSandbox)
      throw new Error('it wants no sandbox, and this worker runs nothing without');
  }

  async #close({ opened }: RunEntry): Promise<void> {
    const run = await opened.catch(() => null);
    if (!run) return;
    await run.budget?.[Symbol.asyncDispose]();
    await run.site[Symbol.asyncDispose]();
    await removeTree(run.folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const entry of [...this.#entries.values(), ...this.#cancelled]) await this.#close(entry);
    this.#entries.clear();
    await this.#starter[Symbol.asyncDispose]();
  }
}

function interrupted({ trial }: TrialJob): TrialResult {
  return undecidedTrial(trial as Trial, 'interrupted', 'the run was interrupted');
}

function keyOf({ run, session, bundle }: TrialJob): string {
  return `${run} ${session} ${bundle}`;
}
