/** The way to Redis or Valkey. */
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { PrerequisiteError, UserError } from '../model/errors.ts';

export type { Redis } from 'ioredis';

/** Longer than a restart of the server takes is not waited between two tries. */
const MAX_PAUSE_MS = 1000;
const CONNECT_MS = 10_000;
const DISCONNECT_MS = 100;
/** Long enough for a piece of a blob on a slow line: answers come after it. */
const SILENT_MS = 60_000;

export interface Patience {
  readonly connectMs: number;
  /** A server that answers nothing for so long is taken for away. */
  readonly silentMs: number;
}

const PATIENCE: Patience = { connectMs: CONNECT_MS, silentMs: SILENT_MS };

/** Throws when the server cannot be reached. Later it is tried again for as long as it takes. */
export async function connect(url: string, patience: Patience = PATIENCE): Promise<Redis> {
  const redis = newConnection(url);
  const failure: { error: Error | null } = { error: null };
  redis.on('error', (error: Error) => {
    failure.error = error;
  });
  try {
    await answered(redis.connect(), patience.connectMs);
    await answered(redis.ping(), patience.connectMs);
    await requireDatabase(redis, url);
    leaveWhenSilent(redis, patience.silentMs);
    return redis;
  } catch (error) {
    redis.disconnect();
    if (error instanceof PrerequisiteError) throw error;
    throw new PrerequisiteError(
      `the queue ${safeUrl(url)} cannot be reached: ${wordsOf(failure.error ?? error)}`,
      'is Redis or Valkey running there, and are user and password right?  redis://user:password@host:6379',
    );
  }
}

/** A server that has no such database would go on with its first one. */
async function requireDatabase(redis: Redis, url: string): Promise<void> {
  const { db = 0 } = redis.options;
  if (db === 0) return;
  await redis.select(db).catch((error: unknown) => {
    throw new PrerequisiteError(
      `the queue ${safeUrl(url)} does not give database ${db}: ${wordsOf(error)}`,
      'servers have the databases 0 to 15, unless `databases` in their configuration says otherwise:  redis://host:6379/3',
    );
  });
}

/** One more to the same server, for what blocks. A server that is away by now is tried again. */
export async function anotherConnection(redis: Redis): Promise<Redis> {
  const other = redis.duplicate({ lazyConnect: true });
  other.on('error', () => {});
  await answered(other.connect(), CONNECT_MS).catch(() => {});
  leaveWhenSilent(other, SILENT_MS);
  return other;
}

/** A server that hangs, or whose machine is gone, closes no connection: what is asked of it would be waited for without end. */
function leaveWhenSilent(redis: Redis, ms: number): void {
  let isAnswered = true;
  const hear = () => {
    isAnswered = true;
  };
  const timer = setInterval(() => {
    if (redis.status === 'end') clearInterval(timer);
    else if (isAnswered) {
      isAnswered = false;
      redis.ping().then(hear, hear);
    } else if (['connect', 'ready'].includes(redis.status)) redis.disconnect(true);
  }, ms);
  timer.unref();
}

async function answered<Answer>(work: Promise<Answer>, ms: number): Promise<Answer> {
  const over = new AbortController();
  const tooLong = delay(ms, null, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${ms / 1000} s`);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    over.abort();
  }
}

/** By the clock of the server, in ms: those of planners and workers may differ. */
export async function serverTime(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

const LEAVE_MS = 5000;

/** Settles in any case: what is asked of a server that is away may never be answered, nor refused. */
export async function takeLeave(work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  const tooLong = delay(LEAVE_MS, null, { signal: over.signal });
  await Promise.race([work, tooLong]).catch(() => {});
  tooLong.catch(() => {});
  over.abort();
}

/** The server answered that it will not, as while it loads its data: asked again, it may. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

/** What the server refused, in its words and with what to do; anything else as it is. */
export function told(error: unknown, url: string): unknown {
  if (!isRefusal(error)) return error;
  const words = wordsOf(error);
  const [, hint] = REFUSALS.find(([beginning]) => words.startsWith(beginning)) ?? [];
  return new PrerequisiteError(`the queue ${safeUrl(url)} refused: ${words}`, ...(hint ? [hint] : []));
}

const REFUSALS: readonly (readonly [beginning: string, hint: string])[] = [
  ['OOM', 'its memory is full: give it more (maxmemory), or wait until the runs that fill it are over'],
  ['NOPERM', 'give its user these rights:  ~aam:* &aam:* +@all -@dangerous +info'],
  ['READONLY', 'it is a replica: name the server that it follows'],
  ['MISCONF', 'it cannot write to its disk: its log says why'],
];

function newConnection(url: string): Redis {
  return new Redis(checkedUrl(url), {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    // So long the process stays when all is over, whether or not the connection is closed by then.
    disconnectTimeout: DISCONNECT_MS,
    // BullMQ wants it so, and nothing of a run may be lost to a restart of the server.
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(100 * times, MAX_PAUSE_MS),
    connectionName: 'aam',
  });
}

function checkedUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isAddress = parsed && ['redis:', 'rediss:'].includes(parsed.protocol) && parsed.hostname !== '';
  if (isAddress && /^\/?$|^\/\d+$/.test(parsed.pathname)) return url;
  if (isAddress)
    throw new UserError(
      `--queue ${safeUrl(url)} names no database: what follows the port is its number`,
      'for example:  --queue redis://localhost:6379/3, or without a number for the first one',
    );
  throw new UserError(
    `--queue ${safeUrl(url)} is no address of a queue`,
    'for example:  --queue redis://localhost:6379, or with TLS:  --queue rediss://user:password@host:6380',
  );
}

/** Without the password, also of what is no address: all up to the last @ may belong to it. */
export function safeUrl(url: string): string {
  return url
    .replace(/\?.*$/s, '?***')
    .replace(/^([a-z]+:\/\/)?([^:@/]*).*@/is, (whole, scheme = '', user) => {
      const hasPassword = whole.length > `${scheme}${user}@`.length;
      return `${scheme}${user}${hasPassword ? ':***' : ''}@`;
    });
}

/** What went wrong; of a refusal, what the server said first, without the place in a script. */
export function wordsOf(error: unknown): string {
  const { code, message, previousErrors } = error as NodeJS.ErrnoException & { previousErrors?: Error[] };
  const said = (previousErrors?.[0]?.message ?? message).replace(/ script: .*$/s, '');
  return said || (code ?? 'no answer');
}
