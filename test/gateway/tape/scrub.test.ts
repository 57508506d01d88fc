import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecrets, scrub } from '../../../src/gateway/tape/scrub.ts';
import { spokenText } from '../../../src/gateway/tape/spoken.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const r = (count: number) => 'a1B2c3D4e5F6g7H8'.repeat(8).slice(0, count);

const SECRETS: readonly (readonly [string, string])[] = [
  ['Anthropic key', `sk-ant-api03-${r(40)}`],
  ['Anthropic key', `sk-ant-${r(40)}`],
  ['OpenRouter key', `sk-or-v1-${r(64)}`],
  ['OpenAI key', `sk-proj-${r(40)}`],
  ['OpenAI key', `sk-${r(48)}`],
  ['OpenAI token', `rt_${r(60)}`],
  ['xAI key', `xai-${r(80)}`],
  ['Groq key', `gsk_${r(52)}`],
  ['Perplexity key', `pplx-${r(48)}`],
  ['Google key', `AIza${r(35)}`],
  ['Google token', `ya29.${r(60)}`],
  ['AWS key', 'AKIAIOSFODNN7EXAMPLE'],
  ['Azure key', `${r(86)}==`],
  ['GitHub token', `ghp_${r(36)}`],
  ['GitHub token', `github_pat_${r(70)}`],
  ['GitLab token', `glpat-${r(20)}`],
  ['GitLab token', `glrt-t1_${r(20)}`],
  ['Slack token', `xoxb-${r(20)}`],
  ['Slack webhook', `hooks.slack.com/services/T${r(9)}/B${r(9)}/${r(24)}`],
  ['SendGrid key', `SG.${r(22)}.${r(43)}`],
  ['DigitalOcean token', `dop_v1_${'0123456789abcdef'.repeat(4)}`],
  ['Stripe key', `sk_live_${r(24)}`],
  ['npm token', `npm_${r(36)}`],
  ['Hugging Face token', `hf_${r(34)}`],
  ['JWT', `eyJ${r(20)}.eyJ${r(30)}.${r(30)}`],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${r(60)}\n-----END RSA PRIVATE KEY-----`],
  ['password in a URL', 'hunter2secret'],
];

/** Some are known by what stands around them. */
function around(kind: string, secret: string): string {
  if (kind === 'password in a URL') return `https://me:${secret}@example.org/x`;
  return kind === 'Azure key' ? `AccountKey=${secret};EndpointSuffix=x` : secret;
}

describe('looking for secrets', () => {
  it.each(SECRETS)('finds a %s', (kind, secret) => {
    const text = `it is ${around(kind, secret)} there`;
    expect(findSecrets(text).map((it) => it.kind)).toEqual([kind]);
    expect(scrub(text)).not.toContain(secret);
    expect(scrub(text)).toContain(`[${kind} removed]`);
    expect(findSecrets(scrub(text))).toEqual([]);
  });

  const WRAPS: Readonly<Record<string, (text: string) => string>> = {
    json: (text) => JSON.stringify({ reason: text, more: 1 }),
    'json with escaped slashes': (text) => JSON.stringify([text]).replaceAll('/', '\\/'),
    'json with numbers for signs': (text) =>
      JSON.stringify(text).replace(/[-_.=]/g, (it) => `\\u00${it.charCodeAt(0).toString(16)}`),
    url: (text) => `https://example.org/?q=${encodeURIComponent(text)}`,
    prose: (text) => `He said:\n\t${text}\n`,
    stream: (text) =>
      [text.slice(0, text.length / 2), text.slice(text.length / 2)]
        .map((piece) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'input_json_delta', partial_json: piece },
        }))
        .map((event) => `event: content_block_delta\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
  };
  const place = fc.constantFrom(
    '',
    ' ',
    '\n',
    '\t',
    '"',
    "'",
    '=',
    '_',
    '-',
    ':',
    '/',
    '\\',
    '%3D',
    '%253D',
    '(',
  );

  it('finds every kind, at any place, escaped at any depth', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SECRETS),
        place,
        place,
        fc.array(fc.constantFrom(...Object.keys(WRAPS)), { maxLength: 6 }),
        ([kind, secret], before, after, wraps) => {
          // With a backslash in front, letters of its beginning are read as an escape by one layer or another.
          fc.pre(!before.endsWith('\\') || wraps.length === 0);
          const inside = wraps.includes('stream') ? wraps.slice(0, wraps.indexOf('stream') + 1) : wraps;
          const isStream = inside.at(-1) === 'stream';
          const told = `${before === '' ? '' : 'x'}${before}${around(kind, secret)}${after}`;
          const text = inside.reduce((it, wrap) => WRAPS[wrap]?.(it) ?? it, told);
          const looked = isStream ? spokenText(text) : text;
          expect(findSecrets(looked).length, looked).toBeGreaterThan(0);
          const clean = scrub(looked);
          expect(findSecrets(clean)).toEqual([]);
          if (!isStream) expect(clean).not.toContain(secret.slice(0, 12));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it.each([
    `authorization: Bearer ${r(32)}`,
    `"api_key": "${r(32)}"`,
    `AWS_SECRET_ACCESS_KEY=${r(40)}`,
    `{\\"x-api-key\\":\\"${r(32)}\\"}`,
    `password = ${r(24)}`,
  ])('finds a random value after the name of a secret: %s', (text) => {
    expect(scrub(text)).not.toContain(r(20));
  });

  it('finds the keys of this machine, whatever they look like and however they are written', () => {
    const key = 'plain "key" %41\\n=&';
    const base64 = Buffer.from(`user:${key}`).toString('base64');
    const forms = [
      key,
      JSON.stringify(key),
      JSON.stringify(JSON.stringify(JSON.stringify(key))),
      encodeURIComponent(key),
      encodeURIComponent(JSON.stringify(key)),
      base64,
      Buffer.from(key).toString('base64url'),
      encodeURIComponent(base64),
      `${base64.slice(0, 12)}\n${base64.slice(12)}`,
      JSON.stringify(`${base64.slice(0, 12)}\n${base64.slice(12)}`),
    ];
    for (const form of forms) expect(scrub(`<${form}>`, [key])).toContain('[a key of this machine removed]');
    expect(scrub('short abc', ['abc'])).toBe('short abc');
  });

  it.each([
    'sk-learn is a library, and so is task-runner-with-a-long-name-and-more',
    'token: the next word of the output',
    'password: please-choose-a-longer-password',
    'secret = process.env.MY_LONG_SECRET_NAME_HERE',
    'http://127.0.0.1:8080/a@b',
    'sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'toolu_01A09q90qw90lq917835lq9 and msg_013Zva2CMHLNnXjNJJKqJ2EF',
    '"input_tokens":100,"output_tokens":7',
    'task-ant-colony-2024-optimization-run and task-9f86d081884c7d659a2feaa0c55ad015',
    'start_of_the_very_long_name_of_a_function and _rt_sigaction',
    `gAAAAABo${'Zm9vYmFy'.repeat(8)}_rt_${r(60)}`,
    'C:\\\\new\\\\task-runner-2024-with-a-long-name',
  ])('leaves alone: %s', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});
