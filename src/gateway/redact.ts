/** Takes the user's keys out of text, in the forms in which a server may repeat them. */
import type { MissingUpstream, Upstream } from './credentials.ts';

export type Redact = (text: string) => string;

/** What is shorter stands in too many innocent words. */
const MIN_SECRET_LENGTH = 8;
const PUBLIC_HEADERS = new Set(['anthropic-beta']);

/** Knows the keys of all these upstreams. Text without a key comes back as it is. */
export function createRedactor(upstreams: readonly (Upstream | MissingUpstream | undefined)[]): Redact {
  const forms = new Set(secretsIn(upstreams).flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  // The longest first, so that nothing of it is left over.
  const patterns = [...forms].sort((a, b) => b.length - a.length).map(patternFor);
  const pattern = new RegExp(patterns.join('|'), 'g');
  return (text) => text.replace(pattern, '[key]');
}

/** The keys themselves. */
export function secretsIn(upstreams: readonly (Upstream | MissingUpstream | undefined)[]): string[] {
  const secrets = upstreams.flatMap((it) => (it?.state === 'ready' ? secretsOf(it) : []));
  return secrets.filter((it) => it.length >= MIN_SECRET_LENGTH);
}

function secretsOf({ baseUrl, headers }: Upstream): string[] {
  const values = Object.entries(headers())
    .filter(([name]) => !PUBLIC_HEADERS.has(name))
    .map(([, value]) => value);
  const bare = values.map((value) => value.replace(/^Bearer /, ''));
  return [...values, ...bare, ...new URL(baseUrl).searchParams.values()];
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const encoded = encodeURIComponent(secret);
  const base64 = Buffer.from(secret).toString('base64');
  const inBase64 = [base64, ...[0, 1, 2].map((offset) => base64Inside(secret, offset))];
  return [
    ...[secret, json, json.replaceAll('/', '\\/'), encoded, encoded.replaceAll('%20', '+')],
    ...inBase64,
    ...inBase64.map((it) => it.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')),
  ];
}

/** The part of the base64 form that does not depend on what stands before and after the secret. */
function base64Inside(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const before = Math.ceil((offset * 8) / 6);
  return bytes.toString('base64').slice(before, Math.floor((bytes.length * 8) / 6));
}

/** Escapes of URLs may be written in small letters. */
function patternFor(form: string): string {
  return form
    .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    .replace(/%[0-9A-F]{2}/g, (it) => `(?:${it}|${it.toLowerCase()})`);
}
