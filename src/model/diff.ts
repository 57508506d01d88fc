/** The comparison of two reports: `aam eval diff --json`. */
import { z } from 'zod';

const text = z.string();
const count = z.number();
const verdict = z.enum(['PASS', 'FAIL', 'SKIP']);
const interval = z.tuple([count, count]).describe('95 %: low, high');

const side = z.object({
  path: text,
  id: text,
  timestamp: text,
  package: text.describe('Name and version'),
  engine: text.describe('Runtime, version and model'),
  judge: text.nullable(),
  exit_code: count,
  summary: z.object({ total: count, passed: count, failed: count, skipped: count }),
});

/** `difference` is b - a; null where one side is not known. */
const delta = z.object({ a: count.nullable(), b: count.nullable(), difference: count.nullable() });

const caseSide = z.object({
  verdict,
  passed: count,
  decided: count,
  total: count,
  pass_rate: count.nullable(),
  interval: interval.nullable(),
  score: count.optional().describe('Mean per trial, of formats that score'),
  seconds: count.nullable().describe('Mean per trial'),
  tokens: count.nullable().describe('Mean per trial; null: not counted'),
  cost_usd: count.nullable().describe('Mean per trial; null: not known'),
  error: text.nullable(),
  capture: text.nullable(),
});

const caseDiff = z.object({
  name: text,
  target: text.nullable(),
  change: z
    .enum([
      'regressed',
      'improved',
      'unchanged',
      'newly-undecided',
      'newly-decided',
      'not-comparable',
      'added',
      'removed',
    ])
    .describe('Of the verdict'),
  kept_out: text
    .nullable()
    .describe('Why the conclusion does not rest on it: its definition or its graders changed; null: it does'),
  a: caseSide.nullable().describe('null: added'),
  b: caseSide.nullable().describe('null: removed'),
});

export const evalDiff = z.object({
  version: z.literal(1),
  a: side,
  b: side,
  comparable: z.boolean().describe('At least one case is decided in both by the same graders'),
  conclusion: z.enum(['better', 'worse', 'no-evidence']),
  reason: text.describe('The conclusion in one sentence'),
  test: z
    .object({
      method: text,
      cases: count.describe('Decided in both, with the same definition and graders'),
      pass_rate: z.object({ a: count, b: count, difference: count }).describe('Mean over these cases'),
      interval: interval.describe('Of the difference'),
      p_value: count,
      runs_needed: count
        .nullable()
        .describe(
          'Per case, in each run, to see the observed difference 4 times out of 5; null: there is none',
        ),
    })
    .nullable(),
  counts: z.object({
    regressed: count,
    improved: count,
    unchanged: count,
    newly_undecided: count,
    newly_decided: count,
    not_comparable: count,
    added: count,
    removed: count,
  }),
  deltas: z
    .object({ pass_rate: delta, score: delta.optional(), seconds: delta, tokens: delta, cost_usd: delta })
    .describe('Means over the cases that are in both; per trial, but for the pass rate'),
  changes: z
    .array(z.object({ what: text, a: text.nullable(), b: text.nullable() }))
    .describe('What else is different between the two runs'),
  notes: z.array(text).describe('What to know before trusting the conclusion'),
  significant: z.boolean().describe('Whether a regression needs evidence: --significant'),
  exit_code: count.describe('0 no regression · 1 regression · 2 not comparable'),
  cases: z.array(caseDiff),
});

export type EvalDiff = z.output<typeof evalDiff>;
export type CaseDiff = z.output<typeof caseDiff>;
export type CaseSide = z.output<typeof caseSide>;
