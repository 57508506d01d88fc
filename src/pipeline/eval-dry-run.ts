/** `aam eval --dry-run`: everything but the agents. */
import { findEngine, hasProgram } from '../engine/find.ts';
import { readJudgeName } from '../judge/model-name.ts';
import type { Case } from '../model/case.ts';
import type { Trial } from '../model/trial.ts';
import { installation } from '../package/install.ts';
import { instructionsFor } from './case-instructions.ts';
import type { EvalOptions } from './eval.ts';
import { requireMeasurableCost, sessionBudget } from './eval-cost.ts';
import { type EvalPlan, type PlanRequest, planEval } from './eval-plan.ts';
import { withoutAnswers } from './package-copy.ts';

export interface DryRun {
  readonly package: string;
  readonly engine: string;
  /** null: not found on this machine. */
  readonly program: string | null;
  readonly timeout_seconds: number;
  /** null: the model of the agent. */
  readonly judge: string | null;
  readonly judge_votes: number;
  /** Trials of each case and arm. */
  readonly runs: number;
  readonly baseline: boolean;
  readonly network: boolean;
  readonly writable_paths: readonly string[] | null;
  readonly env: readonly string[];
  /** Paths in the workspace; the same for every case. */
  readonly installed: readonly string[];
  readonly warnings: readonly string[];
  readonly cases: readonly DryCase[];
}

export interface DryCase {
  readonly name: string;
  readonly target: string | null;
  readonly file: string;
  readonly line: number;
  readonly prompt: string;
  /** What the user says after each answer. */
  readonly follow_ups: readonly string[];
  readonly files: readonly string[];
  /** What is done before the agent starts, and after it. */
  readonly setup: readonly string[];
  readonly command: readonly string[];
  readonly checks: readonly string[];
  readonly criteria: readonly string[];
}

type DryRunRequest = PlanRequest & Pick<EvalOptions, 'maxCostUsd' | 'noJudge' | 'judgeVotes' | 'tape'>;

export async function dryRun(request: DryRunRequest): Promise<DryRun> {
  const plan = await planEval(request);
  const { pkg, settings, engineName } = plan;
  if (settings.judge !== null && !request.noJudge) readJudgeName(settings.judge);
  requireMeasurableCost(request.maxCostUsd, engineName, settings.prices);
  const program = hasProgram(engineName)
    ? (findEngine(engineName, request.host)?.path ?? null)
    : (settings.command?.[0] ?? plan.engine.id);
  const cleaned = withoutAnswers(
    pkg,
    plan.trials.map((trial) => trial.case),
  );
  const { files, warnings } = installation(cleaned.pkg, engineName, {
    packageRoot: '/package',
    shim: ['node', 'hook-shim.js'],
    instructions: pkg.instructions === null ? null : '(AGENTS.md)',
  });
  return {
    package: pkg.version ? `${pkg.name} ${pkg.version}` : pkg.name,
    engine: engineName,
    program,
    timeout_seconds: settings.timeoutSeconds,
    judge: request.noJudge ? 'none (--no-judge)' : settings.judge,
    judge_votes: request.judgeVotes,
    runs: plan.runs,
    baseline: plan.baseline,
    network: settings.network,
    writable_paths: settings.writablePaths,
    env: Object.keys(settings.env),
    installed: files.map(({ to }) => to),
    warnings: [
      ...plan.warnings,
      ...cleaned.warnings,
      ...warnings,
      ...(program === null ? [`${engineName} was not found on this machine`] : []),
    ],
    cases: plan.trials.filter(isFirst).map(({ case: it }) => ({
      name: it.name,
      target: it.target,
      file: it.file,
      line: it.line,
      prompt: it.prompt,
      follow_ups: it.followUps,
      files: it.files.map(({ to }) => to),
      setup: setupOf(it),
      command: commandOf(plan, it, request, program ?? engineName),
      checks: it.graders.map(({ id }) => id),
      criteria: it.criteria.map(({ text }) => text),
    })),
  };
}

function setupOf({ setup }: Case): string[] {
  const { repositories = [], before = [], after = [] } = setup ?? {};
  return [
    ...repositories.map(({ from, to }) => `clone ${from} into ${to}`),
    ...before.map(({ name, argv }) => `${name}: ${argv.join(' ')}`),
    ...after.map(({ name, argv }) => `${name} (after): ${argv.join(' ')}`),
  ];
}

/** Each case once. */
function isFirst({ arm, repetition }: Trial): boolean {
  return arm === 'with' && repetition === 1;
}

function commandOf(
  { engine, settings, model }: EvalPlan,
  it: Case,
  { maxCostUsd, tape }: DryRunRequest,
  program: string,
): readonly string[] {
  const inside = {
    workspace: '/workspace',
    files: [],
    configDir: '/agent',
    socket: '/aam/gateway.sock',
    node: 'node',
    bridge: '/aam/inside/bridge.js',
    network: settings.network,
    budgetUsd: sessionBudget(maxCostUsd, settings.prices, tape.mode),
  };
  const instructions = instructionsFor(it, settings);
  const turn = it.followUps.length > 0 ? { resumes: null } : undefined;
  return engine.command({
    ...inside,
    prompt: it.prompt,
    instructions,
    turn,
    model,
    program,
    template: settings.command,
  }).argv;
}
