import { expect, it } from 'vitest';
import { KINDS } from '../../../src/load/formats/agentv/assertions.ts';
import { SUITE_KEYS, TEST_KEYS } from '../../../src/load/formats/agentv/keys.ts';
import { ASSERTION_TYPES, evalYaml } from '../../../src/model/eval-yaml.ts';
import { jsonSchema } from '../../../src/model/schemas.ts';

it('the schema for editors speaks of what the reader reads', () => {
  expect([...ASSERTION_TYPES].sort()).toEqual(Object.keys(KINDS).sort());
  const { properties } = jsonSchema('eval-yaml') as {
    properties: Record<string, { anyOf: { items: { anyOf: { properties: object }[] } }[] }>;
  };
  const ofTests = properties['tests']?.anyOf[0]?.items.anyOf[0]?.properties ?? {};
  expect(SUITE_KEYS).toEqual(expect.arrayContaining(Object.keys(properties)));
  expect(TEST_KEYS).toEqual(expect.arrayContaining(Object.keys(ofTests)));
  expect(Object.keys(ofTests)).toContain('criteria');
});

it('the schema takes what people write, and not what no reader could', () => {
  const test = { id: 'a', input: 'Hi', assert: ['Is kind', { type: 'contains', value: 'x', weight: 2 }] };
  expect(evalYaml.safeParse({ tests: [test, './more.yaml'], governance: {} }).success).toBe(true);
  expect(evalYaml.safeParse({ tests: './cases' }).success).toBe(true);
  for (const wrong of [
    {},
    { tests: 3 },
    { tests: [{ ...test, id: [] }] },
    { tests: [{ ...test, assert: [3] }] },
  ])
    expect(evalYaml.safeParse(wrong).success).toBe(false);
});
