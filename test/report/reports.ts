/** Makes reports out of short descriptions. */
import type { EvalCaseOutcome, EvalReport } from '../../src/model/report.ts';
import { gatherCases, type TrialOutcome } from '../../src/report/cases.ts';
import { compareArms } from '../../src/report/comparison.ts';
import { exitCode, summarize } from '../../src/report/summary.ts';

/** One letter per trial: P passes, F fails, S is undecided; after a slash the trials without the package. */
export type Trials = Readonly<Record<string, string>>;

interface Options {
  readonly threshold?: number;
  readonly report?: Partial<EvalReport>;
  readonly each?: (outcome: TrialOutcome) => Partial<TrialOutcome>;
  readonly skills?: readonly string[] | null;
}

export function reportOf(
  trials: Trials,
  { threshold = 1, report, each, skills = [] }: Options = {},
): EvalReport {
  const outcomes = Object.entries(trials).flatMap(([name, letters]) => {
    const [installed = '', without = ''] = letters.split('/');
    return [...arm(name, installed, 'with'), ...arm(name, without, 'without')];
  });
  const cases = gatherCases(
    outcomes.map((it) => ({ ...it, ...each?.(it) })),
    threshold,
  );
  const summary = summarize(cases);
  const interrupted = report?.interrupted ?? false;
  return {
    version: 1,
    id: 'eval-run-2026-11-15T08-00-00Z-abc123',
    timestamp: '2026-11-15T08:00:00Z',
    duration_seconds: 12.5,
    config: {
      engine: 'claude-code',
      engine_version: '2.1.325',
      judge: null,
      timeout: 60,
      model: null,
      jobs: 2,
      writable_paths: null,
      env: [],
      runs: Math.max(1, ...Object.values(trials).map((it) => (it.split('/')[0] ?? '').length)),
      pass_threshold: threshold,
      baseline: Object.values(trials).some((it) => it.includes('/')),
    },
    agent: {
      runtime: 'claude-code',
      runtime_version: '2.1.325',
      model: 'claude-sonnet-5-5',
      model_provider: 'anthropic',
      session_id: 's-1',
    },
    judge: {
      model: 'claude-sonnet-5-5',
      model_provider: 'anthropic',
      transport: 'api',
      votes: 1,
      prompt_sha256: 'f00d',
      usage: { ...USAGE, cost_usd: 0.001, cost_is_complete: true },
    },
    environment: {
      os: 'linux',
      arch: 'x64',
      aam_version: '0.1.0',
      node_version: '20.20.2',
      python_version: null,
    },
    package: { name: 'demo', version: '1.0.0', hash: 'sha256:1', git_commit: null },
    sandbox: {
      kind: 'bubblewrap',
      network: false,
      memory_bytes: null,
      cpu_seconds: null,
      output_bytes: 1024,
    },
    tape: { mode: 'off', folder: null, source: null, recorded_at: null, note: null },
    usage: { ...USAGE, cost_usd: 0.05, cost_is_complete: true },
    warnings: [],
    comparison: compareArms(cases, skills),
    interrupted,
    ...report,
    summary,
    exit_code: exitCode(summary, interrupted),
    cases,
  };
}

function arm(name: string, letters: string, which: 'with' | 'without'): TrialOutcome[] {
  return [...letters].map((letter, index) => ({
    ...outcome(name, letter),
    trial: `${name}.claude-code.${which}.${index + 1}`,
    arm: which,
    repetition: index + 1,
  }));
}

const USAGE = {
  requests: 2,
  input_tokens: 100,
  output_tokens: 20,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  models: ['claude-sonnet-5-5'],
};

export const JUDGED: NonNullable<EvalCaseOutcome['judge_verdict']> = {
  result: 'PASS',
  reason: 'It is there.',
  model: 'claude-sonnet-5-5',
  model_provider: 'anthropic',
  transport: 'api',
  criteria: [
    {
      id: 'criteria',
      text: 'It must be there.',
      result: 'PASS',
      reason: 'It is there.',
      evidence: ['Done.'],
      votes: { pass: 1, fail: 0, undecided: 0 },
      agreement: 1,
    },
  ],
  votes: [],
  prompt: { version: '1', sha256: 'f00d' },
  duration_seconds: 1,
  usage: USAGE,
  cost_usd: 0.001,
};

const VERDICTS = { P: 'PASS', F: 'FAIL', S: 'SKIP' } as const;

function outcome(name: string, letter: string): Omit<EvalCaseOutcome, 'trial'> {
  const verdict = VERDICTS[letter as keyof typeof VERDICTS];
  const check = verdict === 'FAIL' ? 'FAIL' : 'PASS';
  const decided = verdict !== 'SKIP';
  return {
    name,
    target: 'skill:echo',
    verdict,
    duration_seconds: 2,
    deterministic_checks: decided ? { contains: check } : {},
    judge_verdict: verdict === 'PASS' ? JUDGED : null,
    agent_output_snippet: 'Done.',
    ...(verdict === 'FAIL' && { error: 'the output does not contain "x"' }),
    ...(verdict === 'SKIP' && { error: 'the model was overloaded', error_kind: 'model-overloaded' }),
    check_details: decided
      ? [{ check: 'contains', verdict: check, message: 'the output does not contain "x"' }]
      : [],
    description: null,
    file: `evals/cases/${name}.yaml`,
    line: 1,
    case_hash: `sha256:${name}`,
    agent: { model: 'claude-sonnet-5-5', session_id: 's-1' },
    skills_activated: ['echo'],
    usage: USAGE,
    cost_usd: 0.01,
    warnings: [],
    tape: null,
    capture: `.aam/runs/x/captures/${name}.json`,
  };
}
