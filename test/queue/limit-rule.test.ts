import { describe, expect, it } from 'vitest';
import { parseLimit, parseTarget, rateOf, targetOf } from '../../src/queue/limit-rule.ts';

describe('a limit', () => {
  it.each([
    ['anthropic=60/min', { provider: 'anthropic', model: null, requests: 60, per: 'min' }],
    [
      'anthropic/claude-sonnet-4-5=1000/hour',
      { provider: 'anthropic', model: 'claude-sonnet-4-5', requests: 1000, per: 'hour' },
    ],
    ['openai/gpt-5.4=10/s', { provider: 'openai', model: 'gpt-5.4', requests: 10, per: 's' }],
    ['google/models/a=b=1/day', { provider: 'google', model: 'models/a=b', requests: 1, per: 'day' }],
  ])('%s', (text, rule) => {
    const parsed = parseLimit(text);
    expect(parsed).toEqual(rule);
    expect(`${targetOf(parsed)}=${rateOf(parsed)}`).toBe(text);
  });

  it.each([
    ['anthropic', 'there is no "=" between what is limited and how often it may be asked'],
    ['', 'there is no "=" between what is limited and how often it may be asked'],
    ['antropic=1/min', '"antropic" is not a provider: it is one of anthropic, openai, google'],
    ['constructor=1/min', '"constructor" is not a provider: it is one of anthropic, openai, google'],
    ['anthropic/=1/min', 'after the "/" comes the id of a model or its beginning, without spaces'],
    ['anthropic/a b=1/min', 'after the "/" comes the id of a model or its beginning, without spaces'],
    ['anthropic=0/min', '"0" is not a whole number from 1 to 1000000'],
    ['anthropic=-1/min', '"-1" is not a whole number from 1 to 1000000'],
    ['anthropic=1.5/min', '"1.5" is not a whole number from 1 to 1000000'],
    ['anthropic=1000001/min', '"1000001" is not a whole number from 1 to 1000000'],
    ['anthropic=60', 'after the number comes one of /s, /min, /hour, /day'],
    ['anthropic=60/week', 'after the number comes one of /s, /min, /hour, /day'],
    ['anthropic=60/toString', 'after the number comes one of /s, /min, /hour, /day'],
    ['anthropic=60/min/2', 'after the number comes one of /s, /min, /hour, /day'],
  ])('%s is refused', (text, why) => {
    expect(() => parseLimit(text)).toThrow(
      expect.objectContaining({
        name: 'UserError',
        message: expect.stringContaining(`is not a limit: ${why}`),
        hints: ['write it like  anthropic=60/min  or  anthropic/claude-sonnet-4-5=1000/hour'],
      }),
    );
  });

  it('can be named without its rate', () => {
    expect(parseTarget('openai')).toEqual({ provider: 'openai', model: null });
    expect(parseTarget('openai/gpt')).toEqual({ provider: 'openai', model: 'gpt' });
  });
});
