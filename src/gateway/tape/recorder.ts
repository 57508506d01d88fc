/** Keeps the traffic of one trial while it runs. Nothing reaches the disk before it was looked through for secrets. */
import type { TapeHeader } from '../../model/tape.ts';
import type { Provider } from '../../model/usage.ts';
import type { NormaliseOptions } from './normalise.ts';
import { readRequest, type TapeRequest } from './request.ts';
import { findSecrets } from './scrub.ts';
import { spokenText } from './spoken.ts';
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
      this.#problem ??= problemOf(answer, this.#options.secrets);
      entry.answer = answer;
    };
  }

  /** Requests that got no answer that can be kept, and were not asked again: a replay has none for them either. */
  get gaps(): number {
    const answered = new Set(this.#exchanges.map(({ request }) => request.key));
    return this.#begun.filter(({ request }) => !answered.has(request.key)).length;
  }

  /** The tape as a file holds it, or why there can be none: an answer without its secret would not be the model's. */
  finish(
    about: Omit<TapeHeader, 'tape' | 'models'>,
  ): { readonly text: string } | { readonly problem: string } {
    const exchanges = this.#exchanges;
    if (this.#problem !== null) return { problem: this.#problem };
    if (exchanges.length === 0) return { problem: 'the model has answered nothing' };
    const text = tapeText(about, exchanges, this.#options.secrets);
    const [left] = findSecrets(text, this.#options.secrets);
    return left ? { problem: `the tape would hold what looks like a secret (${left.kind})` } : { text };
  }

  get #exchanges(): RecordedExchange[] {
    return this.#begun.flatMap(({ request, answer }) => (answer ? [{ request, answer }] : []));
  }
}

function problemOf({ headers, body }: RecordedAnswer, secrets: readonly string[] = []): string | null {
  const encoding = String(headers['content-encoding'] ?? 'identity');
  if (encoding !== 'identity') {
    return `an answer is compressed (${encoding}), so nobody can tell whether it holds a secret`;
  }
  const [secret] = findSecrets(spokenText(body.toString('utf8')), secrets);
  return secret ? `an answer of the model holds what looks like a secret (${secret.kind})` : null;
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
