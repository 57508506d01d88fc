import { expect, it } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import type { Grader } from '../../src/model/grader.ts';
import { withEqualParts } from '../../src/plan/equal-parts.ts';

const grader = (text: string): Grader => ({
  id: 'contains',
  kind: 'contains',
  options: { of: 'answer', values: [text], match: 'all' },
  weight: 1,
  required: false,
  negate: false,
});

const plain = (name: string, more: Partial<Case> = {}): Case => ({
  name,
  aliases: [],
  description: null,
  target: 'skill:one',
  prompt: `Do ${name}.`,
  followUps: [],
  files: [],
  graders: [grader('done'), grader(name)],
  criteria: [],
  reference: null,
  scoring: { mode: 'all' },
  fault: null,
  metadata: {},
  file: 'evals.json',
  line: 1,
  hash: name,
  ...more,
});

it('keeps every case as it is, and what is equal in them once', () => {
  const cases = [
    plain('a'),
    plain('b', { tags: ['x'], env: { A: '1' } }),
    plain('c', { metadata: { x: 1 } }),
  ];
  const [a, b, c, ...none] = withEqualParts(structuredClone(cases));
  expect([a, b, c]).toEqual(cases);
  expect(none).toEqual([]);
  expect(b?.graders[0]).toBe(a?.graders[0]);
  expect(b?.graders[1]).not.toBe(a?.graders[1]);
  expect(b?.files).toBe(a?.followUps);
  expect(b?.scoring).toBe(c?.scoring);
  expect(b?.metadata).toBe(a?.metadata);
  expect(c?.metadata).not.toBe(a?.metadata);
});
