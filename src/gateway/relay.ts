/** Passes an answer on to the client byte for byte, no faster than the client reads. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodingOf } from './decode.ts';
import type { Flight } from './flight.ts';
import { answerHeaders } from './headers.ts';
import { contentTypeOf, type Meter } from './meter.ts';
import { createProgressReader, EVERY_BYTE } from './progress.ts';
import type { Redact } from './redact.ts';

export interface RelayOptions {
  readonly meter: Meter;
  readonly flight: Flight;
  readonly redact: Redact;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** `stalled` and `cut-off`: the client's connection was destroyed, so that it cannot take the part for the whole. */
export async function relay(
  answer: IncomingMessage,
  client: ServerResponse,
  { meter, flight, redact, signal }: RelayOptions,
): Promise<'whole' | 'stalled' | 'cut-off' | 'client-gone'> {
  client.writeHead(
    answer.statusCode ?? 502,
    redact(answer.statusMessage ?? ''),
    answerHeaders(answer, redact),
  );
  client.flushHeaders();
  const isEvents = contentTypeOf(answer) === 'text/event-stream' && encodingOf(answer) === 'identity';
  const progress = isEvents ? createProgressReader() : EVERY_BYTE;
  let isIdle = false;
  const giveUp = () => {
    isIdle = true;
    answer.destroy();
  };
  flight.pulse();
  let timer = setTimeout(giveUp, flight.patienceMs);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      meter.add(chunk);
      flight.pulse();
      if (progress.add(chunk)) flight.heard();
      if (!client.write(chunk)) {
        flight.clientBusy();
        await once(client, 'drain', { signal });
        flight.clientReady();
      }
      timer = setTimeout(giveUp, Math.max(0, flight.patienceMs));
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
