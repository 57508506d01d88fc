/** The record of one eval run: `evals/reports/<timestamp>.json`. */
import { z } from 'zod';

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

const verdict = z.enum(['PASS', 'FAIL']);

const anyVerdict = z.enum(['PASS', 'FAIL', 'SKIP']);

const judgeVerdict = z.object({
  result: anyVerdict.describe('SKIP: the judge did not decide'),
  reason: text,
  model: text.nullable().describe('The id that answered'),
  model_provider: text,
  transport: z.enum(['api', 'claude-cli', 'codex-cli']),
  criteria: z.array(
    z.object({
      id: text,
      text,
      weight: count.optional(),
      result: anyVerdict,
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
      asked: count.describe('Requests made for it'),
      error: text.nullable(),
      verdicts: z.array(z.object({ id: text, verdict, reason: text, evidence: z.array(text) })),
    }),
  ),
  prompt: z.object({ version: text, sha256: text }).describe('The template the judge was asked with'),
  duration_seconds: count,
  usage,
  cost_usd: count.nullable(),
});

const tapeSource = z.enum(['recorded', 'scripted']);

const caseRecord = z.object({
  name: text,
  target: text.nullable(),
  verdict: anyVerdict.describe('SKIP: undecided, see error'),
  duration_seconds: count,
  deterministic_checks: z.record(text, verdict).describe('Only the checks the case declares'),
  judge_verdict: judgeVerdict.nullable().describe('null: the judge was not asked'),
  agent_output_snippet: text.describe('The first 500 characters'),
  error: text.optional(),
  error_kind: text.optional(),
  check_details: z.array(z.object({ check: text, verdict, message: text })),
  description: text.nullable(),
  file: text,
  line: count,
  case_hash: text.describe('Of the definition and its files'),
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

export const evalReport = z.object({
  version: z.literal(1),
  id: text,
  timestamp: text,
  duration_seconds: count,
  config: z.object({
    engine: text,
    engine_version: text.nullable(),
    judge: text.nullable(),
    timeout: count,
    model: text.nullable().describe('As asked for; null: the engine’s default'),
    jobs: count,
    writable_paths: z.array(text).nullable(),
    env: z.array(text).describe('Names of the variables that were set'),
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
    usage: usage.extend({ cost_usd: count.nullable() }),
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
    hash: text.describe('Of everything that was installed'),
    git_commit: text.nullable(),
  }),
  sandbox: z.object({
    kind: z.enum(['bubblewrap', 'none']),
    network: z.boolean(),
    memory_bytes: count.nullable(),
    cpu_seconds: count.nullable(),
    output_bytes: count,
  }),
  tape: z.object({
    mode: z.enum(['off', 'record', 'replay']),
    folder: text.nullable(),
    source: z
      .enum([...tapeSource.options, 'mixed'])
      .nullable()
      .describe('scripted: a person wrote the answers, so the run is no evidence about the package'),
    recorded_at: text.nullable().describe('Of the oldest tape'),
    note: text.nullable().describe('What the verdicts are worth, in a sentence'),
  }),
  summary: z.object({
    total: count,
    passed: count,
    failed: count,
    skipped: count,
    pass_rate: count.nullable().describe('passed / total; null when nothing ran'),
  }),
  usage: usage.extend({ cost_usd: count.nullable() }).describe('Of agents and judges together'),
  warnings: z.array(text),
  interrupted: z.boolean(),
  exit_code: count,
  cases: z.array(caseRecord),
});

export type EvalReport = z.output<typeof evalReport>;
export type JudgeVerdictRecord = z.output<typeof judgeVerdict>;
export type EvalCaseRecord = z.output<typeof caseRecord>;
