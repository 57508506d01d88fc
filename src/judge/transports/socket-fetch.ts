/** `fetch` through the door of the gateway: the host's network is not touched. */
import { request as httpRequest, type IncomingMessage } from 'node:http';

/** Where a URL of the door seems to be. Any host will do: only the path gets anywhere. */
export const DOOR_URL = 'http://gateway';

/** More than this is not an answer. */
const MAX_BYTES = 16 * 1024 * 1024;

export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** `onText` is told what came, before anybody reads it. */
export function socketFetch(socketPath: string, onText: (text: string) => void = () => {}): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = Buffer.from(await request.arrayBuffer());
    const { pathname, search } = new URL(request.url);
    const headers = { ...Object.fromEntries(request.headers), 'content-length': body.length };
    const { method, signal } = request;
    const answer = await new Promise<IncomingMessage>((settle, fail) => {
      const options = { socketPath, path: pathname + search, method, headers, signal, agent: false };
      httpRequest(options, settle).on('error', fail).end(body);
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new AnswerTooLarge(`the answer is longer than ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
    onText(Buffer.concat(chunks).toString());
    const kept = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const status = answer.statusCode ?? 0;
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: kept });
  };
}
