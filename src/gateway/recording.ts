/** Keeps an answer on its way to the client, for a tape. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Upstream } from './credentials.ts';
import type { DoorTape } from './door-tape.ts';
import type { AnswerEntry } from './ledger.ts';
import type { Meter } from './meter.ts';
import type { Route } from './routes.ts';

export interface Recording {
  /** A meter that keeps the bytes it sees. */
  meter(inner: Meter): Meter;
  /** To be called when the client has got all of the answer; `body` where it is not what the meter saw. */
  keep(answer: KeptAnswer): void;
}

interface KeptAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body?: Buffer;
  /** null: the answer was not the model's. */
  readonly entry: AnswerEntry | null;
}

interface Asked {
  readonly upstream: Pick<Upstream, 'provider'>;
  readonly route: Route;
  readonly body: Buffer | null;
  readonly tape: DoorTape | null;
}

/** To be called when the request goes out. */
export function beginRecording({ tape, upstream, route, body }: Asked): Recording {
  if (tape === null || !('record' in tape)) return NO_RECORDING;
  const begun = performance.now();
  const end = tape.record.begin(upstream.provider, route.path, body ?? Buffer.alloc(0));
  const chunks: Buffer[] = [];
  return {
    meter: (inner) => ({
      add(chunk) {
        chunks.push(chunk);
        inner.add(chunk);
      },
      end: () => inner.end(),
    }),
    keep({ status, headers, body: sent, entry }) {
      end({
        status,
        headers,
        body: sent ?? Buffer.concat(chunks),
        usage: entry && usageOf(entry),
        durationMs: performance.now() - begun,
      });
    },
  };
}

const NO_RECORDING: Recording = { meter: (inner) => inner, keep: () => {} };

function usageOf({ observed }: AnswerEntry) {
  return {
    model: observed.model,
    input_tokens: observed.inputTokens,
    output_tokens: observed.outputTokens,
    cache_read_tokens: observed.cacheReadTokens,
    cache_write_tokens: observed.cacheWriteTokens,
  };
}
