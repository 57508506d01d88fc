import { describe, expect, it } from 'vitest';
import { resolveUpstreams, type Upstream } from '../../src/gateway/credentials.ts';
import type { Provider } from '../../src/model/usage.ts';
import { type Files, writePackage } from '../helpers/package.ts';

const LATER = Date.now() + 3_600_000;

async function resolve(provider: Provider, env: Record<string, string> = {}, files: Files = {}) {
  await using home = await writePackage(files);
  const inHome = Object.entries(env).map(([name, value]) => [name, value.replace('~', home.root)]);
  const host = { env: Object.fromEntries(inHome), cwd: home.root, home: home.root };
  const upstream = (await resolveUpstreams(host))[provider];
  return upstream.state === 'ready' ? { ...upstream, headers: upstream.headers() } : upstream;
}

/** A token as OpenAI makes them, with nothing in it but its end. */
function webToken(expiresAt: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp: Math.floor(expiresAt / 1000) })}.c2ln`;
}

const claudeLogin = (expiresAt: number, path = '.claude') => ({
  [`${path}/.credentials.json`]: { claudeAiOauth: { accessToken: 'sk-fake-login', expiresAt } },
});
const chatgptLogin = (token: string, path = '.codex') => ({
  [`${path}/auth.json`]: {
    auth_mode: 'chatgpt',
    OPENAI_API_KEY: null,
    tokens: { id_token: 'x', access_token: token, refresh_token: 'sk-fake-refresh', account_id: 'acc-fake' },
  },
});

describe('google', () => {
  const standard = 'https://generativelanguage.googleapis.com/v1beta';

  it.each(['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'])('by %s', async (source) => {
    expect(await resolve('google', { [source]: 'sk-fake-1' })).toEqual({
      state: 'ready',
      provider: 'google',
      baseUrl: standard,
      source,
      headers: { 'x-goog-api-key': 'sk-fake-1' },
    });
  });

  it('at another server, which gets no key that is not there', async () => {
    const env = { GOOGLE_GENERATIVE_AI_BASE_URL: 'http://127.0.0.1:1/v1beta/' };
    expect(await resolve('google', env)).toMatchObject({
      baseUrl: 'http://127.0.0.1:1/v1beta',
      source: 'none',
      headers: {},
    });
  });

  it('has no login to fall back on', async () => {
    expect(await resolve('google', {}, claudeLogin(LATER))).toEqual({
      state: 'missing',
      provider: 'google',
      problem: 'there is no key for Google',
      fix: ['export GEMINI_API_KEY=…'],
    });
  });
});

describe('anthropic', () => {
  const url = 'https://api.anthropic.com';

  it.each([
    ['ANTHROPIC_API_KEY', { 'x-api-key': 'sk-fake-1' }],
    ['ANTHROPIC_AUTH_TOKEN', { authorization: 'Bearer sk-fake-1' }],
    ['CLAUDE_CODE_OAUTH_TOKEN', { authorization: 'Bearer sk-fake-1', 'anthropic-beta': 'oauth-2025-04-20' }],
  ])('by %s', async (source, headers) => {
    const upstream = await resolve('anthropic', { [source]: ' sk-fake-1\n' }, claudeLogin(LATER));
    expect(upstream).toEqual({ state: 'ready', provider: 'anthropic', baseUrl: url, source, headers });
  });

  it('prefers the key, and takes a blank one for none', async () => {
    const env = {
      ANTHROPIC_API_KEY: ' ',
      ANTHROPIC_AUTH_TOKEN: 'sk-fake-2',
      CLAUDE_CODE_OAUTH_TOKEN: 'sk-fake-3',
    };
    expect(await resolve('anthropic', env)).toMatchObject({ source: 'ANTHROPIC_AUTH_TOKEN' });
    const all = { ...env, ANTHROPIC_API_KEY: 'sk-fake-1' };
    expect(await resolve('anthropic', all)).toMatchObject({ source: 'ANTHROPIC_API_KEY' });
  });

  it.each([
    [{}, '.claude'],
    [{ CLAUDE_CONFIG_DIR: '~/elsewhere' }, 'elsewhere'],
  ])('by the login of Claude Code %o', async (env, path) => {
    expect(await resolve('anthropic', env, claudeLogin(LATER, path))).toMatchObject({
      source: 'login of Claude Code',
      baseUrl: url,
      headers: { authorization: 'Bearer sk-fake-login', 'anthropic-beta': 'oauth-2025-04-20' },
    });
  });

  it('by the key that /login made', async () => {
    const files = { '.claude.json': { primaryApiKey: 'sk-fake-managed' } };
    const expected = { source: 'login of Claude Code', headers: { 'x-api-key': 'sk-fake-managed' } };
    expect(await resolve('anthropic', {}, files)).toMatchObject(expected);
  });

  it('is mended by the CLI that is on PATH', async () => {
    await using folder = await writePackage({ 'claude!': '#!/bin/sh\n' });
    expect(await resolve('anthropic', { PATH: folder.root })).toMatchObject({
      fix: ['log in:  claude, then /login', 'or:  export ANTHROPIC_API_KEY=…'],
    });
  });

  it('by no login that has expired', async () => {
    expect(await resolve('anthropic', {}, claudeLogin(Date.now() - 1))).toMatchInlineSnapshot(`
      {
        "fix": [
          "log in:  npx @anthropic-ai/claude-code, then /login",
          "or:  export ANTHROPIC_API_KEY=…",
        ],
        "problem": "the login of Claude Code has expired",
        "provider": "anthropic",
        "state": "missing",
      }
    `);
  });

  it.each([
    [{}],
    [{ '.claude/.credentials.json': 'no json' }],
    [{ '.claude/.credentials.json': { claudeAiOauth: { accessToken: '' } } }],
    [{ '.claude/.credentials.json': { claudeAiOauth: null } }],
  ] as Files[][])('is missing with nothing usable: %o', async (files) => {
    expect(await resolve('anthropic', {}, files)).toEqual({
      state: 'missing',
      provider: 'anthropic',
      problem: 'there is no key for Anthropic, and no login of Claude Code',
      fix: ['log in:  npx @anthropic-ai/claude-code, then /login', 'or:  export ANTHROPIC_API_KEY=…'],
    });
  });
});

describe('openai', () => {
  const url = 'https://api.openai.com/v1';

  it.each(['CODEX_API_KEY', 'OPENAI_API_KEY'])('by %s', async (source) => {
    expect(await resolve('openai', { [source]: 'sk-fake-1' })).toEqual({
      state: 'ready',
      provider: 'openai',
      baseUrl: url,
      source,
      headers: { authorization: 'Bearer sk-fake-1' },
    });
    const both = { CODEX_API_KEY: 'sk-fake-1', OPENAI_API_KEY: 'sk-fake-2' };
    expect(await resolve('openai', both)).toMatchObject({ source: 'CODEX_API_KEY' });
  });

  it('by the key that codex login saved', async () => {
    const files = { '.codex/auth.json': { auth_mode: 'apikey', OPENAI_API_KEY: 'sk-fake-saved' } };
    expect(await resolve('openai', {}, files)).toMatchObject({
      source: 'login of Codex',
      baseUrl: url,
      headers: { authorization: 'Bearer sk-fake-saved' },
    });
  });

  it.each([
    [{}, '.codex'],
    [{ CODEX_HOME: '~/elsewhere' }, 'elsewhere'],
  ])('by the login with ChatGPT %o', async (env, path) => {
    const token = webToken(LATER);
    expect(await resolve('openai', env, chatgptLogin(token, path))).toMatchObject({
      source: 'login of Codex',
      baseUrl: 'https://chatgpt.com/backend-api/codex',
      headers: { authorization: `Bearer ${token}`, 'chatgpt-account-id': 'acc-fake' },
    });
  });

  it('by no login that has expired', async () => {
    expect(await resolve('openai', {}, chatgptLogin(webToken(Date.now() - 5_000)))).toEqual({
      state: 'missing',
      provider: 'openai',
      problem: 'the login of Codex has expired',
      fix: ['log in:  npx @openai/codex login', 'or:  export OPENAI_API_KEY=…'],
    });
  });

  it('is missing without key and login', async () => {
    expect(await resolve('openai')).toMatchObject({
      state: 'missing',
      problem: expect.stringContaining('no key'),
    });
  });
});

describe('a base URL', () => {
  it.each([
    ['http://127.0.0.1:9/s/x/', 'http://127.0.0.1:9/s/x'],
    [' https://proxy.example/llm#x ', 'https://proxy.example/llm'],
    ['', 'https://api.anthropic.com'],
    ['  ', 'https://api.anthropic.com'],
  ])('%j', async (given, baseUrl) => {
    const env = { ANTHROPIC_BASE_URL: given, ANTHROPIC_API_KEY: 'sk-fake-1' };
    expect(await resolve('anthropic', env)).toMatchObject({ baseUrl, source: 'ANTHROPIC_API_KEY' });
  });

  it('of another server needs no key, and gets no login', async () => {
    const files = { ...claudeLogin(LATER), ...chatgptLogin(webToken(LATER)) };
    const anthropic = await resolve('anthropic', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }, files);
    expect(anthropic).toMatchObject({ state: 'ready', source: 'none', headers: {} });
    const openai = await resolve('openai', { OPENAI_BASE_URL: 'http://127.0.0.1:9' }, files);
    expect(openai).toMatchObject({
      state: 'ready',
      source: 'none',
      baseUrl: 'http://127.0.0.1:9',
      headers: {},
    });
  });

  it.each(['nonsense', 'ftp://x.example', 'https://user:sk-fake-1@x.example'])(
    '%s is refused',
    async (given) => {
      const upstream = await resolve('openai', { OPENAI_BASE_URL: given, OPENAI_API_KEY: 'sk-fake-1' });
      expect(upstream).toMatchObject({
        state: 'missing',
        problem: expect.stringContaining('OPENAI_BASE_URL'),
        fix: ['export OPENAI_BASE_URL=https://api.openai.com/v1', 'unset OPENAI_BASE_URL'],
      });
      expect(JSON.stringify(upstream)).not.toContain('sk-fake');
    },
  );
});

describe('keys', () => {
  it('that would break a header are told by name', async () => {
    const upstream = await resolve('anthropic', { ANTHROPIC_API_KEY: 'sk-fake\r\nx-evil: 1' });
    expect(upstream).toMatchObject({ state: 'missing', fix: ['unset ANTHROPIC_API_KEY'] });
    expect(JSON.stringify(upstream)).not.toContain('sk-fake');
  });

  it('are not in what an upstream prints', async () => {
    const host = {
      env: { ANTHROPIC_API_KEY: 'sk-fake-1', OPENAI_API_KEY: 'sk-fake-2' },
      cwd: '/',
      home: '/',
    };
    const { anthropic, openai } = await resolveUpstreams(host);
    expect(JSON.stringify([anthropic, openai])).not.toContain('sk-fake');
    expect((anthropic as Upstream).headers()).toEqual({ 'x-api-key': 'sk-fake-1' });
  });
});

describe('a proxy of the host', () => {
  it.each([
    [{ HTTPS_PROXY: 'http://p:1' }, 'HTTPS_PROXY is set, but aam connects to api.anthropic.com directly'],
    [{ https_proxy: 'http://p:1', NO_PROXY: 'localhost,.anthropic.com' }, undefined],
    [{ HTTP_PROXY: 'http://p:1' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', ANTHROPIC_BASE_URL: 'https://127.0.0.1:9' }, undefined],
  ])('%o', async (env, problem) => {
    const upstream = await resolve('anthropic', { ANTHROPIC_API_KEY: 'sk-fake-1', ...env });
    expect((upstream as { problem?: string }).problem).toBe(problem);
  });
});
