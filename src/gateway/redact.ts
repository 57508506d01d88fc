/** Takes the user's keys out of text, in the forms in which a server may repeat them. */
import type { MissingUpstream, Upstream } from './credentials.ts';
import { formsPattern, keyForms, MIN_KEY_LENGTH } from './key-forms.ts';

export type Redact = (text: string) => string;

const PUBLIC_HEADERS = new Set(['anthropic-beta']);

/** Knows the keys of all these upstreams, and `more`. Text without a key comes back as it is. */
export function createRedactor(
  upstreams: readonly (Upstream | MissingUpstream | undefined)[],
  more: readonly string[] = [],
): Redact {
  const long = more.filter((it) => it.length >= MIN_KEY_LENGTH);
  const pattern = formsPattern([...secretsIn(upstreams), ...long].flatMap(keyForms));
  return pattern === null ? (text) => text : (text) => text.replace(pattern, '[key]');
}

/** The keys themselves. */
export function secretsIn(upstreams: readonly (Upstream | MissingUpstream | undefined)[]): string[] {
  const secrets = upstreams.flatMap((it) => (it?.state === 'ready' ? secretsOf(it) : []));
  return secrets.filter((it) => it.length >= MIN_KEY_LENGTH);
}

function secretsOf({ baseUrl, headers }: Upstream): string[] {
  const values = Object.entries(headers())
    .filter(([name]) => !PUBLIC_HEADERS.has(name))
    .map(([, value]) => value);
  const bare = values.map((value) => value.replace(/^Bearer /, ''));
  return [...values, ...bare, ...new URL(baseUrl).searchParams.values()];
}
