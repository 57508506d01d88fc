import { describe, expect, it } from 'vitest';
import { findSecrets, scrub } from '../../../src/gateway/tape/scrub.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const r = (count: number) => 'a1B2c3D4e5F6g7H8'.repeat(8).slice(0, count);

describe('looking for secrets', () => {
  it.each([
    ['Anthropic key', `sk-ant-api03-${r(40)}`],
    ['OpenAI key', `sk-proj-${r(40)}`],
    ['OpenAI key', `sk-${r(48)}`],
    ['Google key', `AIza${r(35)}`],
    ['AWS key', 'AKIAIOSFODNN7EXAMPLE'],
    ['GitHub token', `ghp_${r(36)}`],
    ['GitHub token', `github_pat_${r(70)}`],
    ['GitLab token', `glpat-${r(20)}`],
    ['Slack token', `xoxb-${r(20)}`],
    ['npm token', `npm_${r(36)}`],
    ['JWT', `eyJ${r(20)}.eyJ${r(30)}.${r(30)}`],
    ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${r(60)}\n-----END RSA PRIVATE KEY-----`],
    ['password in a URL', 'hunter2secret'],
  ])('finds a %s', (kind, secret) => {
    const text =
      kind === 'password in a URL' ? `git clone https://me:${secret}@example.org/x` : `it is ${secret} there`;
    expect(findSecrets(text).map((it) => it.kind)).toEqual([kind]);
    expect(scrub(text)).not.toContain(secret);
    expect(scrub(text)).toContain(`[${kind} removed]`);
    expect(findSecrets(scrub(text))).toEqual([]);
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
    const key = 'plain "key" ü';
    const forms = [key, JSON.stringify(key), encodeURIComponent(key)];
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
  ])('leaves alone: %s', (text) => {
    expect(findSecrets(text)).toEqual([]);
  });
});
