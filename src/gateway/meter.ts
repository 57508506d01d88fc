/** Reads an answer on its way to the client. Sees every byte, changes none, never throws. */
import type { IncomingMessage } from 'node:http';
import type { Provider } from '../model/usage.ts';
import { decoded, encodingOf } from './decode.ts';
import { OBSERVERS, type Observation, type WireError } from './observe.ts';
import { SseReader } from './sse.ts';

/** What became of an answer that came to its end. `unknown`: it could not be read, which proves nothing. */
export type Reading =
  | { readonly state: 'answered' | 'unfinished' | 'unknown' }
  | { readonly state: 'failed'; readonly error: WireError }
  /** Something else than an answer of a model, such as a web page. */
  | { readonly state: 'foreign'; readonly contentType: string };

export interface Meter {
  add(chunk: Buffer): void;
  /** To be called when all bytes were added. */
  end(): Reading;
}

/** Of an answer that can only be read as a whole. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

export function createMeter(
  answer: Answer,
  provider: Provider,
  onObservation: (observation: Observation) => void,
): Meter {
  const contentType = contentTypeOf(answer);
  const encoding = encodingOf(answer);
  const isStream = contentType === 'text/event-stream';
  const read = (text: string): Observation => {
    const value = parse(text);
    const observation = value === undefined ? {} : OBSERVERS[provider](value);
    onObservation(observation);
    return observation;
  };
  if (isStream && encoding === 'identity') return streamMeter(read);
  return wholeMeter((kept) => {
    const bytes = decoded(kept, encoding, MAX_KEPT_BYTES);
    if (typeof bytes === 'string') return { state: bytes === 'broken' ? 'unfinished' : 'unknown' };
    if (isStream) {
      const meter = streamMeter(read);
      meter.add(bytes);
      return meter.end();
    }
    const { error, ended, model } = read(bytes.toString());
    if (error) return { state: 'failed', error };
    return ended || model ? { state: 'answered' } : { state: 'foreign', contentType };
  });
}

/** Of a server, or of a tape. */
type Answer = Pick<IncomingMessage, 'headers'>;

export function contentTypeOf(answer: Answer): string {
  return (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** For answers that are not the model's. */
export const NO_METER: Meter = { add: () => {}, end: () => ({ state: 'unknown' }) };

function streamMeter(read: (text: string) => Observation): Meter {
  const reader = new SseReader();
  let ended = false;
  let error: WireError | undefined;
  const take = (events: readonly string[]) => {
    for (const data of events) {
      if (data === '[DONE]') continue;
      const observation = read(data);
      ended ||= observation.ended === true;
      error ??= observation.error;
    }
  };
  return {
    add: (chunk) => take(reader.push(chunk)),
    end() {
      take(reader.end());
      if (error) return { state: 'failed', error };
      return { state: ended ? 'answered' : 'unfinished' };
    },
  };
}

function wholeMeter(finish: (kept: Buffer) => Reading): Meter {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size <= MAX_KEPT_BYTES) chunks.push(chunk);
      else chunks.length = 0;
    },
    end: () => (size <= MAX_KEPT_BYTES ? finish(Buffer.concat(chunks)) : { state: 'unknown' }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
