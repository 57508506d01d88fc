/** Finds what looks like a secret, and takes it out. */

export interface SecretFound {
  /** Such as `GitHub token`. */
  readonly kind: string;
  readonly index: number;
  readonly length: number;
}

/** `known`: values that are secret whatever they look like. Too short ones are left: they occur by chance. */
export function findSecrets(text: string, known: readonly string[] = []): SecretFound[] {
  const found: SecretFound[] = [];
  const add = (kind: string, index: number, length: number) => {
    const overlaps = found.some((it) => index < it.index + it.length && it.index < index + length);
    if (!overlaps) found.push({ kind, index, length });
  };
  for (const value of known.filter((it) => it.length >= MIN_KNOWN_LENGTH)) {
    for (const form of new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) {
        add('a key of this machine', at, form.length);
      }
    }
  }
  for (const [kind, shape] of SHAPES) {
    for (const match of text.matchAll(shape)) add(kind, match.index, match[0].length);
  }
  for (const match of text.matchAll(NAMED_VALUE)) {
    const value = match[1] ?? '';
    if (isRandom(value))
      add('a value after the name of a secret', match.index + match[0].length - value.length, value.length);
  }
  return found.sort((a, b) => a.index - b.index);
}

export function scrub(text: string, known: readonly string[] = []): string {
  let end = 0;
  let clean = '';
  for (const { kind, index, length } of findSecrets(text, known)) {
    clean += `${text.slice(end, index)}[${kind} removed]`;
    end = index + length;
  }
  return clean + text.slice(end);
}

const MIN_KNOWN_LENGTH = 8;

/** By the shapes that providers give to their keys, and no shorter than theirs. */
const SHAPES: readonly (readonly [string, RegExp])[] = [
  ['private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g],
  ['Anthropic key', /\bsk-ant-[\w-]{20,}/g],
  ['OpenAI key', /\bsk-(?:proj|svcacct|admin|None)-[\w-]{20,}/g],
  ['OpenAI key', /\bsk-[A-Za-z0-9]{32,}\b/g],
  ['Google key', /\bAIza[\w-]{35}/g],
  ['Google token', /\bya29\.[\w-]{20,}/g],
  ['AWS key', /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{60,})/g],
  ['GitLab token', /\bglpat-[\w-]{20,}/g],
  ['Slack token', /\bxox[abeprs]-[\w-]{10,}/g],
  ['Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['Hugging Face token', /\bhf_[A-Za-z]{30,}\b/g],
  ['JWT', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g],
  ['password in a URL', /(?<=\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/:@⟦]{3,}(?=@[\w.-])/g],
];

/** `authorization: Bearer x`, `"api_key": "x"`, `AWS_SECRET_ACCESS_KEY=x`. */
const NAMED_VALUE =
  /(?:authorization|api[-_]?key|access[-_]?key|secret|token|passw(?:or)?d)["'\\]{0,2}\s{0,3}[:=]\s{0,3}["'\\]{0,2}(?:(?:bearer|basic|token)\s+)?([A-Za-z0-9+/_=.~-]{20,})/gi;

/** A word, a path or a name is no secret: a random value has letters, digits and no pattern. */
function isRandom(value: string): boolean {
  if (!/[a-z]/i.test(value) || !/\d/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  const bits = [...counts.values()].reduce((sum, count) => {
    const share = count / value.length;
    return sum - share * Math.log2(share);
  }, 0);
  return bits >= 3.5;
}
