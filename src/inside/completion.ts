/**
 * Asks a model one thing, without tools, and prints what came of it as events, one to a line: `node completion.js`.
 * What to ask comes as JSON on standard input. The gateway at the socket has the key.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { type Answer, type Message, PROVIDERS, type ProviderName, record } from './completion-providers.js';

interface Order {
  readonly socket: string;
  readonly provider: ProviderName;
  readonly model: string;
  readonly instructions: string | null;
  readonly prompt: string;
  /** Where the messages of earlier turns are, and this one is added; null: there is only this one. */
  readonly conversation: string | null;
}

const FAILED = 1;

const order = JSON.parse(readFileSync(0, 'utf8')) as Order;
const earlier = messagesSoFar(order.conversation);
const asked: Message[] = [...earlier, { role: 'user', text: order.prompt }];
ask(asked).then(told, (error: Error) => failed(null, error.message));

function messagesSoFar(file: string | null): Message[] {
  return file !== null && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Message[]) : [];
}

interface Reply {
  readonly status: number;
  readonly isStream: boolean;
  readonly text: string;
}

function ask(messages: readonly Message[]): Promise<Reply> {
  const { path, headers, body } = PROVIDERS[order.provider].request({ ...order, messages });
  const text = JSON.stringify(body);
  return new Promise((settle, fail) => {
    const sent = request({
      socketPath: order.socket,
      path,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    });
    sent.on('error', fail);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const isStream = response.headers['content-type']?.includes('event-stream') ?? false;
        settle({ status: response.statusCode ?? 0, isStream, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.end(text);
  });
}

function told({ status, isStream, text }: Reply): void {
  if (status !== 200) {
    failed(status, errorIn(text) ?? `the model's server answered ${status}`);
    return;
  }
  const answer = PROVIDERS[order.provider].read(isStream ? eventsIn(text) : [parsed(text)]);
  if ('error' in answer) failed(null, answer.error);
  else answered(answer);
}

function answered({ id, model, text, ended, reason }: Answer): void {
  print({ type: 'session', sessionId: id, model, engineVersion: null, skills: null, agents: null });
  if (text !== '') print({ type: 'message', text, subAgent: false });
  if (order.conversation !== null && ended)
    writeFileSync(order.conversation, JSON.stringify([...asked, { role: 'assistant', text }]));
  print({ type: 'end', ok: ended, output: text, reason, costUsd: null, modelError: null });
}

function failed(status: number | null, message: string): void {
  const modelError = { status, message };
  print({ type: 'end', ok: false, output: '', reason: message, costUsd: null, modelError });
  process.exitCode = FAILED;
}

function print(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function eventsIn(stream: string): unknown[] {
  return stream
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => parsed(line.slice('data:'.length)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function errorIn(text: string): string | null {
  const { message } = record(record(parsed(text))['error']);
  return typeof message === 'string' ? message : null;
}
