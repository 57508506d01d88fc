/** A bare model as the one that is asked: one request for each prompt, through the gateway. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import { aam } from '../helpers/cli.ts';
import { evalCase, HOST_KEY, PACKAGE } from '../helpers/eval.ts';
import type { ModelRequest } from '../helpers/model-server.ts';
import { writePackage } from '../helpers/package.ts';
import { type PlannedOptions, runPlanned } from '../helpers/plan.ts';

const FILES = {
  ...PACKAGE,
  'evals/cases/a.yaml': evalCase('a', {
    input: { prompt: 'Name a colour.' },
    expected: { contains: ['blue'] },
  }),
};

const MODELS = { anthropic: 'claude-sonnet-5-5', openai: 'gpt-5.4' } as const;

async function run(model: string, options: Partial<PlannedOptions> = {}) {
  await using pkg = await writePackage(FILES);
  const change = (it: Case): Case => ({ ...it, criteria: [] });
  const all = { root: pkg.root, engine: 'completion', model, change, script: [{ text: 'It is blue.' }] };
  return await runPlanned({ ...all, ...options });
}

describe.each(['anthropic', 'openai'] as const)('a bare model of %s', (provider) => {
  const model = MODELS[provider];

  it('is asked once, without tools, and its answer is graded', async () => {
    const { report, requests, captures } = await run(model);
    expect(report.cases[0]).toMatchObject({
      verdict: 'PASS',
      agent_output_snippet: 'It is blue.',
      agent: { model, session_id: expect.stringMatching(/^(msg|resp)_/) },
      usage: { requests: 1, input_tokens: 100, output_tokens: 7, models: [model] },
    });
    expect(report.config).toMatchObject({ engine: 'completion', model });
    expect(report.warnings).toContain(
      'the engine completion does not get the package demo: its answers say nothing about it',
    );
    const [request] = requests;
    const { tools, messages, input, ...rest } = request?.body ?? {};
    expect(tools).toBeUndefined();
    expect(messages ?? input).toEqual([{ role: 'user', content: 'Name a colour.' }]);
    expect(rest).toMatchObject({ model, stream: true });
    expect(JSON.stringify(request?.headers)).toContain(HOST_KEY);
    expect(JSON.stringify(captures)).not.toContain(HOST_KEY);
    expect(captures[0]?.events.map(({ type }) => type)).toEqual(['session', 'message', 'end']);
  });

  it('is told instructions and all that was said before', async () => {
    const { report, requests } = await run(model, {
      script: ({ turn }) => ({ text: turn === 0 ? 'red' : 'blue' }),
      change: (it) => ({ ...it, criteria: [], instructions: 'Be brief.', followUps: ['Another one.'] }),
    });
    expect(report.cases[0]).toMatchObject({ verdict: 'PASS', agent_output_snippet: 'blue' });
    const { body } = requests[1] ?? {};
    expect(body.system ?? body.instructions).toBe('Be brief.');
    expect(body.messages ?? body.input).toEqual([
      { role: 'user', content: 'Name a colour.' },
      { role: 'assistant', content: 'red' },
      { role: 'user', content: 'Another one.' },
    ]);
  });

  it.each([
    [401, 'model-auth'],
    [400, 'model-bad-request'],
    [500, 'model-server-error'],
  ])('leaves the case undecided when it answers %i', async (status, kind) => {
    const { report } = await run(model, { script: [{ status, message: 'scripted trouble' }] });
    expect(report.cases[0]).toMatchObject({
      verdict: 'SKIP',
      error_kind: kind,
      error: expect.stringContaining('scripted trouble'),
    });
  });

  it('leaves the case undecided when its answer breaks off', async () => {
    const { report } = await run(model, { script: [{ text: 'It is blue.', fault: 'cut' }] });
    expect(report.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'model-cut-off' });
  });

  it('can be taped', async () => {
    await using pkg = await writePackage(FILES);
    const change = (it: Case): Case => ({ ...it, criteria: [], followUps: ['Another one.'] });
    const tape = { folder: null, strict: false, source: 'recorded' } as const;
    const all = { root: pkg.root, engine: 'completion', model, change };
    const recorded = await runPlanned({
      ...all,
      script: [{ text: 'It is blue.' }],
      tape: { ...tape, mode: 'record' },
    });
    const replayed = await runPlanned({ ...all, tape: { ...tape, mode: 'replay' } });
    expect(recorded.report.cases[0]?.verdict).toBe('PASS');
    expect(replayed.report.cases[0]).toMatchObject({ verdict: 'PASS', warnings: [] });
    expect(replayed.requests).toEqual([]);
  });
});

it('fails a case whose answer was too long for the model', async () => {
  const { report } = await run(MODELS.anthropic, {
    script: [{ text: 'It is blue', stopReason: 'max_tokens' }],
  });
  expect(report.cases[0]).toMatchObject({
    verdict: 'FAIL',
    error_kind: 'agent-error',
    error: 'the agent ended with an error: max_output_tokens',
  });
});

it('asks models of Google', async () => {
  const asked: { url: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push({ url: request.url ?? '', body: Buffer.concat(chunks).toString() });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        candidates: [{ content: { role: 'model', parts: [{ text: 'blue' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 },
        modelVersion: 'gemini-3-pro',
        responseId: 'r1',
      }),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1beta`;
  const { report } = await run('gemini-3-pro', {
    env: { GOOGLE_GENERATIVE_AI_BASE_URL: url, GEMINI_API_KEY: HOST_KEY },
    change: (it) => ({ ...it, criteria: [], instructions: 'Be brief.' }),
  });
  server.closeAllConnections();
  server.close();
  expect(report.cases[0]).toMatchObject({
    verdict: 'PASS',
    agent: { model: 'gemini-3-pro', session_id: 'r1' },
    usage: { requests: 1, input_tokens: 5, output_tokens: 1 },
  });
  expect(asked[0]?.url).toContain('/models/gemini-3-pro:generateContent');
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: 'Name a colour.' }] }],
  });
});

it('leaves cases undecided that a bare model cannot show', async () => {
  const { report, requests } = await run(MODELS.openai, {
    change: (it) => ({ ...it, files: [{ from: null, to: 'a.txt' }] }),
  });
  expect(report.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'unsupported' });
  expect(requests).toEqual([]);
});

it('judges what it said, knowing that it could do nothing else', async () => {
  let asked = '';
  await run(MODELS.anthropic, {
    judge: 'claude-opus-4-6',
    judgeScript: (request: ModelRequest) => {
      asked = JSON.stringify(request.body);
      return { text: 'no verdict' };
    },
    change: (it) => it,
  });
  expect(asked).toContain('No tool calls and no other actions were recorded.');
});

it.each([
  [['--engine', 'completion'], 'the engine "completion" asks a bare model and needs to know which'],
  [
    ['--engine', 'completion', '--model', 'unheard-of'],
    '--model unheard-of: it is not clear whose model this is',
  ],
  [
    ['--engine', 'completion', '--model', 'openai/unheard-of', '--baseline'],
    '--baseline compares with and without the package, and the engine completion never gets it',
  ],
])('says what is wrong before anything runs: %j', async (args, message) => {
  await using pkg = await writePackage(FILES);
  const { code, stderr } = await aam(['eval', ...args], { cwd: pkg.root });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
