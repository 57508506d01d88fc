/** Passes an answer on to the client byte for byte, no faster than the client reads. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerHeaders } from './headers.ts';
import type { Meter } from './meter.ts';

export interface RelayOptions {
  readonly meter: Meter;
  readonly idleMs: number;
  readonly isFinalFailure: boolean;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** `stalled` and `cut-off`: the client's connection was destroyed, so that it cannot take the part for the whole. */
export async function relay(
  answer: IncomingMessage,
  client: ServerResponse,
  { meter, idleMs, isFinalFailure, signal }: RelayOptions,
): Promise<'whole' | 'stalled' | 'cut-off' | 'client-gone'> {
  client.writeHead(
    answer.statusCode ?? 502,
    answer.statusMessage ?? '',
    answerHeaders(answer, isFinalFailure),
  );
  client.flushHeaders();
  let isIdle = false;
  const giveUp = () => {
    isIdle = true;
    answer.destroy();
  };
  let timer = setTimeout(giveUp, idleMs);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      // While the client does not read, silence is not the upstream's fault.
      clearTimeout(timer);
      meter.add(chunk);
      if (!client.write(chunk)) await once(client, 'drain', { signal });
      timer = setTimeout(giveUp, idleMs);
    }
  } catch {
    // Told apart below.
  } finally {
    clearTimeout(timer);
  }
  if (signal.aborted) return 'client-gone';
  if (answer.complete && !isIdle) {
    client.end();
    return 'whole';
  }
  client.destroy();
  return isIdle ? 'stalled' : 'cut-off';
}
