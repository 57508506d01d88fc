/** The record of one eval run: `evals/reports/<timestamp>.json`. */
import { z } from 'zod';

/** Stands in every form of a report but the report itself, so that one that lies in a package is known for what it is. */
export const REPORT_MARK = 'aam-eval-report';

const text = z.string();
const count = z.number();

const usage = z.object({
  requests: count,
  input_tokens: count,
  output_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  models: z.array(text),
});

const total = usage.extend({
  cost_usd: count.nullable(),
  cost_is_complete: z.boolean().describe('false: cost_usd leaves out requests whose price is not known'),
});

const verdict = z.enum(['PASS', 'FAIL']);

const anyVerdict = z.enum(['PASS', 'FAIL', 'SKIP']);

const partScore = count.nullable().optional();

const judgeVerdict = z.object({
  result: anyVerdict.describe('SKIP: the judge did not decide'),
  reason: text,
  model: text.nullable().describe('The id that answered'),
  model_provider: text.nullable(),
  transport: z.enum(['api', 'claude-cli', 'codex-cli']).nullable().describe('null: the report does not say'),
  criteria: z.array(
    z.object({
      id: text,
      text,
      weight: count.optional(),
      result: anyVerdict,
      score: partScore.describe('Of a criterion with a scale, from 0 to 1: the median of the votes'),
      reason: text,
      evidence: z.array(text).describe('Quotes that stand in what the judge was shown'),
      votes: z.object({ pass: count, fail: count, undecided: count }),
      agreement: count.nullable().describe('Share of all votes that went to the result'),
    }),
  ),
  votes: z.array(
    z.object({
      state: z.enum(['cast', 'unusable', 'failed']),
      model: text.nullable(),
      attempts: count.describe('How often it was asked for; what went over the wire is in usage'),
      error: text.nullable(),
      verdicts: z.array(
        z.object({
          id: text,
          verdict,
          score: count.optional().describe('As the judge gave it, from 0 to 10'),
          reason: text,
          evidence: z.array(text),
        }),
      ),
    }),
  ),
  prompt: z
    .object({ version: text, sha256: text })
    .nullable()
    .describe('The template the judge was asked with'),
  duration_seconds: count,
  usage,
  cost_usd: count.nullable(),
});

const tapeSource = z.enum(['recorded', 'scripted']);

/** What became of one trial, or of a case that had only one. */
const caseOutcome = z.object({
  name: text,
  target: text.nullable(),
  verdict: anyVerdict.describe('SKIP: undecided, see error'),
  duration_seconds: count,
  score: count
    .nullable()
    .optional()
    .describe(
      'Of formats that score: weighted mean of what its parts scored; null: not all of it is decided',
    ),
  deterministic_checks: z
    .record(text, anyVerdict)
    .describe('Only the checks the case declares. SKIP: it could not find out'),
  judge_verdict: judgeVerdict.nullable().describe('null: the judge was not asked'),
  agent_output_snippet: text.describe('The first 500 characters'),
  error: text.optional(),
  error_kind: text.optional(),
  check_details: z.array(
    z.object({
      check: text,
      verdict: anyVerdict,
      score: partScore.describe('From 0 to 1, where a case is scored; null: undecided'),
      message: text,
      details: z.json().optional().describe('What a program told besides'),
    }),
  ),
  groups: z
    .array(
      z.object({
        group: text,
        verdict: anyVerdict,
        score: count.nullable().describe('From 0 to 1; null: undecided'),
        message: text,
        members: z.array(text).describe('Ids of checks, criteria and groups'),
      }),
    )
    .optional()
    .describe('Checks, criteria and groups that count as one'),
  description: text.nullable(),
  file: text.nullable().describe('Relative to the package; null: the report does not say'),
  line: count.nullable(),
  case_hash: text.nullable().describe('Of the definition and its files'),
  trial: text,
  agent: z.object({ model: text.nullable(), session_id: text.nullable() }),
  skills_activated: z.array(text),
  usage: usage.describe('Of the agent'),
  cost_usd: count.nullable(),
  warnings: z.array(text),
  tape: z
    .object({ file: text, source: tapeSource, recorded_at: text })
    .nullable()
    .describe('Recorded or replayed; null: none'),
  capture: text.nullable().describe('Relative to the package'),
});

const trialRecord = caseOutcome
  .omit({ name: true, target: true, description: true, file: true, line: true, case_hash: true })
  .extend({
    arm: z.enum(['with', 'without']).describe('with the package installed, or without it'),
    repetition: count.describe('Counted from 1'),
  });

const interval = z.tuple([count, count]).describe('95 %: low, high');

const statistics = z.object({
  total: count.describe('Trials that were planned'),
  decided: count.describe('Those that passed or failed'),
  passed: count,
  pass_rate: count.nullable().describe('passed / decided; null when nothing is decided'),
  interval: interval.nullable().describe('Wilson, of the pass rate'),
  pass_at_k: z.array(count).describe('Item k - 1: chance that at least one of k trials passes'),
  pass_all_k: z.array(count).describe('Item k - 1: chance that all of k trials pass'),
  flaky: z.boolean().describe('Some trials passed and some failed'),
  threshold: count.describe('Share of all trials that must pass'),
});

