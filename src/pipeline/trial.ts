/** Runs one trial: fresh workspace → agent in the sandbox → capture → checks. The judge comes after. Never throws. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGraders } from '../check/graders.ts';
import type { Door } from '../gateway/gateway.ts';
import { type LineSocket, listenLines } from '../host/line-socket.ts';
import type { Happening } from '../judge/digest.ts';
import type { ErrorKind, Trial, TrialResult } from '../model/trial.ts';
import { type ModelFailure, NO_USAGE, type Usage } from '../model/usage.ts';
import type { Installation } from '../package/install.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import type { RunContext } from './eval-context.ts';
import { wholeAnswerTimings } from './eval-timings.ts';
import { type AgentRun, runAgent } from './trial-agent.ts';
import { needsAggregation } from './trial-aggregation.ts';
import { hasHooks, installationFor } from './trial-arm.ts';
import { decideByChecks } from './trial-decision.ts';
import { happeningOf } from './trial-happening.ts';
import { runPrograms } from './trial-programs.ts';
import { putAway, SetupFailed } from './trial-setup.ts';
import { placesIn, stageTrial } from './trial-stage.ts';
import { unsupported } from './trial-support.ts';
import { type Gathered, gatherTraces } from './trial-traces.ts';
import { excuseFor } from './trial-verdict.ts';
import { lendWorkspace, workspaceMounts } from './trial-workspace.ts';

/** A trial whose agent is done, and what its criteria are to be judged by; null: there is nothing to judge. */
export interface Ran {
  readonly result: TrialResult;
  readonly happening: Happening | null;
  /** Answers that the model owed the agent to its end. */
  readonly unrecovered: readonly ModelFailure[];
}

/** What a trial that runs has to do with others. */
export interface TrialTurn {
  /** Why no further trial may start. */
  stopped(): string | null;
  /** Lets its agent run when it is its turn. */
  inTurn<Result>(run: () => Promise<Result>): Promise<Result>;
  /** Its agent runs; this is how to look at the tokens used so far. */
  onStart(usage: () => Usage): void;
}

/** Whether only its agent takes a place among those that run at once; if not, something else of it runs too. */
export function isOnlyAgent({ case: { graders, setup } }: Trial): boolean {
  return setup === undefined && graders.every(({ kind }) => kind !== 'program');
}

export async function runTrial(trial: Trial, context: RunContext, turn: TrialTurn): Promise<Ran> {
  const started = performance.now();
  let waitedMs = 0;
  const inTurn: TrialTurn['inTurn'] = (run) => {
    const asked = performance.now();
    return turn.inTurn(() => {
      waitedMs = performance.now() - asked;
      return run();
    });
  };
  const done = (more: Partial<TrialResult>, open: Partial<Omit<Ran, 'result'>> = {}): Ran => ({
    result: {
      ...EMPTY,
      trial: trial.id,
      case: trial.case.name,
      durationMs: performance.now() - started - waitedMs,
      ...more,
      // Mostly there are none: ten thousand results take their room.
      warnings: more.warnings?.length ? more.warnings : EMPTY.warnings,
      skillsActivated: more.skillsActivated?.length ? more.skillsActivated : EMPTY.skillsActivated,
    },
    happening: null,
    unrecovered: [],
    ...open,
  });
  const barred = whyBarred(context, turn);
  if (barred !== null) return done(barred);
  if (trial.case.fault !== null) return done({ verdict: 'FAIL', ...trial.case.fault });
  const lacking = unsupported(trial.case, context.plan);
  if (lacking !== null) return done(undecided('unsupported', lacking));
  try {
    const { happening, unrecovered, ...more } = await attempt(trial, context, { ...turn, inTurn });
    return done(more, { happening, unrecovered });
  } catch (error) {
    if (error instanceof SetupFailed) return done(undecided(error.errorKind, error.message));
    return done(undecided('internal', `the case could not be run: ${(error as Error).message}`));
  }
}

function whyBarred({ signal, gateway }: RunContext, { stopped }: TrialTurn): Undecided | null {
  if (signal.aborted) return undecided('interrupted', 'the run was interrupted before this case started');
  const limit = stopped() ?? gateway?.stopped?.message;
  return limit ? undecided('budget', limit) : null;
}

