/**
 * How an engine gets to its model: by a key in the environment, else by the login its CLI has.
 * The CLIs print e-mail addresses and parts of keys, so nothing they print is passed on: only the kind of login.
 */
import { z } from 'zod';
import type { Host } from '../model/host.ts';
import type { ProcessOutcome } from '../model/process.ts';
import type { EngineId } from './find.ts';

export interface Login {
  readonly state: 'ok' | 'missing' | 'problem';
  readonly summary: string;
  readonly fix?: string;
}

interface EngineLogin {
  /** In the order of preference. */
  readonly keys: Readonly<Record<string, 'API key' | 'token'>>;
  /** The variable that names another model server than the standard one. */
  readonly baseUrl: { readonly variable: string; readonly standard: string };
  readonly statusArguments: readonly string[];
  /** How to log in, given the command that starts the CLI. */
  fix(command: string): string;
  /** null: the answer could not be understood. */
  read(status: ProcessOutcome): Login | null;
}

export const ENGINE_LOGINS: Readonly<Record<EngineId, EngineLogin>> = {
  'claude-code': {
    keys: { ANTHROPIC_API_KEY: 'API key', ANTHROPIC_AUTH_TOKEN: 'token', CLAUDE_CODE_OAUTH_TOKEN: 'token' },
    baseUrl: { variable: 'ANTHROPIC_BASE_URL', standard: 'https://api.anthropic.com' },
    statusArguments: ['auth', 'status', '--json'],
    fix: (command) => `${command}, then /login\nor: export ANTHROPIC_API_KEY=…`,
    read: readClaudeStatus,
  },
  codex: {
    keys: { CODEX_API_KEY: 'API key', OPENAI_API_KEY: 'API key' },
    baseUrl: { variable: 'OPENAI_BASE_URL', standard: 'https://api.openai.com/v1' },
    statusArguments: ['login', 'status'],
    fix: (command) => `${command} login\nor: export OPENAI_API_KEY=…`,
    read: readCodexStatus,
  },
};

/** null: no key is set, only the CLI can tell. */
export function loginByKey(id: EngineId, env: Host['env']): Login | null {
  const [name, kind] = Object.entries(ENGINE_LOGINS[id].keys).find(([key]) => env[key]?.trim()) ?? [];
  return name === undefined ? null : { state: 'ok', summary: `${kind} from ${name}` };
}

const NOT_LOGGED_IN: Login = { state: 'missing', summary: 'not logged in' };

const claudeStatus = z.object({
  loggedIn: z.boolean(),
  authMethod: z.string().optional(),
  apiKeySource: z.string().optional(),
  subscriptionType: z.string().nullish(),
});

const PLANS = new Set(['free', 'pro', 'max', 'team', 'enterprise']);

function readClaudeStatus({ stdout }: ProcessOutcome): Login | null {
  const status = claudeStatus.safeParse(parseJson(stdout.text)).data;
  if (!status) return null;
  const { loggedIn, authMethod, apiKeySource, subscriptionType } = status;
  if (!loggedIn) return NOT_LOGGED_IN;
  if (authMethod === 'third_party') return cloudProvider('Claude Code');
  if (authMethod === 'claude.ai') {
    const plan = subscriptionType && PLANS.has(subscriptionType) ? ` (${subscriptionType})` : '';
    return { state: 'ok', summary: `logged in with a Claude subscription${plan}` };
  }
  // The gateway holds the key, and cannot ask a helper that only Claude Code knows.
  if (authMethod === 'api_key_helper')
    return {
      state: 'problem',
      summary: 'its key comes from an apiKeyHelper, which aam cannot use: set ANTHROPIC_API_KEY',
    };
  if (apiKeySource === '/login managed key')
    return { state: 'ok', summary: 'logged in with an API key that /login made' };
  return { state: 'ok', summary: 'logged in' };
}

/** Codex answers in prose, on standard error, between warnings. */
function readCodexStatus({ stdout, stderr, exitCode }: ProcessOutcome): Login | null {
  const text = `${stdout.text}\n${stderr.text}`;
  if (/^not logged in/im.test(text)) return NOT_LOGGED_IN;
  if (exitCode !== 0) return null;
  if (/^logged in using chatgpt/im.test(text)) return { state: 'ok', summary: 'logged in with ChatGPT' };
  if (/^api key configured|^logged in using an api key/im.test(text))
    return { state: 'ok', summary: 'logged in with an API key that codex login saved' };
  if (/^logged in using amazon bedrock/im.test(text)) return cloudProvider('Codex');
  return /^logged in/im.test(text) ? { state: 'ok', summary: 'logged in' } : null;
}

/** Claude Code calls this logged in without looking for credentials. */
function cloudProvider(name: string): Login {
  return {
    state: 'problem',
    summary: `${name} is set to use a cloud provider, which aam cannot reach: it speaks the APIs of Anthropic and OpenAI`,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}
