/** Reports and captures for the page to show. */
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { EvalReport, JudgeVerdictRecord } from '../../src/model/report.ts';
import type { Capture, Verdict } from '../../src/model/trial.ts';
import { gatherCases, type TrialOutcome } from '../../src/report/cases.ts';

interface TrialSketch {
  readonly verdict?: Verdict;
  readonly arm?: 'with' | 'without';
  readonly seconds?: number;
  readonly error?: string;
  readonly errorKind?: string;
  readonly checks?: readonly (readonly [check: string, verdict: 'PASS' | 'FAIL', message: string])[];
  readonly judge?: JudgeVerdictRecord;
  readonly output?: string;
  readonly cost?: number | null;
  readonly capture?: string | null;
  readonly skills?: readonly string[];
}

export interface CaseSketch {
  readonly name: string;
  readonly target?: string | null;
  readonly description?: string;
  readonly hash?: string;
  readonly trials: readonly TrialSketch[];
}

function outcomesOf({
  name,
  target = 'skill:pdf-tools',
  description,
  hash = 'sha256:0',
  trials,
}: CaseSketch): TrialOutcome[] {
  const seen = { with: 0, without: 0 };
  return trials.map((sketch) => {
    const {
      verdict = 'PASS',
      arm = 'with',
      checks = [['contains', verdict === 'FAIL' ? 'FAIL' : 'PASS', '']],
    } = sketch;
    seen[arm] += 1;
    return {
      name,
      target,
      verdict,
      duration_seconds: sketch.seconds ?? 4.2,
      deterministic_checks: Object.fromEntries(checks.map(([check, result]) => [check, result])),
      judge_verdict: sketch.judge ?? null,
      agent_output_snippet: (sketch.output ?? 'Done.').slice(0, 500),
      ...(sketch.error !== undefined && { error: sketch.error }),
      ...(sketch.errorKind !== undefined && { error_kind: sketch.errorKind }),
      check_details: checks.map(([check, result, message]) => ({ check, verdict: result, message })),
      description: description ?? null,
      file: `evals/cases/${name}.yaml`,
      line: 1,
      case_hash: hash,
      trial: `${name}.claude-code.${arm}.${seen[arm]}`,
      agent: { model: 'claude-sonnet-5-5', session_id: null },
      skills_activated: [...(sketch.skills ?? ['pdf-tools'])],
      usage: {
        requests: 3,
        input_tokens: 2_410,
        output_tokens: 388,
        cache_read_tokens: 15_020,
        cache_write_tokens: 1_200,
        models: ['claude-sonnet-5-5'],
      },
      cost_usd: sketch.cost === undefined ? 0.0213 : sketch.cost,
      warnings: [],
      tape: null,
      capture: sketch.capture ?? null,
      arm,
      repetition: seen[arm],
    };
  });
}

export function reportOf(cases: readonly CaseSketch[], changes: Partial<EvalReport> = {}): EvalReport {
  const records = gatherCases(cases.flatMap(outcomesOf), 1);
  const count = (verdict: Verdict) => records.filter((it) => it.verdict === verdict).length;
  const [passed, failed, skipped] = [count('PASS'), count('FAIL'), count('SKIP')];
  return {
    version: 1,
    id: 'eval-run-2026-11-14T09-30-00Z-a1b2c3',
    timestamp: '2026-11-14T09:30:00Z',
    duration_seconds: 96.4,
    config: {
      engine: 'claude-code',
      engine_version: '2.1.325',
      judge: 'claude-sonnet',
      timeout: 120,
      model: null,
      jobs: 4,
      writable_paths: null,
      env: ['EVAL_MODE'],
      runs: 1,
      pass_threshold: 1,
      baseline: false,
    },
    agent: {
      runtime: 'claude-code',
      runtime_version: '2.1.325',
      model: 'claude-sonnet-5-5',
      model_provider: 'anthropic',
      session_id: null,
    },
    judge: {
      model: 'claude-sonnet-5-5',
      model_provider: 'anthropic',
      transport: 'api',
      votes: 3,
      prompt_sha256: '77aa',
      usage: { ...NO_USAGE, cost_usd: null, cost_is_complete: true },
    },
    environment: {
      os: 'linux',
      arch: 'x64',
      aam_version: '0.1.0',
      node_version: '20.20.2',
      python_version: null,
    },
    package: {
      name: 'pdf-tools',
      version: '1.2.0',
      hash: 'sha256:3f0ac0b3b1d94f1f8c1d',
      git_commit: '0f3c9d2e',
    },
    sandbox: {
      kind: 'bubblewrap',
      network: false,
      memory_bytes: null,
      cpu_seconds: null,
      output_bytes: 16_777_216,
    },
    tape: { mode: 'off', folder: null, source: null, recorded_at: null, note: null },
    summary: {
      total: records.length,
      passed,
      failed,
      skipped,
      pass_rate: records.length > 0 ? passed / records.length : null,
    },
    comparison: null,
    usage: {
      requests: 42,
      input_tokens: 33_740,
      output_tokens: 5_432,
      cache_read_tokens: 210_280,
      cache_write_tokens: 16_800,
      models: ['claude-sonnet-5-5'],
      cost_usd: 0.2982,
      cost_is_complete: true,
    },
    warnings: [],
    interrupted: false,
    exit_code: failed > 0 ? 1 : skipped > 0 ? 3 : 0,
    cases: records,
    ...changes,
  };
}

export const NO_USAGE = {
  requests: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  models: [],
};

export function captureOf(events: readonly AgentEvent[], changes: Partial<Capture> = {}): Capture {
  return {
    trial: 'a.claude-code.with.1',
    command: ['claude', '--print', 'Extract all text'],
    exitCode: 0,
    ended: 'exited',
    output: 'Done.',
    stderr: '',
    events,
    hooks: [],
    files: [],
    ...changes,
  };
}

export const message = (text: string): AgentEvent => ({ type: 'message', text, subAgent: false });

export function toolCall(
  id: string,
  tool: string,
  input: Record<string, string>,
  output: string,
): AgentEvent[] {
  return [
    { type: 'tool-call', id, tool, input, subAgent: false },
    { type: 'tool-result', id, output, isError: false },
  ];
}