const EMPTY: Omit<TrialResult, 'trial' | 'case' | 'durationMs'> = {
  verdict: 'SKIP',
  score: null,
  checks: [],
  error: null,
  errorKind: null,
  usage: NO_USAGE,
  costUsd: null,
  judged: null,
  sessionId: null,
  model: null,
  engineVersion: null,
  output: '',
  skillsActivated: [],
  warnings: [],
  tape: null,
  capture: null,
};

/** A trial that did not run. */
export function undecidedTrial({ id, case: it }: Trial, errorKind: ErrorKind, error: string): TrialResult {
  return { ...EMPTY, trial: id, case: it.name, durationMs: 0, ...undecided(errorKind, error) };
}

type Undecided = Pick<TrialResult, 'verdict' | 'errorKind' | 'error'>;

function undecided(errorKind: ErrorKind, error: string): Undecided {
  return { verdict: 'SKIP', errorKind, error };
}

/** Of each trial, told as warnings. */
const MAX_LOST = 3;

type Attempted = Partial<TrialResult> & Omit<Ran, 'result'>;

async function attempt(trial: Trial, context: RunContext, turn: TrialTurn): Promise<Attempted> {
  const { plan, gateway, sandbox } = context;
  // Made by the first who needs it: many trials have nothing of their own but a workspace.
  const dir = join(context.scratch, `t-${randomBytes(6).toString('base64url')}`);
  try {
    await using door: Door | null =
      gateway && plan.engine.provider
        ? await gateway.open(trial.id, plan.engine.provider, {
            hostedTools: plan.settings.network,
            finalStatus: plan.engine.finalStatus,
            tape: context.tapes.door(trial),
            ...(plan.engine.provider === 'google' && {
              timings: wholeAnswerTimings(plan.settings.timeoutSeconds * 1000),
            }),
          })
        : null;
    const places = placesIn(dir, context.sockets, door?.socket ?? null);
    await using hookLog = hasHooks(trial, plan) ? await listenLines(places.hooksSocket.from) : null;
    const installed = installationFor(trial, context, places);
    return await lendWorkspace(trial, context, installed, async (workspace, isUntouched) => {
      const mounts = workspaceMounts(workspace, plan.settings.writablePaths);
      const { root, home, before } = workspace;
      if (home !== null) context.tapes.place(trial, [root, home, dir, places.hooksSocket.from]);
      const files = [...before.files.keys()];
      const staged = stageTrial(trial, context, places, { mounts, files, home }, installed);
      const seenAt = sandbox.seenAt(mounts[0]);
      const cwd = plan.settings.target?.shell?.cwd ?? seenAt;
      const run = await turn.inTurn(async () => {
        const barred = whyBarred(context, turn);
        if (barred !== null) return barred;
        turn.onStart(() => door?.usage ?? NO_USAGE);
        return await runAgent(trial, context, staged, { door, hookLog, cwd });
      });
      if ('verdict' in run) return { ...run, happening: null, unrecovered: [] };
      const command = staged.first.argv;
      const seen = { seenAt, isUntouched: isUntouched(isOnlyAgent(trial)) };
      const concluded = await conclude(trial, context, {
        ...{ run, door, hookLog, workspace, command, installed, ...seen },
      });
      const unclean = await putAway(trial, context, workspace.root);
      return { ...concluded, warnings: [...(concluded.warnings ?? []), ...unclean] };
    });
  } finally {
    if (existsSync(dir)) context.rubbish.add(dir);
  }
}

interface Done {
  readonly run: AgentRun;
  readonly door: Door | null;
  readonly hookLog: LineSocket | null;
  readonly workspace: Workspace;
  /** Where the agent saw it. */
  readonly seenAt: string;
  /** By the agent. */
  readonly isUntouched: boolean;
  readonly command: readonly string[];
  readonly installed: Installation;
}

