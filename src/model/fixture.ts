/** agentcarousel fixtures: `fixture.yaml`, `fixture.toml`, and the answers in `mocks/*.json`. */
import { z } from 'zod';
import { MAX_CASE_SECONDS } from './case.ts';
import { EVALUATORS } from './evaluators.ts';
import { envMap } from './names.ts';

const text = z.string();
const filled = text.refine((it) => it.trim() !== '', { error: 'must not be empty' }).meta({ minLength: 1 });
const tags = z.array(filled);
const evaluator = z.enum(EVALUATORS);
const json = z.json();
const share = z.number().min(0, { error: 'must be 0 to 1' }).max(1, { error: 'must be 0 to 1' });
const seconds = z
  .int({ error: 'must be a whole number of seconds' })
  .min(1, { error: 'must be 1 or more' })
  .max(MAX_CASE_SECONDS, { error: `must be ${MAX_CASE_SECONDS} seconds (a day) at most` });

const assertion = z.strictObject({
  kind: z.enum(['contains', 'not_contains', 'equals', 'regex', 'json_path', 'golden_diff']),
  value: text.describe('What the answer is compared with'),
  field: text
    .describe('Part of the answer’s JSON: a top-level key, a JSON pointer (/a/0) or a JSONPath ($.a[0])')
    .nullish(),
});

const toolCall = z.strictObject({
  tool: filled,
  args_match: json.describe('Arguments that the call must have; it may have more').optional(),
  order: z
    .enum(['strict', 'subsequence', 'unordered'])
    .describe('strict: these calls and no others. Default: subsequence')
    .nullish(),
});

const rubricItem = z.strictObject({
  id: filled,
  description: filled,
  weight: z.number().min(0, { error: 'must not be negative' }).describe('Relative to the other items'),
  auto_check: assertion.describe('Scores the item without a judge').nullish(),
  critical: z.boolean().describe('Without it the case does not pass').nullish(),
});

const message = z.strictObject({
  role: z.enum(['user', 'assistant', 'system', 'tool', 'model']),
  content: text,
});

export const fixtureCase = z.strictObject({
  id: filled.describe('<skill_or_agent>/<name>'),
  description: text.nullish(),
  tags: tags
    .describe('smoke, happy-path, error-handling, edge-case, certification, deferred, or others')
    .nullish(),
  input: z.strictObject({
    messages: z.array(message).min(1, { error: 'must have at least one message' }),
    context: z.record(text, json).describe('Given to the agent below the first message').nullish(),
    env_overrides: envMap.describe('Environment variables; nothing secret').nullish(),
  }),
  expected: z.strictObject({
    tool_sequence: z.array(toolCall).nullish(),
    output: z.array(assertion).nullish(),
    rubric: z.array(rubricItem).nullish(),
  }),
  evaluator_config: z
    .strictObject({
      evaluator: evaluator.nullish(),
      golden_path: filled.describe('Relative to the fixture, or to a folder above it').nullish(),
      golden_threshold: share.describe('Similarity from which on it passes; default 0.9').nullish(),
      golden_normalize_whitespace: z.boolean().nullish(),
      process_cmd: z
        .array(text)
        .min(1, { error: 'must name a program' })
        .describe('Gets {case, result} as JSON, prints {scores, passed}')
        .nullish(),
      judge_prompt: text.describe('What else the judge should know').nullish(),
      effectiveness_threshold: share.describe('Score from which on the case passes; default 0.7').nullish(),
    })
    .nullish(),
  timeout_secs: seconds.nullish(),
  seed: z.int({ error: 'must be a whole number' }).min(0, { error: 'must be 0 or more' }).nullish(),
});

export const fixture = z.strictObject({
  $schema: text.optional(),
  schema_version: z.literal(1, { error: 'must be 1' }),
  skill_or_agent: text.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
    error: 'must be kebab-case: a-z, 0-9 and single hyphens between them',
  }),
  bundle_id: filled.optional(),
  bundle_version: filled.describe('SemVer is recommended').optional(),
  certification_track: z.enum(['none', 'candidate', 'stable', 'trusted']).optional(),
  risk_tier: z.enum(['low', 'medium', 'high']).optional(),
  data_handling: z.enum(['synthetic-only', 'no-pii', 'pii-reviewed']).optional(),
  defaults: z
    .strictObject({
      timeout_secs: seconds.nullish(),
      tags: tags.describe('Added to the tags of every case').nullish(),
      evaluator: evaluator.nullish(),
    })
    .nullish(),
  cases: z.array(fixtureCase).min(1, { error: 'must have at least one case' }),
});

/** The document around its cases, each of which is read by itself. */
export const fixtureFrame = fixture.extend({
  cases: z.array(z.unknown()).min(1, { error: 'must have at least one case' }),
});

export const fixtureMocks = z.array(
  z.strictObject({
    tool: filled.describe('agent_response: the answer of the agent itself'),
    args_match: json.describe('For agent_response: {"case_id": "…"}').optional(),
    response: json.describe('A text, or {content, tool_calls: [{tool, args, result}]}'),
  }),
);

export type FixtureFrame = z.output<typeof fixtureFrame>;
export type FixtureCase = z.output<typeof fixtureCase>;
export type FixtureAssertion = z.output<typeof assertion>;
export type FixtureToolCall = z.output<typeof toolCall>;
export type FixtureMock = z.output<typeof fixtureMocks>[number];
