/** The keys of a case, in all spellings that are in use. */
import type { Case } from '../../../model/case.ts';
import type { Json } from '../../../model/tests.ts';

export const PROMPTS = ['prompt', 'query', 'input', 'user_request', 'user_message'];
/** A text is a reference for the judge, a list holds assertions. */
export const EXPECTED = [
  ...['expected_output', 'expected', 'expected_behavior', 'expected_behaviour', 'expected_outputs'],
  ...['expected_checks', 'expect', 'expected_output_characteristics', 'expected_result', 'expected_outcome'],
];
export const ASSERTIONS = ['assertions', 'expectations', 'assert', 'rubric', 'criteria', 'must_include'];
/** What must not happen. */
export const FORBIDDEN = [
  ...['forbidden', 'fail', 'failure_conditions', 'anti_expectations', 'forbidden_outputs'],
  'must_not_include',
];
export const TRIGGERS = ['should_trigger', 'should_activate', 'expect_trigger'];

/** About the case, and of no consequence for its verdict. */
const INFORMATION = new Set([
  ...[
    'id',
    'name',
    'eval_name',
    'title',
    'description',
    'desc',
    'intent',
    'tags',
    'type',
    'kind',
    'category',
  ],
  ...[
    'difficulty',
    'notes',
    'note',
    'scenario',
    'reason',
    'why',
    'rationale',
    'split',
    'priority',
    'metadata',
  ],
]);

/** Whether a key has an effect, or is known to need none. Prompts and expected results are read one by one. */
export function isKnown(key: string): boolean {
  const read = [...ASSERTIONS, ...FORBIDDEN, ...TRIGGERS, 'files', 'expect_skill'];
  return INFORMATION.has(key) || read.includes(key);
}

/** All that says nothing about how to run or grade a case. */
export function metadataOf(fields: Readonly<Record<string, unknown>>): Case['metadata'] {
  const read = [
    ...PROMPTS,
    ...EXPECTED,
    ...ASSERTIONS,
    ...FORBIDDEN,
    ...TRIGGERS,
    'files',
    'prompt_file',
    'id',
  ];
  const rest = Object.entries(fields).filter(([key]) => !read.includes(key));
  return Object.fromEntries(rest) as Record<string, Json>;
}
