/** Reads an answer on its way to the client. Sees every byte, changes none, never throws. */
import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, inflateSync, unzipSync } from 'node:zlib';
import type { Provider } from '../model/usage.ts';
import { errorIn, OBSERVERS, type Observation, type WireError } from './observe.ts';
import { SseReader } from './sse.ts';

/** What became of an answer that came to its end. `unknown`: it could not be read, which proves nothing. */
type Reading =
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
  answer: IncomingMessage,
  provider: Provider,
  onObservation: (observation: Observation) => void,
): Meter {
  const contentType = (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const isStream = contentType === 'text/event-stream';
  const read = (text: string): Observation => {
    const value = parse(text);
    const observation = value === undefined ? {} : OBSERVERS[provider](value);
    onObservation(observation);
    return observation;
  };
  if (isStream && encoding === 'identity') return streamMeter(read);
  return wholeMeter((kept) => {
    const bytes = decoded(kept, encoding);
    if (bytes === null) return { state: 'unknown' };
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

/** Reads the beginning of an answer with an error status, for its message. */
export function createErrorMeter(onError: (error: WireError) => void): Meter {
  return wholeMeter((kept) => {
    const error = errorIn(parse(kept.toString()));
    if (error) onError(error);
    return { state: 'unknown' };
  }, 64 * 1024);
}

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

function wholeMeter(finish: (kept: Buffer) => Reading, maxBytes = MAX_KEPT_BYTES): Meter {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    },
    end: () => (size <= maxBytes ? finish(Buffer.concat(chunks)) : { state: 'unknown' }),
  };
}

/** The gateway asks for plain bytes, but not every server listens. */
function decoded(bytes: Buffer, encoding: string): Buffer | null {
  const limit = { maxOutputLength: MAX_KEPT_BYTES };
  try {
    if (encoding === 'identity') return bytes;
    if (encoding === 'gzip') return unzipSync(bytes, limit);
    if (encoding === 'deflate') return inflateSync(bytes, limit);
    return encoding === 'br' ? brotliDecompressSync(bytes, limit) : null;
  } catch {
    return null;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
