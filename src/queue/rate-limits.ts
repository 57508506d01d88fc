/** Limits and pauses that all workers keep together, in Redis. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Admission, Hold, Pause, SharedLimits } from '../model/shared-limits.ts';
import type { Provider } from '../model/usage.ts';
import { LIMITS_KEY } from './limit-list.ts';
import { isProvider, PROVIDERS } from './limit-rule.ts';
import { ADMIT, PAUSE } from './limit-script.ts';
import { firstChance, openSideConnection } from './side-connection.ts';

/** `redis` says where the server is; connections of its own are made. `prefix`: of all keys and channels. */
export async function openRateLimits(redis: Redis, prefix: string): Promise<RedisRateLimits> {
  const limits = new RedisRateLimits(openSideConnection(redis), openSideConnection(redis), prefix);
  await limits.begun;
  return limits;
}

/** While Redis is out of reach `admit` rejects and pauses stay where they were asked for. */
export class RedisRateLimits implements SharedLimits, AsyncDisposable {
  /** Settles when the limits can be asked and pauses are heard, or cannot be for now. */
  readonly begun: Promise<void>;
  readonly #commands: Redis;
  readonly #subscriber: Redis;
  readonly #prefix: string;
  readonly #id = randomUUID();
  readonly #listeners = new Set<(pause: Pause) => void>();
  #listening: Promise<void> = Promise.resolve();
  /** Pauses that were there before somebody listened. */
  #catchingUp: Promise<void> = Promise.resolve();

  constructor(commands: Redis, subscriber: Redis, prefix: string) {
    this.#commands = commands;
    this.#subscriber = subscriber;
    this.#prefix = prefix;
    subscriber.on('message', (_, message) => this.#hear(message));
    subscriber.on('ready', () => {
      this.#listening = this.#listen();
    });
    this.begun = Promise.all([commands, subscriber].map(firstChance)).then(() => this.#listening);
  }

  async admit({ provider, model, ticket, atMostMs }: Admission): Promise<Hold | null> {
    await this.#catchingUp;
    const key = this.#prefix + LIMITS_KEY;
    const most = Math.floor(atMostMs);
    const answer = await this.#commands.eval(
      ADMIT,
      1,
      key,
      this.#prefix,
      provider,
      model ?? '',
      ticket,
      most,
    );
    const [ms, limit = ''] = answer as [number, string] | [];
    return ms === undefined ? null : { ms, limit };
  }

  pausedFor(pause: Pause): void {
    this.#tell(pause, this.#listeners);
    const ms = Math.max(1, Math.ceil(pause.ms));
    const message = JSON.stringify({ ...pause, ms, from: this.#id });
    // Out of reach: then others find out for themselves.
    this.#commands
      .eval(PAUSE, 1, this.#keyOf(pause.provider), ms, pause.status, this.#channel, message)
      .catch(() => {});
  }

  onPause(listener: (pause: Pause) => void): () => void {
    this.#listeners.add(listener);
    this.#catchUp([listener]);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    this.#commands.disconnect();
    this.#subscriber.disconnect();
  }

  get #channel(): string {
    return `${this.#prefix}pauses`;
  }

  #keyOf(provider: Provider): string {
    return `${this.#prefix}pause:${provider}`;
  }

  /** After every connection: what was said while there was none is read from the keys. */
  async #listen(): Promise<void> {
    try {
      await this.#subscriber.subscribe(this.#channel);
    } catch {
      return;
    }
    this.#catchUp(this.#listeners);
  }

  #hear(message: string): void {
    const said = pauseIn(message);
    if (said && said.from !== this.#id) this.#tell(said.pause, this.#listeners);
  }

  #tell(pause: Pause, listeners: Iterable<(pause: Pause) => void>): void {
    for (const listener of listeners) listener(pause);
  }

  #catchUp(listeners: Iterable<(pause: Pause) => void>): void {
    const earlier = this.#catchingUp;
    this.#catchingUp = Promise.all([earlier, this.#current()]).then(([, pauses]) => {
      for (const pause of pauses) this.#tell(pause, listeners);
    });
  }

  async #current(): Promise<readonly Pause[]> {
    try {
      const found = PROVIDERS.map(async (provider) => {
        const key = this.#keyOf(provider);
        const [status, ms] = await Promise.all([this.#commands.get(key), this.#commands.pttl(key)]);
        return { provider, ms, status: Number(status) };
      });
      return (await Promise.all(found)).filter(({ ms }) => ms > 0);
    } catch {
      return [];
    }
  }
}

/** Anybody could write to the channel; null: what came is no pause. */
function pauseIn(message: string): { readonly pause: Pause; readonly from: unknown } | null {
  try {
    const { provider, ms, status, from } = JSON.parse(message);
    if (!isProvider(provider) || !(ms > 0) || !Number.isInteger(status)) return null;
    return { pause: { provider, ms: Number(ms), status }, from };
  } catch {
    return null;
  }
}
