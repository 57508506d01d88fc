import { expect, it } from 'vitest';
import { isSameModel } from '../../src/judge/same-model.ts';

it.each([
  ['claude-opus-4-6', 'claude-opus-4-6'],
  ['claude-sonnet-5-5', 'claude-sonnet-5-5-20260901'],
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
  ['claude-sonnet-4-0', 'claude-sonnet-4-20250514'],
  ['sonnet', 'claude-sonnet-5-5'],
  ['gpt-5.5', 'gpt-5.5-2026-01-01'],
  ['gemini-2.5-pro', 'gemini-2.5-pro-001'],
  ['meta/llama-4', 'llama-4'],
  ['gpt-5-latest', 'gpt-5-latest'],
  ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet'],
  ['gemini-2.5-pro', 'gemini-2.5-pro-05-06'],
])('%s may be answered by %s', (asked, answered) => {
  expect(isSameModel(asked, answered)).toBe(true);
});

it.each([
  ['claude-opus-4-6', 'totally-other-model'],
  ['claude-opus-4', 'claude-opus-4-6'],
  ['gpt-5', 'gpt-5-mini'],
  ['gpt-5', 'gpt-5.5'],
  ['sonnet', 'claude-haiku-4-5'],
  ['house', 'warehouse-1'],
  ['gpt-5', 'gpt-5-2026-01-01-mini'],
  ['gpt-5', 'gpt-5-mini-2026-01-01'],
  ['gemini-2.5-pro', 'gemini-2.5-pro-5-06'],
  ['gemini-2.5-pro', 'gemini-2.5-pro-05-6'],
  ['gemini-2.5-pro', 'gemini-2.5-pro-ab-cd'],
  ['model-0-large', 'model-large'],
])('%s is not %s', (asked, answered) => {
  expect(isSameModel(asked, answered)).toBe(false);
});
