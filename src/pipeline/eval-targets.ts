/** Who is asked: the targets of the command line, of the tests, of their file. One run for each. */

import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findTargetsFile, readTargets, type Targets } from '../load/formats/agentv/targets.ts';
import type { Case } from '../model/case.ts';
import { type Diagnostic, diagnosticLine } from '../model/diagnostic.ts';
import { UserError } from '../model/errors.ts';
import { RESERVED_ENGINES, SUPPORTED_ENGINES } from '../model/evals.ts';
import { nearest } from '../model/nearest.ts';
import type { Target } from '../model/target.ts';
import { isChosen } from '../plan/evals.ts';
import { isMeasurable } from './eval-cost.ts';
import type { PlanRequest } from './eval-plan.ts';
import { type EvalSource, loadSource } from './eval-source.ts';

/** What a user asks for; null: what the eval file says, else the usual. */
export interface RunRequest extends PlanRequest {
  readonly jobs: number | null;
  readonly maxCostUsd: number | null;
  readonly passThreshold: number | null;
  /** Names of targets or agents; empty: those of the eval file. */
  readonly agents: readonly string[];
  /** Absolute path of a targets.yaml; null: the nearest. */
  readonly targetsFile: string | null;
}

export interface TargetRun<Request> {
  /** Name of the target; null: the eval file and the user name none. */
  readonly target: string | null;
  readonly request: Request & { readonly passThreshold: number; readonly target: string | null };
}

/** Throws a UserError, before anything runs, for targets that cannot be used. */
export async function targetRuns<Request extends RunRequest>(
  request: Request,
): Promise<TargetRun<Request>[]> {
  const source = await loadSource(request.path, request.host, request.evaluator);
  const targets = targetsFor(request, source);
  const runs =
    request.engine === null
      ? byTarget(request, source, targets)
      : [{ ...NO_TARGET, agent: onlyEngine(request, targets) }];
  // Of several, the later ones begin when all this may be old.
  const read = runs.length === 1 ? { source } : {};
  return runs.map(({ name, agent, target, cases, warnings }) => ({
    target: name,
    request: {
      ...request,
      ...read,
      engine: agent ?? target?.engine ?? null,
      target: target?.name ?? null,
      model: request.model ?? target?.model ?? null,
      judge: request.judge ?? target?.judge ?? null,
      timeoutSeconds: request.timeoutSeconds ?? target?.timeoutSeconds ?? null,
      ...spent(request, source, agent ?? target?.engine ?? null),
      chosen: {
        target,
        cases,
        warnings: [...warnings, ...unkeptBudget(request, source, agent ?? target?.engine)],
      },
    },
  }));
}

interface Run {
  readonly name: string | null;
  /** An engine by its own name. */
  readonly agent: string | null;
  readonly target: Target | null;
  /** null: all. */
  readonly cases: readonly string[] | null;
  readonly warnings: readonly string[];
}

const NO_TARGET: Run = { name: null, agent: null, target: null, cases: null, warnings: [] };

function targetsFor({ targetsFile, host }: RunRequest, { home, file }: EvalSource): Targets | null {
  const evalFile = file === null ? null : join(home, file);
  if (targetsFile !== null && !existsSync(targetsFile))
    throw new UserError(`--targets ${relative(host.cwd, targetsFile)} does not exist`);
  const found = targetsFile ?? findTargetsFile(evalFile, host.cwd);
  if (found === null) return null;
  const evalsDir = evalFile === null ? home : dirname(evalFile);
  return readTargets(found, { env: host.env, shown: host.cwd, evalsDir });
}

/** --engine wins over every target; another agent beside it is a contradiction. */
function onlyEngine({ engine, agents }: RunRequest, targets: Targets | null): string | null {
  const named = agents.filter((it) => !targets?.names.includes(it)).map((it) => agentNamed(it, targets));
  const all = [...new Set([String(engine), ...named])];
  if (all.length === 1) return engine;
  throw new UserError(`one agent at a time, not ${all.join(' and ')}`, 'run aam eval once for each');
}

function byTarget(request: RunRequest, source: EvalSource, targets: Targets | null): Run[] {
  const groups = new Map<string | null, string[]>();
  for (const it of asked(request, source))
    for (const name of namesFor(it, request, source, targets)) {
      const cases = groups.get(name) ?? [];
      cases.push(it.name);
      groups.set(name, cases);
    }
  const problems: Diagnostic[] = [];
  const runs = [...groups].map(([name, cases]): Run => {
    if (name === null) return { ...NO_TARGET, cases };
    const found = targets?.find(name) ?? null;
    if (found === null)
      return { ...NO_TARGET, name, cases, ...withoutTarget(name, request, source, targets) };
    if (found.target === null) problems.push(...found.diagnostics.filter((it) => it.severity === 'error'));
    const warnings = found.diagnostics.filter((it) => it.severity === 'warning').map(diagnosticLine);
    return { name, agent: null, target: found.target, cases, warnings };
  });
  if (problems.length > 0) throw new UserError('a target cannot be used', ...problems.map(diagnosticLine));
  // Mistakes in the selection are told by the plan.
  const [only, another] = runs;
  if (only === undefined) return [NO_TARGET];
  return another === undefined ? [{ ...only, cases: null }] : runs;
}

