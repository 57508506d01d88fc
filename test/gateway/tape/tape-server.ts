/** Servers in the place of a model: one records what another answers, one plays a tape. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TapePlayer } from '../../../src/gateway/tape/player.ts';
import type { TapeRecorder } from '../../../src/gateway/tape/recorder.ts';
import type { Provider } from '../../../src/model/usage.ts';

export function recordingServer(upstream: string, recorder: TapeRecorder) {
  return serve(async (path, body, response) => {
    const end = recorder.begin(providerOf(path), path, body);
    const answer = await fetch(upstream + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(30_000),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const headers = Object.fromEntries(answer.headers);
    end({ status: answer.status, headers, body: bytes, usage: null, durationMs: 1 });
    response.writeHead(answer.status, { 'content-type': headers['content-type'] ?? '' }).end(bytes);
  });
}

export function playingServer(player: TapePlayer) {
  return serve(async (path, body, response) => {
    const played = player.play(providerOf(path), path, body);
    if ('answer' in played) {
      const { status, headers, body: bytes } = played.answer;
      response.writeHead(status, headers).end(bytes);
      return;
    }
    const error = { type: 'invalid_request_error', message: 'the tape has no answer' };
    response.writeHead(400, { 'content-type': 'application/json', 'x-should-retry': 'false' });
    response.end(JSON.stringify({ type: 'error', error }));
  });
}

async function serve(answer: (path: string, body: Buffer, response: ServerResponse) => Promise<void>) {
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await answer(request.url ?? '', Buffer.concat(chunks), response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function providerOf(path: string): Provider {
  return path.includes('/messages') ? 'anthropic' : 'openai';
}
