/** AgentV's eval files, for editors. Loose: the reader knows more spellings, and tells what it does not know. */
import { z } from 'zod';

const text = z.string();
const texts = z.union([text, z.array(text)]);
const anything = z.unknown();

/** In the spelling of the format's first generation; later ones are read too. */
export const ASSERTION_TYPES = [
  ...['contains', 'contains-any', 'contains-all', 'icontains', 'icontains-any', 'icontains-all'],
  ...[
    'not-contains',
    'not-icontains',
    'starts-with',
    'ends-with',
    'equals',
    'regex',
    'is-json',
    'json-subset',
  ],
  ...['files-exist', 'file-exists', 'files-created', 'file-created', 'file-contains', 'agent-blocked'],
  ...['llm-judge', 'rubrics', 'agent-judge', 'code-judge', 'composite'],
  ...[
    'tool-trajectory',
    'field-accuracy',
    'latency',
    'cost',
    'token-usage',
    'execution-metrics',
    'skill-trigger',
  ],
  ...[
    'trajectory:tool-used',
    'trajectory:tool-args-match',
    'trajectory:tool-sequence',
    'trajectory:goal-success',
  ],
] as const;

const message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: anything.describe('A text, data, or parts: {type: text|file, value}').optional(),
});

const input = z
  .union([text, z.array(z.union([message, anything])), z.record(text, anything)])
  .describe('What is said to the agent');

const assertion = z.looseObject({
  type: z.union([z.enum(ASSERTION_TYPES), text]).optional(),
  name: text.optional(),
  include: text.describe('Assertions of another file').optional(),
  weight: z.number().min(0).optional(),
  required: z
    .union([z.boolean(), z.number().gt(0).max(1)])
    .describe('true: 0.8 must be reached')
    .optional(),
  min_score: z.number().gt(0).max(1).optional(),
  negate: z.boolean().optional(),
  value: anything.optional(),
  prompt: anything.describe('A text or the path of a file').optional(),
  command: texts.optional(),
  criteria: anything.optional(),
});

const assertions = z.array(z.union([text.describe('A criterion for the judge'), assertion]));

const execution = z.looseObject({
  target: text.optional(),
  targets: z.array(anything).optional(),
  skip_defaults: z.boolean().describe('Without the input and the assertions of the file').optional(),
  threshold: z.number().min(0).max(1).describe('Score from which a test passes; default 0.8').optional(),
  trials: z
    .looseObject({
      count: z.int().min(1).optional(),
      strategy: z.enum(['pass_at_k', 'mean', 'confidence_interval']).optional(),
      cost_limit_usd: z.number().gt(0).optional(),
    })
    .optional(),
  total_budget_usd: z.number().gt(0).optional(),
  workers: z.int().min(1).optional(),
});

const hook = z.looseObject({
  command: texts.optional(),
  cwd: text.optional(),
  timeout_ms: z.number().optional(),
});

const workspace = z.union([
  text.describe('Path of a YAML file that holds it'),
  z.looseObject({
    template: text.describe('Folder whose files are in the workspace').optional(),
    repos: z.array(z.looseObject({ path: text })).optional(),
    hooks: z
      .looseObject({
        before_all: hook.optional(),
        before_each: hook.optional(),
        after_each: hook.optional(),
        after_all: hook.optional(),
      })
      .optional(),
  }),
]);

const test = z.looseObject({
  id: z.union([text, z.number()]),
  input: input.optional(),
  input_files: texts.optional(),
  criteria: text.describe('What the judge decides where there are no assertions').optional(),
  expected_output: anything.describe('What a good result looks like').optional(),
  assert: assertions.optional(),
  assertions: assertions.optional(),
  execution: execution.optional(),
  workspace: workspace.optional(),
  vars: z.record(text, anything).optional(),
  metadata: z.record(text, anything).optional(),
  mode: z.enum(['conversation', 'single']).optional(),
  turns: z.array(z.looseObject({ input })).optional(),
});

export const evalYaml = z.looseObject({
  name: text.optional(),
  description: text.optional(),
  tests: z.union([z.array(z.union([test, text])), text]).describe('Tests, or where they are'),
  input: input.optional(),
  input_files: texts.optional(),
  assert: assertions.optional(),
  assertions: assertions.optional(),
  workspace: workspace.optional(),
  execution: execution.optional(),
});
