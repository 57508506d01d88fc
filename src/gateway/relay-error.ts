/** Passes on an answer with an error status, without the keys that some servers repeat in it. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { jsonOrNull } from '../model/json-or-null.ts';
import type { Provider } from '../model/usage.ts';
import { decoded, encodingOf } from './decode.ts';
import { answerHeaders } from './headers.ts';
import { errorIn, type WireError } from './observe.ts';
import type { Redact } from './redact.ts';
import { errorBody, type Refusal, refuse } from './routes.ts';

export interface RelayErrorOptions {
  readonly provider: Provider;
  readonly redact: Redact;
  /** For the whole body. */
  readonly timeoutMs: number;
  /** To ask again is useless. */
  readonly isFinal: boolean;
  /** Told instead of the upstream's own status; null: that one. */
  readonly finalStatus: number | null;
}

const MAX_BYTES = 1024 * 1024;

export interface RelayedError {
  /** What the upstream said is wrong; null when that cannot be read. */
  readonly error: WireError | null;
  /** As the client got it. */
  readonly body: Buffer;
}

/** Never rejects. */
export async function relayError(
  answer: IncomingMessage,
  client: ServerResponse,
  { provider, redact, timeoutMs, isFinal, finalStatus }: RelayErrorOptions,
): Promise<RelayedError> {
  const status = answer.statusCode ?? 502;
  const text = await readText(answer, timeoutMs);
  const error = text === null ? null : errorIn(jsonOrNull(Buffer.from(text, 'latin1').toString()));
  const isOwn = text === null;
  const body = isOwn
    ? Buffer.from(errorBody(provider, status, `the model server answered ${status}, and no readable reason`))
    : Buffer.from(redact(text), 'latin1');
  if (finalStatus !== null) {
    const said = error && { ...error, message: redact(error.message) };
    refuse(client, provider, finalRefusal(finalStatus, status, said));
    return { error, body };
  }
  client.writeHead(status, redact(answer.statusMessage ?? ''), [
    ...answerHeaders(answer, redact, { isFinal, without: isOwn ? BODY_HEADERS : LENGTH_HEADERS }),
    ...(isOwn ? ['content-type', 'application/json'] : []),
    ...['content-length', String(body.length)],
  ]);
  client.end(body);
  return { error, body };
}

/** With the status that the client heeds, and the true one in words. */
export function finalRefusal(finalStatus: number, status: number, error: WireError | null): Refusal {
  const reason = error ? `: ${error.message}` : ', and no readable reason';
  return { status: finalStatus, message: `the model server answered ${status}${reason}` };
}

const LENGTH_HEADERS = ['content-encoding', 'content-length', 'content-md5', 'digest', 'etag'];
const BODY_HEADERS = [...LENGTH_HEADERS, 'content-type', 'content-language', 'content-range'];

/** One character for each byte, so that no byte is lost. null: too long, too slow, broken off, or no text. */
async function readText(answer: IncomingMessage, timeoutMs: number): Promise<string | null> {
  const timer = setTimeout(() => answer.destroy(), timeoutMs);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
  if (!answer.complete) return null;
  const bytes = decoded(Buffer.concat(chunks), encodingOf(answer), MAX_BYTES);
  // Wide characters would hide a key.
  return typeof bytes === 'string' || bytes.includes(0) ? null : bytes.toString('latin1');
}
