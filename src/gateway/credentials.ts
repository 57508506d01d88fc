/** Where models are reached and with which key. Keys stay in memory: they are in no message and no file. */
import { which } from '../host/programs.ts';
import type { Host } from '../model/host.ts';
import type { Provider } from '../model/usage.ts';
import { claudeLogin, codexLogin, type Login } from './logins.ts';

export interface Upstream {
  readonly state: 'ready';
  readonly provider: Provider;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Credentials for the upstream. A function, so that printing or serialising an upstream shows none. */
  headers(): Readonly<Record<string, string>>;
  /** `none`: the server that the base URL names gets no key. */
  readonly source: CredentialSource;
  /** Something the user should know although it can work. */
  readonly problem?: string;
}

export interface MissingUpstream {
  readonly state: 'missing';
  readonly provider: Provider;
  readonly problem: string;
  /** Commands that mend it, each one alone. */
  readonly fix: readonly string[];
}

type CredentialSource =
  | 'ANTHROPIC_API_KEY'
  | 'ANTHROPIC_AUTH_TOKEN'
  | 'CLAUDE_CODE_OAUTH_TOKEN'
  | 'CODEX_API_KEY'
  | 'OPENAI_API_KEY'
  | 'GEMINI_API_KEY'
  | 'GOOGLE_API_KEY'
  | 'GOOGLE_GENERATIVE_AI_API_KEY'
  | 'login of Claude Code'
  | 'login of Codex'
  | 'none';

export type Upstreams = Readonly<Record<Provider, Upstream | MissingUpstream>>;

interface ProviderSetup {
  readonly baseUrl: { readonly variable: string; readonly standard: string };
  /** In the order of preference. */
  readonly keys: readonly {
    readonly source: CredentialSource;
    headers(key: string): Record<string, string>;
  }[];
  readonly login: { readonly source: CredentialSource; read(host: Host): Promise<Login> } | null;
  /** What mends it, given how a CLI can be started. */
  fix(start: (program: string, npmPackage: string) => string): readonly string[];
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const oauth = (key: string) => ({ ...bearer(key), 'anthropic-beta': 'oauth-2025-04-20' });

const SETUPS: Readonly<Record<Provider, ProviderSetup>> = {
  anthropic: {
    baseUrl: { variable: 'ANTHROPIC_BASE_URL', standard: 'https://api.anthropic.com' },
    keys: [
      { source: 'ANTHROPIC_API_KEY', headers: (key) => ({ 'x-api-key': key }) },
      { source: 'ANTHROPIC_AUTH_TOKEN', headers: bearer },
      { source: 'CLAUDE_CODE_OAUTH_TOKEN', headers: oauth },
    ],
    login: { source: 'login of Claude Code', read: claudeLogin },
    fix: (start) => [
      `log in:  ${start('claude', '@anthropic-ai/claude-code')}, then /login`,
      'or:  export ANTHROPIC_API_KEY=…',
    ],
  },
  openai: {
    baseUrl: { variable: 'OPENAI_BASE_URL', standard: 'https://api.openai.com/v1' },
    keys: [
      { source: 'CODEX_API_KEY', headers: bearer },
      { source: 'OPENAI_API_KEY', headers: bearer },
    ],
    login: { source: 'login of Codex', read: codexLogin },
    fix: (start) => [`log in:  ${start('codex', '@openai/codex')} login`, 'or:  export OPENAI_API_KEY=…'],
  },
  google: {
    baseUrl: {
      variable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
      standard: 'https://generativelanguage.googleapis.com/v1beta',
    },
    keys: (['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] as const).map((source) => ({
      source,
      headers: (key) => ({ 'x-goog-api-key': key }),
    })),
    login: null,
    fix: () => ['export GEMINI_API_KEY=…'],
  },
};

export async function resolveUpstreams(host: Host): Promise<Upstreams> {
  const [anthropic, openai, google] = await Promise.all([
    resolve('anthropic', host),
    resolve('openai', host),
    resolve('google', host),
  ]);
  return { anthropic, openai, google };
}

async function resolve(provider: Provider, host: Host): Promise<Upstream | MissingUpstream> {
  const { baseUrl, keys, login, fix: fixes } = SETUPS[provider];
  const fix = fixes((program, npmPackage) => (which(program, host.env) ? program : `npx ${npmPackage}`));
  const { variable, standard } = baseUrl;
  const missing = (problem: string, ...commands: readonly string[]): MissingUpstream => ({
    state: 'missing',
    provider,
    problem,
    fix: commands,
  });
  const named = host.env[variable]?.trim() || standard;
  const url = baseUrlIn(named);
  if (url === null) {
    return missing(
      `${variable} is not a URL of a model server: http:// or https://, without a user name or password`,
      `export ${variable}=${standard}`,
      `unset ${variable}`,
    );
  }
  const ready = (headers: Record<string, string>, source: CredentialSource, at = url): Upstream => {
    const problem = proxyProblem(at, host.env);
    return {
      state: 'ready',
      provider,
      baseUrl: at,
      headers: () => headers,
      source,
      ...(problem && { problem }),
    };
  };
  for (const { source, headers } of keys) {
    const key = host.env[source]?.trim();
    if (!key) continue;
    if (!isHeaderSafe(key)) return missing(`${source} holds characters that no key has`, `unset ${source}`);
    return ready(headers(key), source);
  }
  // A login is for the provider's own server: no other one is shown its token.
  if (new URL(url).origin !== new URL(standard).origin) return ready({}, 'none');
  if (!login) return missing('there is no key for Google', ...fix);
  const found = await login.read(host);
  if (found.state !== 'ok') return missing(found.problem, ...fix);
  if (!Object.values(found.headers).every(isHeaderSafe)) {
    return missing(`the ${login.source} cannot be used: it holds characters that no key has`, ...fix);
  }
  return ready(found.headers, login.source, found.baseUrl ?? url);
}

function baseUrlIn(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  url.hash = '';
  return url.href.replace(/\/+$/, '');
}

function isHeaderSafe(value: string): boolean {
  return /^[\x20-\x7e]+$/.test(value);
}

function proxyProblem(baseUrl: string, env: Host['env']): string | undefined {
  const { protocol, hostname, host } = new URL(baseUrl);
  if (/^(localhost|127\.|\[::1\])/.test(hostname)) return undefined;
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const variable = [name, name.toLowerCase(), 'ALL_PROXY', 'all_proxy'].find((it) => env[it]?.trim());
  if (!variable) return undefined;
  const exempt = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(',').map((it) => it.trim());
  if (exempt.some((it) => it === '*' || (it && hostname.endsWith(it.replace(/^\*/, ''))))) return undefined;
  return `${variable} is set, but aam connects to ${host} directly`;
}
