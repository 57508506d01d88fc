/** Texts of a document that look like real secrets. */
import type { Path } from '../../../model/diagnostic.ts';

const KINDS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['an API key', /\bsk-[A-Za-z0-9_-]{20,}/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{10,}/],
  ['a Google API key', /\bAIza[0-9A-Za-z_-]{35}/],
  ['a bearer token', /\bBearer\s+[A-Za-z0-9._~+/-]{30,}/],
];

export interface SecretFound {
  readonly path: Path;
  readonly what: string;
}

export function findSecrets(value: unknown, path: Path = []): SecretFound[] {
  if (typeof value === 'string') {
    const kind = KINDS.find(([, pattern]) => pattern.test(value));
    return kind ? [{ path, what: kind[0] }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    findSecrets(field, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
