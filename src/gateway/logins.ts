/** The logins that the agents' own CLIs keep in files. Read, never written: renewing them is the CLIs' work. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Host } from '../model/host.ts';
import { jsonOrNull } from '../model/json-or-null.ts';

export type Login =
  | { readonly state: 'ok'; readonly headers: Record<string, string>; readonly baseUrl?: string }
  | { readonly state: 'missing' | 'expired'; readonly problem: string };

const CHATGPT = 'https://chatgpt.com/backend-api/codex';

const claudeCredentials = z.object({
  claudeAiOauth: z.object({ accessToken: z.string().trim().min(1), expiresAt: z.number().nullish() }),
});
const claudeConfig = z.object({ primaryApiKey: z.string().trim().min(1) });

export async function claudeLogin({ env, home }: Host): Promise<Login> {
  const named = env['CLAUDE_CONFIG_DIR']?.trim();
  const credentials = await readJson(join(named || join(home, '.claude'), '.credentials.json'));
  const login = claudeCredentials.safeParse(credentials).data?.claudeAiOauth;
  if (login) {
    if (login.expiresAt && login.expiresAt <= Date.now()) return expired('Claude Code');
    const headers = {
      authorization: `Bearer ${login.accessToken}`,
      'anthropic-beta': 'oauth-2025-04-20',
    };
    return { state: 'ok', headers };
  }
  // With a Console account, /login makes a key and keeps it elsewhere.
  const config = claudeConfig.safeParse(await readJson(join(named || home, '.claude.json'))).data;
  if (config) return { state: 'ok', headers: { 'x-api-key': config.primaryApiKey } };
  return { state: 'missing', problem: 'there is no key for Anthropic, and no login of Claude Code' };
}

const codexAuth = z.object({
  auth_mode: z.string().nullish(),
  OPENAI_API_KEY: z.string().trim().nullish(),
  tokens: z
    .object({ access_token: z.string().trim().min(1), account_id: z.string().trim().nullish() })
    .nullish(),
});

export async function codexLogin({ env, home }: Host): Promise<Login> {
  const folder = env['CODEX_HOME']?.trim() || join(home, '.codex');
  const auth = codexAuth.safeParse(await readJson(join(folder, 'auth.json'))).data;
  const key = auth?.OPENAI_API_KEY;
  if (key && auth.auth_mode !== 'chatgpt')
    return { state: 'ok', headers: { authorization: `Bearer ${key}` } };
  const tokens = auth?.tokens;
  if (!tokens) return { state: 'missing', problem: 'there is no key for OpenAI, and no login of Codex' };
  const expiry = expiryOf(tokens.access_token);
  if (expiry !== null && expiry <= Date.now()) return expired('Codex');
  return {
    state: 'ok',
    headers: {
      authorization: `Bearer ${tokens.access_token}`,
      ...(tokens.account_id && { 'chatgpt-account-id': tokens.account_id }),
    },
    baseUrl: CHATGPT,
  };
}

function expired(name: string): Login {
  return { state: 'expired', problem: `the login of ${name} has expired` };
}

/** When a JSON web token ends; null when it does not say. */
function expiryOf(token: string): number | null {
  const claims = jsonOrNull(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const { data } = z.object({ exp: z.number() }).safeParse(claims);
  return data ? data.exp * 1000 : null;
}

/** A file that is not there or cannot be read holds no login. */
async function readJson(path: string): Promise<unknown> {
  return jsonOrNull(await readFile(path, 'utf8').catch(() => ''));
}
