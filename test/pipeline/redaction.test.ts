import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../src/pipeline/redaction.ts';

const KEY = 'q8Zt3Lw6Vr1Xn9Kp4Sd7Fh2Jm5';
const { json, text, value } = createRedaction([KEY]);

describe('what a run writes down', () => {
  it('is as it was where there is no secret', () => {
    const it = { a: ['sk-', 'token: none', 'https://host/x'], b: null, c: 1 };
    expect(value(it)).toBe(it);
    expect(json(it, 2)).toBe(JSON.stringify(it, null, 2));
  });

  it('has no known value in it, whole or cut off at its end', () => {
    expect(text(`${KEY} ${KEY.slice(0, 20)}… ${KEY.slice(0, 8)}`)).toBe(`[key] [key]… ${KEY.slice(0, 8)}`);
    expect(value({ a: { [KEY]: Buffer.from(KEY).toString('base64') } })).toEqual({ a: { '[key]': '[key]' } });
  });

  it('has nothing in it that looks like a key, by itself or by its name', () => {
    const said = { api_key: 'Zq7Xw2Vb9Nm4Kj6Hg1Fd3Sa5', b: 'ghp_Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8Ii9Jj0Kk1Ll2' };
    expect(value(said)).toEqual({
      api_key: '[a value after the name of a secret removed]',
      b: '[GitHub token removed]',
    });
  });

  it('stays what it is around a secret without an end', () => {
    const said = { a: '-----BEGIN PRIVATE KEY-----\nMIIE', b: ['kept'], c: { d: 2 } };
    expect(value(said)).toEqual({ ...said, a: '[private key removed]' });
  });
});
