/** The judge of a run: which model decides criteria, how it is reached, and how many cases are judged at once. */
import { ENGINES } from '../engine/engines.ts';
import { findEngine } from '../engine/find.ts';
import type { MissingUpstream, Upstream, Upstreams } from '../gateway/credentials.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Happening } from '../judge/digest.ts';
import { type JudgeTransport, judgeMaterial, type Material, materialOf } from '../judge/judge.ts';
import { listModels } from '../judge/model-list.ts';
import { type JudgeName, readJudgeName, resolveForApi, resolveForCli } from '../judge/model-name.ts';
import { isSameModel } from '../judge/same-model.ts';
import { type ChatFinding, createApiTransport } from '../judge/transports/api.ts';
import type { Case } from '../model/case.ts';
import { PrerequisiteError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import type { JudgedCriterion, Judgement, JudgeTransportId } from '../model/judgement.ts';
import type { Judged, Trial } from '../model/trial.ts';
import type { Provider } from '../model/usage.ts';
import type { EvalPlan } from './eval-plan.ts';
import { cliTransport } from './judge-cli.ts';
import { inRoom, type JudgeRoom } from './judge-room.ts';
import type { EvalTapes } from './tapes.ts';
import { groupsOf } from './trial-decision.ts';

/** What is known about the judge before anything runs. */
export interface JudgePlan {
  /** null: the model that the agent used. */
  readonly name: JudgeName | null;
  readonly provider: Provider;
  readonly way: JudgeTransportId;
  readonly upstream: Upstream;
  /** Of the CLI, on the host; null with an API. */
  readonly program: string | null;
  readonly votes: number;
}

/** null: this run needs no judge, or has none. Throws when one is named or needed that cannot be reached. */
export function planJudge(
  { trials, judged, settings, engine }: EvalPlan,
  upstreams: Upstreams,
  host: Host,
  votes: number,
): JudgePlan | null {
  if (!(judged ?? trials.some((trial) => needsAnyJudge(trial.case)))) return null;
  const name = settings.judge === null ? null : readJudgeName(settings.judge);
  const provider = name?.provider ?? engine.provider;
  if (provider === null) return null;
  const upstream = ready(upstreams[provider], settings.judge ?? provider);
  const way = wayTo(upstream);
  return { name, provider, way, upstream, program: way === 'api' ? null : programOf(way, host), votes };
}

export function needsAnyJudge(it: Case): boolean {
  return it.criteria.length > 0 || groupsOf(it).some(({ aggregator }) => aggregator.kind === 'judge');
}

function ready(upstream: Upstream | MissingUpstream, name: string): Upstream {
  if (upstream.state === 'ready') return upstream;
  throw new PrerequisiteError(
    `the judge ${name} cannot be asked: ${upstream.problem}`,
    ...upstream.fix,
    'or run the checks alone:  --no-judge',
  );
}

/** A login is good for the CLI it belongs to, and for nothing else. */
function wayTo({ source }: Upstream): JudgeTransportId {
  if (source === 'login of Codex') return 'codex-cli';
  return source === 'login of Claude Code' || source === 'CLAUDE_CODE_OAUTH_TOKEN' ? 'claude-cli' : 'api';
}

export function programOf(way: Exclude<JudgeTransportId, 'api'>, host: Host): string {
  const [engine, cli] =
    way === 'codex-cli' ? (['codex', 'codex'] as const) : (['claude-code', 'claude'] as const);
  const found = findEngine(engine, host);
  if (found) return found.path;
  throw new PrerequisiteError(
    `the judge would use the login of ${cli}, which was not found`,
    `install it, or set an API key, or run the checks alone:  --no-judge`,
  );
}

export interface RunJudge {
  /** `agentModel`: the one that the agent was seen to use. Never rejects. */
  judge(trial: Trial, material: Material, agentModel: string | null): Promise<Judged | null>;
}

/** Answers of a judge come whole, so that its first byte may take as long as all of it; no case waits for it. */
const TIMINGS = {
  connectMs: 15_000,
  headerMs: 300_000,
  idleMs: 120_000,
  thinkingMs: 300_000,
  maxWaitMs: 120_000,
};

/** Finds out which model a family stands for, once, before any agent runs. */
export async function setUpJudge(
  plan: JudgePlan,
  gateway: Gateway,
  room: JudgeRoom,
  tapes: EvalTapes,
): Promise<RunJudge> {
  const { name, provider, way, upstream } = plan;
  const named = name === null ? null : await resolve(name, plan, gateway, room.signal);
  const mayUseChat = provider === 'openai' && new URL(upstream.baseUrl).hostname !== 'api.openai.com';
  // A tape must be whole by itself, so there every case finds it out.
  const shared: ChatFinding | null = tapes.mode === 'off' ? { isNeeded: false } : null;
  return {
    async judge(trial, material, agentModel) {
      const model = named ?? agentModel;
      if (model === null) return null;
      tapes.judgedBy(trial, { provider, transport: way, model });
      const chat = mayUseChat ? (shared ?? { isNeeded: false }) : null;
      return askJudge(trial, material, { ...plan, model, chat }, gateway, room, tapes);
    },
  };
}

/** One judge, and the way to it. */
export interface JudgeWay extends Pick<JudgePlan, 'provider' | 'way' | 'program' | 'votes'> {
  readonly model: string;
  /** null: the server knows more than chat completions for sure. */
  readonly chat: ChatFinding | null;
}

export async function askJudge(
  trial: Trial,
  material: Material,
  { provider, way, program, votes, model, chat }: JudgeWay,
  gateway: Gateway,
  room: JudgeRoom,
  tapes: EvalTapes,
): Promise<Judged> {
  const started = performance.now();
  const settings = {
    chat: chat !== null,
    finalStatus: way === 'codex-cli' ? ENGINES.codex.finalStatus : null,
    timings: TIMINGS,
    tape: tapes.door(trial),
  };
  await using door = await gateway.open(`${trial.id}.judge`, provider, settings);
  const told: (number | null)[] = [];
  const transport: JudgeTransport =
    way === 'api'
      ? createApiTransport({ provider, model, door, chat })
      : cliTransport(way, program ?? '', model, door, room, (usd) => void told.push(usd));
  const judgement = await judgeMaterial(material, inRoom(transport, room), { votes, signal: room.signal });
  return {
    judgement,
    durationMs: performance.now() - started,
    usage: door.usage,
    costUsd: door.usage.requests === 0 ? null : (door.costUsd ?? sum(told)),
    warnings: otherModels(judgement, model),
  };
}

/** null: somebody did not tell. */
function sum(costs: readonly (number | null)[]): number | null {
  const told = costs.filter((cost) => cost !== null);
  return told.length === 0 || told.length < costs.length ? null : told.reduce((a, b) => a + b, 0);
}

function otherModels({ votes }: Judgement, asked: string): string[] {
  const answered = new Set(votes.flatMap((vote) => (vote.state === 'failed' ? [] : (vote.model ?? []))));
  return [...answered]
    .filter((model) => !isSameModel(asked, model))
    .map((model) => `the judge ${asked} was asked, and ${model} answered`);
}

/** What the criteria of a case are decided by. */
export function questionOf(it: Case, happening: Happening): Material {
  return materialOf({ ...happening, criteria: judgedCriteria(it), reference: it.reference });
}

/** Weights only where they mean something. */
function judgedCriteria({ criteria, scoring }: Case): JudgedCriterion[] {
  return criteria.map(({ id, text, weight, scale, negate, minScore }) => ({
    ...{ id, text },
    ...(scoring.mode === 'score' && { weight }),
    ...(scale !== undefined && { scale }),
    ...(negate && { negate }),
    ...(minScore !== undefined && { minScore }),
  }));
}

async function resolve(
  name: JudgeName,
  { way, provider }: JudgePlan,
  gateway: Gateway,
  signal: AbortSignal,
): Promise<string> {
  if (way !== 'api') return resolveForCli(name);
  if ('model' in name) return name.model;
  await using door = await gateway.open('judge', provider, { listModels: true, timings: TIMINGS });
  return resolveForApi(name, await listModels(name.provider, door.socket, signal));
}
