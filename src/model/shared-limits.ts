/** The contract of the limits that the gateways of all workers keep together. */
import type { Provider } from './usage.ts';

export interface SharedLimits {
  /** null: the request may be sent now, and has been counted. Rejects when there is no telling. */
  admit(request: Admission): Promise<Hold | null>;
  /** An upstream asked for a pause, which others are to keep too. Must not throw. */
  pausedFor(pause: Pause): void;
  /** Tells of the pauses that others were asked for, also of those that began earlier. Returns the way to end that. */
  onPause(listener: (pause: Pause) => void): () => void;
}

export interface Admission {
  readonly provider: Provider;
  /** As it stands in the request; null: it names none. */
  readonly model: string | null;
  /** Of this one request: whoever asks again with the same one keeps its place among those that wait. */
  readonly ticket: string;
  /** One that would have to wait longer gives its place away. */
  readonly atMostMs: number;
}

export interface Hold {
  /** When to ask again. */
  readonly ms: number;
  /** The limit that is used up, as people write it: `anthropic=60/min`. */
  readonly limit: string;
}

export interface Pause {
  readonly provider: Provider;
  readonly ms: number;
  /** What the upstream answered. */
  readonly status: number;
}
