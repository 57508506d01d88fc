import { expect, it } from 'vitest';
import { readJsonAnswer, repeatedKey } from '../../src/judge/json-answer.ts';

it('takes JSON that says each thing once', () => {
  const text = '{"a": {"id": 1}, "b": [{"id": 2}, {"id": 3}], "id": {"a": 4}}';
  expect(readJsonAnswer(text)).toEqual({ state: 'answered', answer: JSON.parse(text) });
  expect(readJsonAnswer('null')).toEqual({ state: 'answered', answer: null });
});

it.each(['', 'PASS', '{"a": 1', '```json\n{}\n```'])('does not take %j for JSON', (text) => {
  expect(readJsonAnswer(text)).toEqual({ state: 'unusable', why: 'the answer is not JSON' });
});

it.each([
  ['at the top', '{"id": 1, "id": 2}', 'id'],
  ['inside', '{"criteria": [{"id": "x", "verdict": "FAIL", "verdict": "PASS"}]}', 'verdict'],
  ['around an object that has it too', '{"id": {"id": 1}, "id": 2}', 'id'],
  ['in other letters for the same', '{"id": 1, "\\u0069d": 2}', 'id'],
  ['the first of several', '{"a": 1, "a": 2, "b": 1, "b": 2}', 'a'],
])('takes neither of two: %s', (_, text, key) => {
  const why = `the answer has the key "${key}" twice`;
  expect(readJsonAnswer(text)).toEqual({ state: 'unusable', why });
});

it('gives up on what is nested without end', () => {
  expect(repeatedKey('['.repeat(1e6))).toBe('the answer is nested too deeply');
});
