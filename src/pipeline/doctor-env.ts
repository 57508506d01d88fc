/** What the environment says about keys and model servers: names and hosts, never values. */
import { ENGINE_LOGINS } from '../engine/login.ts';
import type { DoctorCheck } from '../model/doctor-report.ts';
import type { Host } from '../model/host.ts';

export const KEYS: readonly string[] = [
  ...Object.values(ENGINE_LOGINS).flatMap(({ keys }) => Object.keys(keys)),
  // For judging.
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
];

export function checkEnvironment(env: Host['env']): DoctorCheck[] {
  return [
    ...KEYS.map((name) => checkSet(name, env[name]) ?? { id: name, state: 'ok' as const, summary: 'set' }),
    ...Object.values(ENGINE_LOGINS).map(({ baseUrl: { variable, standard } }) =>
      checkBaseUrl(variable, env[variable], standard),
    ),
  ];
}

/** null: there is a value. */
function checkSet(id: string, value: string | undefined): DoctorCheck | null {
  if (value === undefined) return { id, state: 'optional', summary: 'not set' };
  if (value.trim() === '') return { id, state: 'problem', summary: 'set but empty', fix: `unset ${id}` };
  return null;
}

function checkBaseUrl(id: string, value: string | undefined, standard: string): DoctorCheck {
  const unset = checkSet(id, value);
  if (unset) return unset.state === 'optional' ? { ...unset, summary: `not set: ${standard}` } : unset;
  const server = serverOf(value ?? '');
  if (server !== null) return { id, state: 'ok', summary: server };
  const fix = `export ${id}=${standard}\nor: unset ${id}`;
  return { id, state: 'problem', summary: 'not a URL that starts with http:// or https://', fix };
}

/** Without user, password, path and query: each of them may hold a secret. */
function serverOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? `${protocol}//${host}` : null;
}