const caseRecord = caseOutcome.extend({
  statistics: statistics.describe('Of the trials with the package'),
  baseline: statistics
    .extend({ verdict: z.enum(['PASS', 'FAIL', 'SKIP']) })
    .nullable()
    .describe('Of the trials without the package; null: there were none'),
  trials: z.array(trialRecord),
});

const arms = z.object({ with: count, without: count, difference: count });

/** The two arms of a run, over the cases that have decided trials in both. */
const comparison = z.object({
  cases: count,
  pass_rate: arms.nullable().describe('Mean over the cases; null when no case can be compared'),
  lift: z
    .object({
      interval: interval.describe('Of the difference of the pass rates'),
      p_value: count,
      method: text,
    })
    .nullable(),
  normalised_gain: count
    .nullable()
    .describe('Share of what was possible: difference / (1 - without); null when without is 1'),
  seconds: arms.nullable().describe('Mean per trial'),
  tokens: arms.nullable().describe('Mean per trial, cached ones included; null: not counted'),
  cost_usd: arms.nullable().describe('Mean per trial; null: not known'),
  passed_in_both: z.array(text).describe('Names of cases: these show nothing about the package'),
  passed_in_neither: z.array(text),
  gained: z.array(text).describe('Pass only with the package'),
  lost: z.array(text).describe('Pass only without it'),
  undecided: z.array(text).describe('Undecided in one arm or both'),
  skills_never_activated: z
    .array(text)
    .nullable()
    .describe('Offered to the agent and not used in any trial; null: the engine does not tell'),
});

export const evalReport = z.object({
  version: z.literal(1),
  id: text,
  timestamp: text,
  duration_seconds: count,
  config: z.object({
    engine: text,
    engine_version: text.nullable(),
    command: z.array(text).optional().describe('Of the engine "command": what was run'),
    judge: text.nullable(),
    timeout: count,
    model: text.nullable().describe('As asked for; null: the engine’s default'),
    jobs: count,
    writable_paths: z.array(text).nullable(),
    env: z.array(text).describe('Names of the variables that were set'),
    runs: count.describe('Trials per case and arm'),
    pass_threshold: count,
    baseline: z.boolean(),
  }),
  agent: z.object({
    runtime: text,
    runtime_version: text.nullable(),
    model: text.nullable(),
    model_provider: text.nullable(),
    session_id: text.nullable().describe('Of the first case that has one'),
  }),
  judge: z.object({
    model: text.nullable(),
    model_provider: text.nullable(),
    transport: text.nullable(),
    votes: count.nullable(),
    prompt_sha256: text.nullable(),
    usage: total,
  }),
  environment: z.object({
    os: text,
    arch: text,
    aam_version: text,
    node_version: text,
    python_version: text.nullable(),
  }),
  package: z.object({
    name: text,
    version: text.nullable(),
    hash: text.nullable().describe('Of everything that was installed'),
    git_commit: text.nullable(),
  }),
  suite: z
    .object({ format: text, file: text.nullable().describe('null: the cases of the package') })
    .optional()
    .describe('Where the cases come from'),
  certification: z
    .object({
      bundle_id: text.optional(),
      bundle_version: text.optional(),
      certification_track: text.optional(),
      risk_tier: text.optional(),
      data_handling: text.optional(),
    })
    .optional()
    .describe('What a fixture says about itself'),
  sandbox: z
    .object({
      kind: z.enum(['bubblewrap', 'none']),
      network: z.boolean(),
      memory_bytes: count.nullable(),
      cpu_seconds: count.nullable(),
      disk_bytes: count.optional(),
      output_bytes: count,
    })
    .nullable()
    .describe('null: the report does not say'),
  tape: z.object({
    mode: z.enum(['off', 'record', 'replay']),
    folder: text.nullable(),
    source: z
      .enum([...tapeSource.options, 'mixed'])
      .nullable()
      .describe('scripted: a person wrote the answers, so the run is no evidence about the package'),
    recorded_at: text.nullable().describe('Of the oldest tape'),
    note: text.nullable().describe('What the verdicts are worth, in a sentence'),
    not_kept: count.optional().describe('Trials that were to be recorded and have no new tape'),
  }),
  summary: z.object({
    total: count,
    passed: count,
    failed: count,
    skipped: count,
    pass_rate: count.nullable().describe('passed / total; null when nothing ran'),
  }),
  comparison: comparison.nullable().describe('null: every trial had the package'),
  usage: total.describe('Of agents and judges together'),
  warnings: z.array(text),
  interrupted: z.boolean(),
  exit_code: count,
  cases: z.array(caseRecord),
});

export type EvalReport = z.output<typeof evalReport>;
export type JudgeVerdictRecord = z.output<typeof judgeVerdict>;
export type EvalCaseRecord = z.output<typeof caseRecord>;
export type EvalCaseOutcome = z.output<typeof caseOutcome>;
export type EvalTrialRecord = z.output<typeof trialRecord>;
export type TrialStatistics = z.output<typeof statistics>;
export type ArmComparison = z.output<typeof comparison>;
