/** Deterministic tests of skills and hooks: `tests/test-config.json` and `tests/cases/*.yaml`. */
import { z } from 'zod';
import { caseName, envMap, seconds } from './names.ts';
import { jsonDocument, record } from './on-disk.ts';

const text = z.string();
const list = z.array(text);
const exitCode = z
  .int({ error: 'must be a whole number' })
  .min(0, { error: 'must be 0 to 255' })
  .max(255, { error: 'must be 0 to 255' });

export const testConfig = jsonDocument({
  version: z.literal(1, { error: 'must be 1' }),
  timeout: seconds.default(30),
  env: envMap.default({}),
});

export const skillTestCase = record({
  name: caseName,
  description: text.optional(),
  input: record({
    command: text
      .refine((it) => it.trim() !== '', { error: 'must not be empty' })
      .refine((it) => !it.includes('\0'), { error: 'must not contain a NUL character' })
      .max(100_000, { error: 'must be 100,000 characters at most' })
      .describe('Shell command, run in the skill’s folder'),
    stdin: text.nullable().optional(),
    files: list.describe('Files the command needs, relative to the skill’s folder').optional(),
  }),
  expected: record({
    'exit-code': exitCode.default(0),
    'stdout-contains': list.optional(),
    'stderr-contains': list.optional(),
    'not-contains': list.describe('In neither stdout nor stderr').optional(),
    'stdout-json': z.json().describe('Every part given here must be in the JSON on stdout').optional(),
  }).prefault({}),
});

export const hookTestCase = record({
  name: caseName,
  description: text.optional(),
  event: text.describe('pre-tool-use, post-tool-use, pre-prompt…'),
  'hook-index': z
    .int({ error: 'must be a whole number' })
    .min(0, { error: 'must be 0 or more' })
    .default(0)
    .describe('Which group of the event'),
  input: record({
    fixture: text.describe('Event payload, relative to hooks/tests/').optional(),
    overrides: z.record(text, z.json()).describe('dot.path → value, laid over the fixture').optional(),
  }).prefault({}),
  expected: record({
    'exit-code': exitCode.optional(),
    'stdout-contains': list.optional(),
    'stderr-contains': list.optional(),
    'not-contains': list.describe('In neither stdout nor stderr').optional(),
    'stdout-json': z.json().describe('Every part given here must be in the JSON on stdout').optional(),
  }).prefault({}),
});

export type TestConfig = z.output<typeof testConfig>;
export type SkillTestCase = z.output<typeof skillTestCase>;
export type HookTestCase = z.output<typeof hookTestCase>;
export type Expectation = HookTestCase['expected'];
export type Json = z.core.util.JSONType;
