/** Keeps the traffic of one trial while it runs. Nothing reaches the disk before it was looked through for secrets. */
import type { TapeHeader } from '../../model/tape.ts';
import type { Provider } from '../../model/usage.ts';
import type { NormaliseOptions } from './normalise.ts';
import { readRequest, type TapeRequest } from './request.ts';
import { findSecrets } from './scrub.ts';
import { type RecordedAnswer, type RecordedExchange, tapeText } from './write.ts';

export interface RecorderOptions extends NormaliseOptions {
  /** Actual keys of this run: they are taken out wherever they stand. */
  readonly secrets?: readonly string[];
}

export class TapeRecorder {
  readonly #options: RecorderOptions;
  readonly #begun: Begun[] = [];
  #problem: string | null = null;

  constructor(options: RecorderOptions = {}) {
    this.#options = options;
  }

  /** To be called when a request comes; the returned function, when its answer has come whole. */
  begin(provider: Provider, path: string, body: Uint8Array): (answer: RecordedAnswer) => void {
    const request = readRequest(provider, path, body, this.#options);
    const entry: Begun = { request, answer: null };
    this.#begun.push(entry);
    return (answer) => {
      if (!isAboutTheRequest(answer.status)) return;
      const [secret] = findSecrets(answer.body.toString('utf8'), this.#options.secrets);
      if (secret) this.#problem ??= `an answer of the model holds what looks like a secret (${secret.kind})`;
      entry.answer = answer;
    };
  }

  /** Why there can be no tape; an answer without its secret would not be the model's. */
  get problem(): string | null {
    if (this.#problem !== null) return this.#problem;
    return this.#exchanges.length === 0 ? 'the model was not asked anything' : null;
  }

  /** The tape as a file holds it. Throws when there is a problem. */
  text(about: Omit<TapeHeader, 'tape' | 'models'>): string {
    if (this.problem !== null) throw new Error(this.problem);
    return tapeText(about, this.#exchanges, this.#options.secrets);
  }

  get #exchanges(): RecordedExchange[] {
    return this.#begun.flatMap(({ request, answer }) => (answer ? [{ request, answer }] : []));
  }
}

interface Begun {
  readonly request: TapeRequest;
  answer: RecordedAnswer | null;
}

/** A refused key or an overloaded server says nothing that is worth repeating. */
function isAboutTheRequest(status: number): boolean {
  return status < 500 && !PASSING.has(status);
}

const PASSING = new Set([401, 402, 403, 407, 408, 409, 425, 429]);
