/** The contract of the gateway: the only way from a sandbox to a model. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOwnedFolder, removeOwnedFolder } from '../host/owned-folder.ts';
import { PrerequisiteError } from '../model/errors.ts';
import type { SharedLimits } from '../model/shared-limits.ts';
import type { ModelFailure, Provider, Spent, Usage } from '../model/usage.ts';
import { createPool } from './attempt.ts';
import { Backoff, type Clock, systemClock } from './backoff.ts';
import type { MissingUpstream, Upstream } from './credentials.ts';
import { openDoor } from './door.ts';
import type { DoorTape } from './door-tape.ts';
import { type Budget, Ledger, type Price } from './ledger.ts';
import { createRedactor, secretsIn } from './redact.ts';
import { noUpstream } from './replay.ts';
import type { NormaliseOptions } from './tape/normalise.ts';
import { TapeRecorder } from './tape/recorder.ts';
import { DEFAULT_TIMINGS, type Timings } from './timings.ts';

/** Holds the keys, counts what the model took, and makes all trials of a run share one back-off. */
export interface Gateway extends AsyncDisposable {
  /** Opens the way to a model for one trial. Throws a PrerequisiteError when the provider has no upstream. */
  open(trialId: string, provider: Provider, settings?: DoorSettings): Promise<Door>;
  /** Totals of the run, doors already closed included. */
  readonly usage: Usage;
  /** null: no price function, or an answer it has no price for. */
  readonly costUsd: number | null;
  /** The same in short, for others who work on the run. */
  readonly spent: Spent;
  /** What all others spent on the run so far, for the budget; not in `usage`. Replaces what was told before. */
  othersSpent(spent: Spent): void;
  /** Requests that were sent without a word from the shared limits, because those could not be asked. */
  readonly unasked: number;
  /** The budget is used up: further requests are refused, running ones may finish. */
  readonly stopped: ModelFailure | null;
  /** Keeps the traffic of the doors it is given to, without the keys of all upstreams. */
  recorder(options?: NormaliseOptions): TapeRecorder;
}

/** What a door allows beyond asking a model as agents do; everything is off unless it is set. */
export interface DoorSettings {
  /** Requests may use what the provider's servers do in the network: web search, remote MCP servers… */
  readonly hostedTools?: boolean;
  readonly listModels?: boolean;
  /** OpenAI: chat completions. */
  readonly chat?: boolean;
  /** What to answer instead of an error that is no use to repeat, for clients that do not heed `x-should-retry`. */
  readonly finalStatus?: number | null;
  /** Where they differ from those of the gateway. Pauses are shared by all doors; how long one may wait is not. */
  readonly timings?: Partial<Omit<Timings, 'attempts' | 'firstPauseMs'>>;
  /** What is said is kept, or comes from a tape: then no upstream is needed and none is asked. */
  readonly tape?: DoorTape | null;
}

/**
 * One trial's way to its model: plain HTTP on a unix socket, with the paths of the provider's API below `/`.
 * Everything stays readable after disposal.
 */
export interface Door extends AsyncDisposable {
  readonly trialId: string;
  readonly provider: Provider;
  /** Path on the host. Only the user who runs aam can open it. */
  readonly socket: string;
  readonly usage: Usage;
  /** All tokens of each model that answered, by its id; those of answers that named no model are not here. */
  readonly tokensByModel: Readonly<Record<string, number>>;
  readonly costUsd: number | null;
  /** The last failure of the model, unless a request made after it was answered. */
  readonly failure: ModelFailure | null;
  /**
   * How the model failed a request that is under way, or whose client went away before there was an answer: held back
   * for the upstream to recover, or without a word from it for too long (see Timings). Forgotten like `failure`.
   */
  readonly unanswered: ModelFailure | null;
  /**
   * Failures that were given to the client, each unless the same was asked later, or more of it, and answered. Unlike
   * `failure` they are kept when others go on: a sub-agent that got no answer, say. Requests that were themselves wrong
   * are not here.
   */
  readonly unrecovered: readonly ModelFailure[];
  /** What requests wanted that would lead out of the sandbox through the model's server; a few words each. */
  readonly refused: readonly string[];
  /** The first request that the tape had no answer to, and how it differs. The trial is then undecided. */
  readonly tapeMiss: string | null;
  /** Requests the gateway sent again. */
  readonly retries: number;
  /** Time during which any request to the model was held back for the upstream to recover, the present included. */
  readonly waitedMs: number;
}

