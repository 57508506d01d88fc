import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Provider } from '../../src/model/usage.ts';
import { answerStream, gatewayTo, send, upstreamServer } from './helpers.ts';

const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const input = (...items: object[]) => ({ input: items });

const REFUSED: [Provider, string, object][] = [
  ...[
    'web_search_20250305',
    'web_fetch_20250910',
    'code_execution_20250825',
    'mcp_toolset',
    'unheard_of_1',
  ].map((type): [Provider, string, object] => [
    'anthropic',
    type,
    { tools: [{ name: 'x' }, { type, name: 'y' }] },
  ]),
  ['anthropic', 'mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://a.example' }] }],
  ['anthropic', 'mcp_servers', { mcp_servers: { length: 1 } }],
  [
    'anthropic',
    'content at an address',
    user({ type: 'image', source: { type: 'url', url: 'https://a.example/?secret' } }),
  ],
  [
    'anthropic',
    'content at an address',
    user({
      type: 'tool_result',
      content: [{ type: 'document', source: { type: 'content', content: [{ source: { type: 'url' } }] } }],
    }),
  ],
  ...[
    'web_search',
    'web_search_preview_2025_03_11',
    'file_search',
    'code_interpreter',
    'mcp',
    'computer_use_preview',
    'image_generation',
    'shell',
  ].map((type): [Provider, string, object] => ['openai', type, { tools: [{ type: 'function' }, { type }] }]),
  ['openai', 'mcp', input({ type: 'additional_tools', tools: [{ type: 'mcp' }] })],
  [
    'openai',
    'mcp',
    { tools: [{ type: 'namespace', tools: [{ type: 'namespace', tools: [{ type: 'mcp' }] }] }] },
  ],
  ['openai', 'shell', { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }],
  ['openai', 'a stored prompt', { prompt: { id: 'pmpt_1' } }],
  [
    'openai',
    'content at an address',
    input({ role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/?secret' }] }),
  ],
  [
    'openai',
    'content at an address',
    input({ type: 'function_call_output', output: [{ type: 'input_file', file_url: 'https://a.example' }] }),
  ],
  ['google', 'googleSearch', { tools: [{ functionDeclarations: [] }, { googleSearch: {} }] }],
  ['google', 'urlContext', { tools: [{ functionDeclarations: [], urlContext: {} }] }],
  [
    'google',
    'a file at an address',
    { contents: [{ parts: [{ fileData: { fileUri: 'https://a.example' } }] }] },
  ],
];

const PASSED: [Provider, object][] = [
  [
    'anthropic',
    {
      tools: [
        { name: 'x', input_schema: {} },
        { type: 'custom', name: 'web_search' },
      ],
    },
  ],
  [
    'anthropic',
    {
      tools: ['bash_20250124', 'text_editor_20250728', 'memory_20250818', 'advisor_20260301'].map((type) => ({
        type,
      })),
      mcp_servers: [],
    },
  ],
  ['anthropic', { tools: [{ type: 'tool_search_tool_regex_20251119' }] }],
  ['anthropic', user({ type: 'image', source: { type: 'base64', data: '' } })],
  // What an agent gives to a tool of its own is its own affair.
  [
    'anthropic',
    user({ type: 'tool_use', input: { source: { type: 'url' }, tools: [{ type: 'web_search_1' }] } }),
  ],
  [
    'openai',
    { tools: [{ type: 'function' }, { type: 'custom' }, { type: 'local_shell' }, { type: 'tool_search' }] },
  ],
  ['openai', { tools: [{ type: 'shell', environment: { type: 'local' } }], prompt: null }],
  [
    'openai',
    input({ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,' }] }),
  ],
  ['openai', { input: 'https://a.example' }],
  ['google', { tools: [{ functionDeclarations: [{ name: 'googleSearch' }] }] }],
];

async function setUp(provider: Provider, hostedTools?: boolean) {
  const upstream = await upstreamServer((response) => answerStream(response, provider));
  const gateway = await gatewayTo(upstream.url);
  const door = await gateway.open('t1', provider, hostedTools === undefined ? {} : { hostedTools });
  return {
    door,
    requests: upstream.requests,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

describe('without network, a request is refused', () => {
  it.each(REFUSED)('of %s that wants %s: %j', async (provider, what, body) => {
    await using it = await setUp(provider);
    const answer = await send(it.door, { body: JSON.stringify(body) });
    expect(answer).toMatchObject({ status: 403, headers: { 'x-should-retry': 'false' } });
    expect(JSON.parse(answer.text).error.message).toContain(`refused ${what}: there is no network here`);
    expect(it.requests).toEqual([]);
    expect(it.door).toMatchObject({
      refused: [what],
      failure: null,
      unanswered: null,
      usage: { requests: 0 },
    });
  });

  it.each(PASSED)('but not of %s for %j', async (provider, body) => {
    await using it = await setUp(provider);
    expect((await send(it.door, { body: JSON.stringify(body) })).status).toBe(200);
    expect(it.requests.map((request) => JSON.parse(request.body))).toEqual([body]);
    expect(it.door.refused).toEqual([]);
  });

  it('also in a chat', async () => {
    await using upstream = await upstreamServer((response) => answerStream(response, 'openai'));
    await using gateway = await gatewayTo(upstream.url);
    await using door = await gateway.open('t1', 'openai', { chat: true });
    const path = '/v1/chat/completions';
    const image = { type: 'image_url', image_url: { url: 'https://a.example' } };
    for (const body of [{ web_search_options: {} }, user(image)]) {
      expect((await send(door, { path, body: JSON.stringify(body) })).status).toBe(403);
    }
    expect(door.refused).toEqual(['web_search_options', 'content at an address']);
  });

  it('also when the body is packed, or says something twice', async () => {
    await using it = await setUp('anthropic');
    const hosted = '"tools":[{"type":"web_search_20250305"}]';
    const packed = gzipSync(`{${hosted}}`);
    const headers = { 'content-encoding': 'gzip' };
    expect((await send(it.door, { body: packed, headers })).status).toBe(400);
    await send(it.door, { body: `{${hosted},"tools":[]}`, headers: { 'content-type': 'text/plain' } });
    expect(it.requests.map(({ body }) => body)).toEqual(['{"tools":[]}']);
    expect(it.requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('and told in a few words, a few times', async () => {
    await using it = await setUp('anthropic');
    for (let number = 0; number < 30; number += 1) {
      const type = `own_${number} \n${'x'.repeat(100)}`;
      await send(it.door, { body: JSON.stringify({ tools: [{ type }, { type }] }) });
    }
    expect(it.door.refused.length).toBe(20);
    for (const text of it.door.refused) expect(text).toMatch(/^own_\d+ \?x{20,60}$/);
  });
});

it.each(REFUSED)('with network, a request of %s for %s passes as it is: %j', async (provider, _, body) => {
  await using it = await setUp(provider, true);
  const text = `${JSON.stringify(body, null, 2)} `;
  expect((await send(it.door, { body: text })).status).toBe(200);
  expect(it.requests[0]?.body).toBe(text);
  expect(it.door.refused).toEqual([]);
});

it.each([
  '',
  '{',
  '[]',
  'null',
  '7',
  '"x"',
  '{"a":1}}',
  `${'['.repeat(200_000)}`,
  `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
])('a body that is no JSON object is refused as the provider would: %.20s', async (body) => {
  await using it = await setUp('openai');
  const answer = await send(it.door, { body });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text).error.type).toBe('invalid_request_error');
  expect(it.requests).toEqual([]);
  expect(it.door).toMatchObject({ refused: [], failure: null });
});
