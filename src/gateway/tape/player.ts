/** Answers requests from a tape. Only a request with the same key is answered: there is no nearest match. */
import type { Tape, TapeExchange } from '../../model/tape.ts';
import type { Provider } from '../../model/usage.ts';
import type { SubAgentPrompt } from './difference.ts';
import { expandedParts } from './like.ts';
import { describeMiss } from './miss.ts';
import type { NormaliseOptions } from './normalise.ts';
import { renamed } from './rename.ts';
import { readRequest, type TapeRequest } from './request.ts';

export interface PlayerOptions extends NormaliseOptions {
  /** Of the CLI that runs now; null: not known. */
  readonly engineVersion?: string | null;
  readonly secrets?: readonly string[];
  /** What makes the tape anew. */
  readonly recordCommand?: string;
  readonly subAgents?: readonly SubAgentPrompt[];
}

interface PlayedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why the tape has no answer, for people. */
export interface TapeMiss {
  readonly message: string;
}

export type Played = { readonly answer: PlayedAnswer } | { readonly miss: TapeMiss };

export class TapePlayer {
  readonly #tape: Tape;
  readonly #options: PlayerOptions;
  readonly #recorded = new Map<string, Recorded>();
  readonly #misses: TapeMiss[] = [];

  constructor(tape: Tape, options: PlayerOptions = {}) {
    this.#tape = tape;
    this.#options = options;
    for (const exchange of tape.exchanges) {
      const groups = this.#recorded.get(exchange.key) ?? { groups: new Map(), taken: new Map() };
      this.#recorded.set(exchange.key, groups);
      groups.groups.set(exchange.variant, [...(groups.groups.get(exchange.variant) ?? []), exchange]);
    }
  }

  /** Misses so far: a trial that had one is undecided, whatever the agent made of it. */
  get misses(): readonly TapeMiss[] {
    return this.#misses;
  }

  /** What the tape lacks before there is even a request. */
  miss(why: string): void {
    const lines = [`the tape ${this.#tape.file} cannot go on: ${why}`];
    const { recordCommand } = this.#options;
    if (recordCommand !== undefined) lines.push(`record it again:  ${recordCommand}`);
    this.#misses.push({ message: lines.join('\n') });
  }

  play(provider: Provider, path: string, body: Uint8Array): Played {
    const request = readRequest(provider, path, body, this.#options);
    const exchange = this.#find(request);
    const gitDiffers = exchange !== null && tellsOther(exchange.git_status, request.gitStatus);
    if (exchange && !gitDiffers) return { answer: answerOf(exchange, request) };
    const times = this.#recorded.get(request.key)?.groups.size ?? 0;
    const parts = expandedParts(this.#tape.exchanges);
    const miss = { message: describeMiss(request, this.#tape, parts, { times, gitDiffers }, this.#options) };
    this.#misses.push(miss);
    return { miss };
  }

  /**
   * Equal requests that came from different places (two votes of a judge) have different variants, and each gets an
   * answer of its own. The same variant again is the same client asking again: it gets the same answer again.
   */
  #find({ key, variant }: TapeRequest): TapeExchange | null {
    const recorded = this.#recorded.get(key);
    if (!recorded) return null;
    const { groups, taken } = recorded;
    const place = taken.get(variant) ?? { group: taken.size, asked: 0 };
    const answers = [...groups.values()][place.group];
    if (!answers) return null;
    taken.set(variant, { group: place.group, asked: place.asked + 1 });
    return answers[Math.min(place.asked, answers.length - 1)] ?? null;
  }
}

interface Recorded {
  /** By the variant they were recorded with, in the order of the tape. */
  readonly groups: Map<string, TapeExchange[]>;
  /** By the variant of this run. */
  readonly taken: Map<string, { readonly group: number; readonly asked: number }>;
}

/** A machine without git has nothing to tell. */
function tellsOther(then: string | null, now: string | null): boolean {
  return then !== null && now !== null && then !== now;
}

function answerOf({ status, headers, body, names }: TapeExchange, request: TapeRequest): PlayedAnswer {
  const bytes = 'text' in body ? Buffer.from(body.text, 'utf8') : Buffer.from(body.base64, 'base64');
  const pairs = Object.entries(names).flatMap(([name, then]): [string, string][] => {
    const now = request.names[name];
    return now === undefined || now === then ? [] : [[then, now]];
  });
  return { status, headers, body: pairs.length === 0 ? bytes : renamed(bytes, pairs) };
}
