/** The record of one `aam test` run, as `--json` prints it. */
import { z } from 'zod';

const position = {
  file: z.string(),
  line: z.number().nullable(),
  column: z.number().nullable(),
};

export const diagnosticRecord = z.object({
  severity: z.enum(['error', 'warning']),
  rule: z.string(),
  ...position,
  message: z.string(),
  hint: z.string().optional(),
});

const checkRecord = z.object({
  check: z.string().describe('exit-code, stdout-contains, stdout-json…'),
  verdict: z.enum(['PASS', 'FAIL']),
  /** One line: what was expected and what was found. */
  message: z.string(),
  expected: z.json(),
  actual: z.json(),
  /** For JSON: a readable difference. */
  diff: z.string().optional(),
  ...position,
});

const runRecord = z.object({
  command: z.string(),
  cwd: z.string().describe('Relative to the package root'),
  ended: z.enum(['exited', 'timed-out', 'aborted', 'over-limit', 'not-started']),
  exit_code: z.number().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean().describe('More was written than is kept here'),
  duration_ms: z.number(),
});

const caseRecord = z.object({
  id: z.string().describe('skill:<name>/<case>, hook:<event>/<case>, or the id of a fixture’s case'),
  name: z.string(),
  stem: z.string().describe('File name without .yaml'),
  target: z.string(),
  description: z.string().optional(),
  ...position,
  verdict: z.enum(['PASS', 'FAIL', 'SKIP']),
  duration_ms: z.number(),
  checks: z.array(checkRecord),
  runs: z.array(runRecord),
  notes: z.array(z.string()),
  error: z.string().optional(),
  error_kind: z
    .enum([
      'timeout',
      'too-much-output',
      'too-much-disk',
      'too-many-processes',
      'broken-fixture',
      'needs-model',
      'sandbox',
      'interrupted',
      'not-run',
      'no-mock',
      'ungraded',
      'check-undecided',
    ])
    .optional(),
});

const packageRecord = z.object({
  name: z.string(),
  version: z.string().nullable(),
  root: z.string(),
  cases: z.array(caseRecord),
  errors: z
    .array(diagnosticRecord)
    .describe('What is wrong in the files of the selected cases; these cases did not run'),
  warnings: z.array(diagnosticRecord),
  deferred: z.array(z.string()).optional().describe('Cases of a fixture that are not to be run yet'),
});

export const testReport = z.object({
  version: z.literal(1),
  sandbox: z
    .enum(['bubblewrap', 'none'])
    .nullable()
    .describe('null: nothing was executed, the answers of fixtures come from their mocks'),
  duration_ms: z.number(),
  summary: z.object({
    total: z.number(),
    passed: z.number(),
    failed: z.number(),
    skipped: z.number(),
    invalid: z.number().describe('Selected cases that could not be run because a file is wrong'),
  }),
  exit_code: z.number(),
  packages: z.array(packageRecord),
});

export type TestReport = z.output<typeof testReport>;
export type TestPackageRecord = z.output<typeof packageRecord>;
export type TestCaseRecord = z.output<typeof caseRecord>;
export type TestRunRecord = z.output<typeof runRecord>;
export type CheckRecord = z.output<typeof checkRecord>;