/** Leniently: words that mean nothing are told by the plan. */
function asked({ selection }: RunRequest, { suite }: EvalSource): Case[] {
  return suite.cases.filter((it) => isChosen(it, selection));
}

function namesFor(
  it: Case,
  { agents }: RunRequest,
  { loaded }: EvalSource,
  targets: Targets | null,
): readonly (string | null)[] {
  if (agents.length > 0) return [...new Set(agents)];
  const own = loaded?.targetsOf?.get(it.name);
  if (own !== undefined && own.length > 0) return own;
  return own !== undefined && targets?.names.includes('default') ? ['default'] : [null];
}

/** A name that no targets.yaml has: an agent by its own name, or the usual one. */
function withoutTarget(
  name: string,
  { agents }: RunRequest,
  { suite }: EvalSource,
  targets: Targets | null,
): Pick<Run, 'agent' | 'warnings'> {
  const engine = engineOf(name);
  if (engine !== null) return { agent: engine, warnings: [] };
  if (name !== 'default' || targets?.diagnostics.some((it) => it.severity === 'error'))
    return { agent: agentNamed(name, targets, agents.includes(name)), warnings: [] };
  const message = `the target "default" is in no targets.yaml: the agent is ${suite.settings.engine}`;
  return { agent: null, warnings: [message] };
}

/** Names that other tools have for the agents. */
const AGENTS: Readonly<Record<string, string>> = { claude: 'claude-code' };

function engineOf(word: string): string | null {
  const engine = Object.hasOwn(AGENTS, word) ? AGENTS[word] : word;
  return [...SUPPORTED_ENGINES, ...RESERVED_ENGINES].find((name) => name === engine) ?? null;
}

function agentNamed(word: string, targets: Targets | null, isAsked = true): string {
  const known = engineOf(word);
  if (known !== null) return known;
  const broken = (targets?.diagnostics ?? []).filter((it) => it.severity === 'error').map(diagnosticLine);
  const names = targets?.names ?? [];
  const meant = nearest(word, [...names, ...Object.keys(AGENTS), ...SUPPORTED_ENGINES]);
  throw new UserError(
    isAsked
      ? `--target ${word} is not of the form skill:<name>, hook:<event> or agent:<name>, and no agent or target either`
      : `the eval file asks for the target ${JSON.stringify(word)}, and there is none of this name`,
    ...broken,
    ...(meant === undefined ? [] : [`did you mean ${meant}?`]),
    `agents: ${[...Object.keys(AGENTS), ...SUPPORTED_ENGINES].join(', ')}`,
    targets === null
      ? 'targets are written in .agentv/targets.yaml'
      : `targets: ${names.join(', ') || 'none'}`,
    ...(isAsked ? [] : ['or choose the agent:  --engine claude-code']),
  );
}

/** What the file says about a run counts where the user says nothing. */
function spent(
  { jobs, maxCostUsd, passThreshold, runs }: RunRequest,
  source: EvalSource,
  engine: string | null,
) {
  const { settings } = source.suite;
  const isKept = isMeasurable(engine ?? settings.engine, settings.prices);
  // One trial of so many that must pass stays one.
  const oneIsEnough = settings.runs > 1 && settings.passThreshold === 1 / settings.runs;
  const ofFile = oneIsEnough ? 1 / (runs ?? settings.runs) : settings.passThreshold;
  return {
    jobs: jobs ?? settings.jobs ?? null,
    maxCostUsd: maxCostUsd ?? (isKept ? (settings.maxCostUsd ?? null) : null),
    passThreshold: passThreshold ?? ofFile ?? 1,
  };
}

function unkeptBudget(
  { maxCostUsd }: RunRequest,
  { suite }: EvalSource,
  engine: string | null | undefined,
): string[] {
  const { settings } = suite;
  const name = engine ?? settings.engine;
  if (maxCostUsd !== null || settings.maxCostUsd === undefined || isMeasurable(name, settings.prices))
    return [];
  return [
    `the file limits the cost to ${settings.maxCostUsd} USD, and nothing tells what ${name} costs: the limit is not kept`,
  ];
}
