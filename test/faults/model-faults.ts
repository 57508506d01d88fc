/** A model’s server that does what no server should. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AgentEngine, ENGINE_NAMES, modelEnv, shell } from '../helpers/eval.ts';
import type { ModelRequest, Script, Turn } from '../helpers/model-server.ts';
import { type Fault, onlyWith } from './fault.ts';
import { ANSWER, type Experiment } from './lab.ts';

type Outcome = Pick<Fault, 'verdict' | 'kind' | 'says'>;

const both = (name: string, outcome: Outcome, experiment: (engine: AgentEngine) => Experiment): Fault => ({
  name,
  engines: ENGINE_NAMES,
  ...outcome,
  exit: { PASS: 0, FAIL: 1, SKIP: 3 }[outcome.verdict ?? 'SKIP'],
  inject: (lab, engine) => lab.run({ engine, ...experiment(engine as AgentEngine) }),
});

/** Seconds in which an engine has asked its model, also on a machine that has much else to do. */
const PATIENCE = 20;

/** The model answers like this, always. */
const always = (name: string, kind: Fault['kind'], says: string, turn: Turn, seconds?: number): Fault =>
  both(name, { verdict: 'SKIP', kind, says }, () => ({
    script: [turn],
    args: seconds === undefined ? [] : ['--timeout', String(seconds)],
  }));

/** The model answers like this at first, and then as it should. */
const passing = (name: string, script: (engine: AgentEngine) => Script): Fault =>
  both(name, { verdict: 'PASS', kind: null, says: null }, (engine) => ({ script: script(engine) }));

export const MODEL_FAULTS: readonly Fault[] = [
  both(
    'nobody listens',
    {
      verdict: 'SKIP',
      kind: 'model-unreachable',
      says: 'the model could not be reached: …ECONNREFUSED',
    },
    () => ({ env: modelEnv('http://127.0.0.1:9') }),
  ),
  onlyWith(
    'claude-code',
    always('every connection is reset', 'model-unreachable', 'the model could not be reached: …', {
      raw: (response) => response.socket?.resetAndDestroy(),
    }),
  ),
  onlyWith(
    'codex',
    always('what answers does not speak HTTP', 'model-unreachable', 'the model could not be reached: …', {
      raw: (response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
    }),
  ),
  always('401', 'model-auth', 'the model refused the credentials (401): …', { status: 401 }),
  always('400', 'model-bad-request', 'the model’s server refused the request (400): …', { status: 400 }),
  onlyWith(
    'codex',
    always('413', 'model-bad-request', 'the model’s server refused the request (413): …', { status: 413 }),
  ),
  always(
    'a redirect, to a login page, say',
    'model-server-error',
    'the model’s server failed (302): …sso.example…',
    { status: 302, headers: { location: 'https://sso.example/x' } },
  ),
  always('500 for good', 'model-server-error', 'the model’s server failed (500): …', { status: 500 }),
  always(
    '529 for good',
    'model-overloaded',
    'the model was overloaded for longer than the retries (529): …',
    {
      status: 529,
    },
  ),
  always('429 for good', 'model-rate-limit', 'the model’s rate limit outlasted the retries (429): …', {
    status: 429,
  }),
  onlyWith(
    'claude-code',
    always(
      '429 that asks for an hour',
      'model-rate-limit',
      'the model’s rate limit outlasted the retries (429): …',
      { status: 429, headers: { 'retry-after': '3600' } },
    ),
  ),
  always(
    '429 that asks for longer than the case has',
    'model-rate-limit',
    'the model’s rate limit outlasted the retries (429): …',
    { status: 429, headers: { 'retry-after': '50' } },
    PATIENCE,
  ),
  passing('429 in waves: every request twice, then answered', waves),
  always('an answer that is cut off, every time', 'model-cut-off', 'the model’s answer broke off: …', {
    text: 'x',
    fault: 'cut',
  }),
  passing('an answer that is cut off once', () => atFirst({ text: 'x', fault: 'cut' })),
  always(
    'an answer that stalls',
    'model-stalled',
    'the model stopped answering: …',
    { text: 'x', fault: 'stall' },
    PATIENCE,
  ),
  always(
    'no answer at all',
    'model-stalled',
    'the model stopped answering: …',
    { fault: 'no-answer' },
    PATIENCE,
  ),
  passing('a slow answer, in pieces of a few bytes', () => [{ text: ANSWER, raw: drip }]),
  always(
    '200 and a page of HTML',
    'model-server-error',
    'the model’s server failed (200): …answered with text/html, which is not the answer of a model',
    {
      raw: (response) => answer(response, 'text/html', '<h1>Log in</h1>'),
    },
  ),
  onlyWith(
    'codex',
    always(
      '200 and JSON of something else',
      'model-server-error',
      'the model’s server failed (200): …answered with application/json, which is not the answer of a model',
      {
        raw: (response) => answer(response, 'application/json', '{"ok":true}'),
      },
    ),
  ),
  onlyWith(
    'claude-code',
    always('a stream of noise', 'model-cut-off', 'the model’s answer broke off: …', {
      raw: (response) => answer(response, 'text/event-stream', NOISE),
    }),
  ),
  onlyWith(
    'codex',
    always('a stream that turns into noise', 'model-cut-off', 'the model’s answer broke off: …', {
      text: 'x',
      raw: (response, events) =>
        answer(response, 'text/event-stream', Buffer.concat([Buffer.from(events[0] ?? ''), NOISE])),
    }),
  ),
  onlyWith(
    'claude-code',
    always('a body that is not compressed as it says', 'model-cut-off', 'the model’s answer broke off: …', {
      raw: (response) => {
        response.setHeader('content-encoding', 'gzip');
        answer(response, 'text/event-stream', NOISE);
      },
    }),
  ),
  passing('500 once', () => atFirst({ status: 500 })),
  both(
    '500 for good, for the judge alone',
    {
      verdict: 'SKIP',
      kind: 'model-server-error',
      says: 'the judge’s model did not answer: …answered 500: …',
    },
    () => ({ judge: () => ({ status: 500 }) }),
  ),
];

/** Bytes of every kind, the same in each run, with line ends among them. */
const NOISE = Buffer.from(
  Array.from({ length: 4096 }, (_, index) => (index * 167 + (index >> 3) * 13) % 256),
);

function answer(response: ServerResponse, type: string, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': type });
  response.end(body);
}

function atFirst(turn: Turn): Script {
  let calls = 0;
  return () => (calls++ === 0 ? turn : { text: ANSWER });
}

function drip(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const bytes = Buffer.from(events.join(''));
  const pieces = 40;
  void (async () => {
    for (let at = 0; at < pieces; at++) {
      response.write(bytes.subarray((at * bytes.length) / pieces, ((at + 1) * bytes.length) / pieces));
      await sleep(50);
    }
    response.end();
  })();
}

/** Two turns, and each of them is refused twice. */
function waves(engine: AgentEngine): Script {
  const refused = new Map<string, number>();
  return ({ body, turn }: ModelRequest): Turn => {
    const key = `${/number \d+/.exec(JSON.stringify(body))?.[0]} ${turn}`;
    const times = refused.get(key) ?? 0;
    refused.set(key, times + 1);
    if (times < 2) return { status: 429, headers: { 'retry-after': '1' } };
    return turn === 0 ? { tools: [shell(engine, 'true')] } : { text: ANSWER };
  };
}
