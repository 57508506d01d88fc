import { describe, expect, it } from 'vitest';
import { type ListedModel, readJudgeName, resolveForApi, resolveForCli } from '../../src/judge/model-name.ts';
import { UserError } from '../../src/model/errors.ts';

const error = (run: () => unknown) => {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof UserError) return [thrown.message, ...thrown.hints];
  }
  throw new Error('no UserError was thrown');
};

describe('readJudgeName', () => {
  it.each([
    ['claude-sonnet-5-5', { provider: 'anthropic', model: 'claude-sonnet-5-5' }],
    ['claude-3-opus-20240229', { provider: 'anthropic', model: 'claude-3-opus-20240229' }],
    ['gpt-5.5', { provider: 'openai', model: 'gpt-5.5' }],
    ['o4-mini', { provider: 'openai', model: 'o4-mini' }],
    ['codex-mini-latest', { provider: 'openai', model: 'codex-mini-latest' }],
    ['gemini-2.5-pro', { provider: 'google', model: 'gemini-2.5-pro' }],
    ['anthropic/house-model', { provider: 'anthropic', model: 'house-model' }],
    ['anthropic/house', { provider: 'anthropic', model: 'house' }],
    ['openai/meta/llama-4', { provider: 'openai', model: 'meta/llama-4' }],
    ['google/gemini-x', { provider: 'google', model: 'gemini-x' }],
    ['claude-sonnet', { provider: 'anthropic', family: 'sonnet' }],
    ['claude-opus', { provider: 'anthropic', family: 'opus' }],
    ['claude-haiku', { provider: 'anthropic', family: 'haiku' }],
    ['claude-other', { provider: 'anthropic', family: 'other' }],
    ['sonnet', { provider: 'anthropic', family: 'sonnet' }],
    ['anthropic/opus', { provider: 'anthropic', family: 'opus' }],
    ['gpt', { provider: 'openai', family: 'gpt' }],
  ])('reads %s', (name, meaning) => {
    expect(readJudgeName(name)).toEqual(meaning);
  });

  it('says how to write a name that it does not know', () => {
    expect(error(() => readJudgeName('llama-4'))).toMatchInlineSnapshot(`
      [
        "judge "llama-4": it is not clear whose model this is",
        "put the provider in front:  anthropic/llama-4, openai/llama-4, google/llama-4",
      ]
    `);
    expect(error(() => readJudgeName('meta/llama-4'))).toMatchInlineSnapshot(`
      [
        "judge "meta/llama-4": there is no provider "meta"",
        "providers: anthropic, openai, google",
        "a server that speaks their API:  set ANTHROPIC_BASE_URL or OPENAI_BASE_URL, and write openai/<model> or anthropic/<model>",
      ]
    `);
    expect(error(() => readJudgeName('openai/'))[0]).toBe('judge "openai/": it names no model');
    for (const name of ['', ' ', 'claude-', 'constructor', 'o', '/']) error(() => readJudgeName(name));
  });

  it.each([
    ['claude-s', 'sonnet'],
    ['claude-son', 'sonnet'],
    ['claude-sonet', 'sonnet'],
    ['claude-opu', 'opus'],
    ['claude-o', 'opus'],
    ['claude-hiaku', 'haiku'],
  ])('takes %s for a mistake', (name, family) => {
    expect(error(() => readJudgeName(name))).toEqual([
      `judge ${JSON.stringify(name)}: there is no such family`,
      `did you mean claude-${family}?`,
    ]);
  });

  it.each([
    'google/../../v1/messages',
    'google/..',
    'openai/a/./b',
    'openai//x',
    'openai/a b',
    'google/x?y',
    'gemini-../x',
  ])('refuses %j, which is no id', (name) => {
    expect(error(() => readJudgeName(name))[0]).toMatch(/cannot be the id of a model|there is no provider/);
  });
});

describe('resolving', () => {
  const list: ListedModel[] = [
    { id: 'claude-sonnet-4-5', createdAt: 2 },
    { id: 'claude-sonnet-5-5', createdAt: 9 },
    { id: 'claude-opus-5-5', createdAt: 10 },
    { id: 'claude-3-sonnet', createdAt: null },
  ];

  it('takes the newest of a family, and an id as it is', () => {
    expect(resolveForApi(readJudgeName('claude-sonnet'), list)).toBe('claude-sonnet-5-5');
    expect(resolveForApi(readJudgeName('claude-x-1'), [])).toBe('claude-x-1');
    const gpt = ['gpt-5.5-mini', 'gpt-5.4', 'gpt-5.5', 'gpt-realtime', 'gpt-5.5-2026-01-01'];
    const models = gpt.map((id, index) => ({ id, createdAt: index }));
    expect(resolveForApi(readJudgeName('gpt'), models)).toBe('gpt-5.5');
  });

  it.each([
    ['claude-sonnet', ['claude-sonnet-4-10', 'claude-sonnet-4-5', 'claude-3-7-sonnet-20250219'], 0],
    ['claude-sonnet', ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4'], 1],
    ['claude-sonnet', ['claude-3-7-sonnet-20250219', 'claude-sonnet-4'], 1],
    ['gpt', ['gpt-5.4', 'gpt-5.10', 'gpt-4'], 1],
    ['claude-fable', ['claude-fable-1', 'claude-sonnet-9', 'claude-fableish-2'], 0],
  ])('tells the newest of %s by its version when there are no dates: %j', (name, ids, newest) => {
    const models = ids.map((id) => ({ id, createdAt: null }));
    expect(resolveForApi(readJudgeName(name), models)).toBe(ids[newest]);
    // One date does not make an order.
    const [first, ...rest] = models.toReversed();
    const mixed = [...(first ? [{ ...first, createdAt: 1 }] : []), ...rest];
    expect(resolveForApi(readJudgeName(name), mixed)).toBe(ids[newest]);
  });

  it.each(['claude-nonsense', 'claude-claude', 'claude-us'])('knows no family %s', (name) => {
    expect(error(() => resolveForApi(readJudgeName(name), list))[0]).toContain('have none of the family');
    expect(error(() => resolveForCli(readJudgeName(name)))[1]).toContain('it knows claude-sonnet');
  });

  it('names what there is when the family is not', () => {
    expect(error(() => resolveForApi(readJudgeName('haiku'), list))).toEqual([
      'judge: the models of anthropic have none of the family haiku',
      'they have: claude-sonnet-4-5, claude-sonnet-5-5, claude-opus-5-5, claude-3-sonnet',
    ]);
    expect(error(() => resolveForApi(readJudgeName('haiku'), []))[1]).toContain('is empty');
  });

  it('gives Claude Code its own alias, and Codex an id only', () => {
    expect(resolveForCli(readJudgeName('claude-sonnet'))).toBe('sonnet');
    expect(resolveForCli(readJudgeName('gpt-5.5'))).toBe('gpt-5.5');
    expect(error(() => resolveForCli(readJudgeName('gpt')))[1]).toContain('by its id');
  });
});