export interface GatewayOptions {
  readonly upstreams: Readonly<Partial<Record<Provider, Upstream | MissingUpstream>>>;
  /** What else must not be repeated, beside the keys of the upstreams. */
  readonly secrets?: readonly string[];
  readonly budget?: Budget;
  /** What the run took before, for the budget; not in `usage`. */
  readonly spent?: Spent;
  readonly price?: Price;
  readonly timings?: Partial<Timings>;
  /** What this gateway keeps together with those of other processes. */
  readonly shared?: SharedLimits;
  /** Where the private folder for sockets is made; default: the system's folder for temporary files. */
  readonly folder?: string;
  readonly clock?: Clock;
}

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { upstreams, clock = systemClock, folder: parent = tmpdir() } = options;
  const timings = { ...DEFAULT_TIMINGS, ...options.timings };
  const ledger = new Ledger(options.budget ?? {}, options.price, options.spent);
  const pool = createPool();
  const redact = createRedactor(Object.values(upstreams), options.secrets);
  const secrets = [...secretsIn(Object.values(upstreams)), ...(options.secrets ?? [])];
  const { shared = null } = options;
  const backoffFor = (provider: Provider) =>
    new Backoff(clock, timings, (ms, { status }) => shared?.pausedFor({ provider, ms, status }));
  const backoffs: Readonly<Record<Provider, Backoff>> = {
    anthropic: backoffFor('anthropic'),
    openai: backoffFor('openai'),
    google: backoffFor('google'),
  };
  const folder = await makeOwnedFolder(parent, 'g');
  const stopListening = shared?.onPause(({ provider, ms, status }) =>
    backoffs[provider].heldElsewhere(ms, { status }),
  );
  const doors = new Set<Door>();
  let opened = 0;
  let unasked = 0;

  return {
    async open(trialId, provider, settings = {}) {
      const {
        hostedTools = false,
        listModels = false,
        chat = false,
        finalStatus = null,
        tape = null,
      } = settings;
      const upstream = tape && 'play' in tape ? noUpstream(provider) : upstreams[provider];
      if (!upstream) throw new Error(`no upstream was given for ${provider}`);
      if (upstream.state === 'missing') throw new PrerequisiteError(upstream.problem, ...upstream.fix);
      opened += 1;
      const door = await openDoor({
        trialId,
        socket: socketPath(folder, opened),
        upstream,
        access: { listModels, chat },
        hostedTools,
        tape,
        finalStatus,
        redact,
        account: ledger.open(),
        ledger,
        backoff: backoffs[provider],
        shared,
        onUnasked: () => {
          unasked += 1;
        },
        pool,
        timings: { ...timings, ...settings.timings },
        onClose: (it) => doors.delete(it),
      });
      doors.add(door);
      return door;
    },
    recorder: (options = {}) => new TapeRecorder({ ...options, secrets }),
    get usage() {
      return ledger.usage;
    },
    get costUsd() {
      return ledger.costUsd;
    },
    get spent() {
      return ledger.spent;
    },
    othersSpent: (spent) => ledger.othersSpent(spent),
    get unasked() {
      return unasked;
    },
    get stopped() {
      return ledger.stopped;
    },
    async [Symbol.asyncDispose]() {
      stopListening?.();
      await Promise.all([...doors].map((door) => door[Symbol.asyncDispose]()));
      pool.destroy();
      await removeOwnedFolder(folder);
    },
  };
}

/** What fits into the kernel's `sun_path`, without the closing zero. */
const MAX_SOCKET_PATH = 107;

function socketPath(folder: string, number: number): string {
  const path = join(folder, `${number}.sock`);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path;
  throw new PrerequisiteError(`the path of a socket would be too long: ${path}`, 'export TMPDIR=/tmp');
}