/** Decides a trial that ran, and keeps what it left behind. */
async function conclude(trial: Trial, context: RunContext, done: Done): Promise<Attempted> {
  const { run, door, hookLog, workspace, command, installed } = done;
  const gathered = gatherTraces(trial, workspace, hookLog, installed, done);
  const { traces, files, sawAllFiles } = gathered;
  const { hooks, hookGap } = traces;
  const decided = await decide(trial, context, done, gathered);
  const capture = context.records.capture({
    trial: trial.id,
    command,
    exitCode: run.outcome.exitCode,
    ended: run.outcome.ended,
    output: run.said,
    stderr: run.stderr,
    events: run.events,
    hooks,
    files,
  });
  // Where something else went wrong, no check was made or none counts.
  const checksCount = decided.checks !== undefined && !decided.errorKind?.startsWith('model-');
  const warnings = [
    ...installed.warnings,
    ...gathered.warnings,
    ...modelWarnings(door, checksCount && decided.verdict !== 'FAIL'),
    ...(run.gap === null ? [] : [`the record is not whole: ${run.gap}`]),
    ...(context.keepWorkspace ? [`the workspace is kept in ${workspace.root}`] : []),
  ];
  const isOpen = checksCount && (trial.case.criteria.length > 0 || needsAggregation(trial.case));
  const output = decided.output ?? '';
  const left = { run, output, hooks, files, hookGap, sawAllFiles };
  const happening = isOpen ? happeningOf(trial, context.plan, left) : null;
  return { ...decided, capture, warnings, happening, unrecovered: door?.unrecovered ?? [] };
}

async function decide(
  trial: Trial,
  context: RunContext,
  { run, door, workspace }: Done,
  { traces, files }: Gathered,
): Promise<Partial<TrialResult>> {
  const { plan, tapes } = context;
  const { fault, events, said, answers, end, session, gap } = run;
  const usage = door?.usage ?? (end?.claimed ? { ...NO_USAGE, ...end.claimed } : NO_USAGE);
  const observed: Partial<TrialResult> = {
    usage,
    // The config's own prices are better than the engine's.
    costUsd: door?.costUsd ?? end?.costUsd ?? null,
    sessionId: session?.sessionId ?? null,
    model: modelOf(door, session?.model ?? null),
    engineVersion: session?.engineVersion ?? null,
    output: end?.output || said,
    skillsActivated: [...new Set(events.flatMap((event) => (event.type === 'skill' ? [event.name] : [])))],
  };
  if (fault) return { ...observed, ...fault };
  const { confirmsBlocks: confirmed, shows } = plan.engine;
  const { target } = trial.case;
  const answer = observed.output ?? '';
  const told = { answer, answers, said, events, confirmed, target, tellsSkills: shows.skills };
  const measured = {
    // An agent of the user's own may tell its calls too.
    tellsTools: shows.actions || events.some(({ type }) => type === 'tool-call'),
    durationMs: tapes.mode === 'replay' ? null : run.durationMs,
    costUsd: observed.costUsd ?? null,
    usage: door || end?.claimed ? usage : null,
  };
  const looked = runGraders(trial.case, { ...told, ...measured, gap, ...traces });
  const checks = await runPrograms(trial, context, workspace, looked, { ...measured, answer, events, files });
  const decided = decideByChecks(trial.case, checks);
  if (decided.errorKind === 'check-undecided' && context.signal.aborted)
    return { ...observed, checks, ...decided, errorKind: 'interrupted' };
  const excuse = decided.verdict === 'FAIL' ? excuseFor(door?.unrecovered ?? [], decided.error ?? '') : null;
  return { ...observed, checks, ...decided, ...excuse };
}

/** The session's model when the wire saw it; else the one that did most of the work. */
function modelOf(door: Door | null, named: string | null): string | null {
  const byTokens = Object.entries(door?.tokensByModel ?? {}).sort(([, a], [, b]) => b - a);
  if (byTokens.some(([model]) => model === named)) return named;
  return byTokens[0]?.[0] ?? named;
}

function modelWarnings(door: Door | null, noneFailed: boolean): string[] {
  const lost = noneFailed ? [...new Set((door?.unrecovered ?? []).map(({ message }) => message))] : [];
  return [
    ...(door?.refused ?? []).map((it) => `the gateway refused a request: ${it}`),
    ...lost
      .slice(0, MAX_LOST)
      .map((it) => `the model failed, and the agent went on without its answer: ${it}`),
  ];
}
