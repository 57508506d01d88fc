/** What secrets look like: by the shapes that providers give to their keys, and no shorter than theirs. */

export interface SecretShape {
  /** Such as `GitHub token`. */
  readonly kind: string;
  /** One of these stands in each: quickly looked for, before the shape is. */
  readonly marks: readonly string[];
  /** What it calls `before` is no part of the secret. */
  readonly shape: RegExp;
  /** So peculiar that it is one even in the middle of a word. */
  readonly anywhere?: boolean;
}

export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    kind: 'private key',
    marks: ['PRIVATE KEY-----'],
    shape: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    anywhere: true,
  },
  { kind: 'Anthropic key', marks: ['sk-ant-'], shape: /sk-ant-[a-z]{2,10}\d{2}-[\w-]{20,}/g, anywhere: true },
  { kind: 'Anthropic key', marks: ['sk-ant-'], shape: /sk-ant-[\w-]{20,}/g },
  { kind: 'OpenRouter key', marks: ['sk-or-v'], shape: /sk-or-v\d-[\w-]{20,}/g, anywhere: true },
  { kind: 'OpenAI key', marks: ['sk-'], shape: /sk-(?:proj|svcacct|admin|None)-[\w-]{20,}/g },
  { kind: 'OpenAI key', marks: ['sk-'], shape: /sk-[A-Za-z0-9]{32,}/g },
  { kind: 'OpenAI token', marks: ['rt_'], shape: /rt_[\w-]{20,}(?:\.[\w-]+)*/g },
  { kind: 'xAI key', marks: ['xai-'], shape: /xai-[A-Za-z0-9]{20,}/g },
  { kind: 'Groq key', marks: ['gsk_'], shape: /gsk_[A-Za-z0-9]{20,}/g },
  { kind: 'Perplexity key', marks: ['pplx-'], shape: /pplx-[A-Za-z0-9]{20,}/g, anywhere: true },
  { kind: 'Google key', marks: ['AIza'], shape: /AIza[\w-]{35}/g, anywhere: true },
  { kind: 'Google token', marks: ['ya29.'], shape: /ya29\.[\w-]{20,}/g },
  { kind: 'Google token', marks: ['GOCSPX-'], shape: /GOCSPX-[\w-]{20,}/g, anywhere: true },
  {
    kind: 'AWS key',
    marks: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    shape: /(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Z0-9])/g,
  },
  {
    kind: 'Azure key',
    marks: ['AccountKey=', 'SharedAccessKey='],
    shape: /(?<=(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40,}={0,2}/g,
    anywhere: true,
  },
  {
    kind: 'GitHub token',
    marks: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    shape: /gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{60,}/g,
    anywhere: true,
  },
  {
    kind: 'GitLab token',
    marks: ['gl'],
    shape: /gl(?:pat|rt|rtr|dt|oas|soat|ptt|cbt|ft|imt|agent)-[\w-]{20,}/g,
  },
  {
    kind: 'Slack token',
    marks: ['xox', 'xapp-'],
    shape: /xox[abeprs]-[\w-]{10,}|xapp-\d-[\w-]{20,}/g,
    anywhere: true,
  },
  {
    kind: 'Slack webhook',
    marks: ['hooks.slack.com/'],
    shape: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,}/g,
  },
  { kind: 'SendGrid key', marks: ['SG.'], shape: /SG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: 'DigitalOcean token', marks: ['_v1_'], shape: /do[opr]_v1_[0-9a-f]{40,}/g, anywhere: true },
  {
    kind: 'Stripe key',
    marks: ['k_live_', 'k_test_', 'whsec_'],
    shape: /[rs]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}/g,
  },
  { kind: 'npm token', marks: ['npm_'], shape: /npm_[A-Za-z0-9]{36,}/g },
  { kind: 'PyPI token', marks: ['pypi-AgE'], shape: /pypi-AgE[\w-]{50,}/g, anywhere: true },
  {
    kind: 'Docker token',
    marks: ['dckr_'],
    shape: /dckr_(?:pat|oat)_[\w-]{20,}/g,
    anywhere: true,
  },
  { kind: 'Hugging Face token', marks: ['hf_'], shape: /hf_[A-Za-z0-9]{30,}/g },
  {
    kind: 'JWT',
    marks: ['.eyJ'],
    // Of each word only the first beginning is tried: from all of them a long word would be searched to its end.
    shape: /(?<![\w-])(?=(?<before>[\w-]*?)eyJ)\k<before>eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
    anywhere: true,
  },
  {
    kind: 'password in a URL',
    marks: ['://'],
    shape: /(?<=[a-z0-9]:\/\/[^\s/:@]*:)[^\s/:@⟦]{3,}(?=@[\w.-])/g,
    anywhere: true,
  },
];

/** `authorization: Bearer x`, `"api_key": "x"`, `AWS_SECRET_ACCESS_KEY=x`. */
export const NAMED_VALUE =
  /(?:authorization|api[-_]?key|access[-_]?key|secret|token|passw(?:or)?d)["'\\]{0,2}\s{0,3}[:=]\s{0,3}["'\\]{0,2}(?:(?:bearer|basic|token)\s+)?([A-Za-z0-9+/_=.~-]{20,})/gi;

/** A word, a path or a name is no secret: a random value has letters, digits and no pattern. */
export function isRandom(value: string): boolean {
  if (!/[a-z]/i.test(value) || !/\d/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  const bits = [...counts.values()].reduce((sum, count) => {
    const share = count / value.length;
    return sum - share * Math.log2(share);
  }, 0);
  return bits >= 3.5;
}
