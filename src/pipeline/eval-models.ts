/** The models of a run: where they are, the gateway to them, and the one that judges. */

import { existsSync } from 'node:fs';
import { resolveUpstreams, type Upstreams } from '../gateway/credentials.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import type { Spent } from '../gateway/ledger.ts';
import { socketParent } from '../host/socket-folder.ts';
import { PrerequisiteError } from '../model/errors.ts';
import type { EvalOptions } from './eval.ts';
import type { RunContext } from './eval-context.ts';
import { priceBy } from './eval-cost.ts';
import { type JudgePlan, planJudge, type RunJudge, setUpJudge } from './eval-judge.ts';
import type { EvalPlan } from './eval-plan.ts';
import { timingsFor } from './eval-timings.ts';
import type { JudgeRoom } from './judge-room.ts';
import { tapeFolder } from './tapes.ts';
import { replayJudge } from './tapes-judge.ts';

type ModelOptions = Pick<
  EvalOptions,
  'host' | 'noJudge' | 'judgeVotes' | 'tape' | 'maxTokens' | 'maxCostUsd'
>;

const FROM_TAPES = 'or without a model, from the tapes of this package:  aam eval --tape replay';

/** Without credentials this says so at once. */
export async function findModels(plan: EvalPlan, { host, noJudge, judgeVotes, tape }: ModelOptions) {
  const { engine, settings } = plan;
  if (tape.mode === 'replay') return { upstreams: {}, judgePlan: null };
  if (engine.provider === null && (noJudge || settings.judge === null))
    return { upstreams: null, judgePlan: null };
  const upstreams = await resolveUpstreams(host);
  const upstream = engine.provider && upstreams[engine.provider];
  if (upstream?.state === 'missing') {
    const taped = existsSync(tapeFolder(plan.home, tape.folder)) ? [FROM_TAPES] : [];
    throw new PrerequisiteError(upstream.problem, ...upstream.fix, ...taped);
  }
  return { upstreams, judgePlan: noJudge ? null : planJudge(plan, upstreams, host, judgeVotes) };
}

/** null: neither agent nor judge needs a model of ours. */
export async function openGateway(
  { settings }: EvalPlan,
  { maxTokens, maxCostUsd, tape }: ModelOptions,
  upstreams: Partial<Upstreams> | null,
  spent: Spent,
): Promise<Gateway | null> {
  if (upstreams === null) return null;
  const priced = Object.keys(settings.prices).length > 0;
  const budget = {
    ...(maxTokens !== null && { maxTokens }),
    ...(maxCostUsd !== null && priced && { maxCostUsd }),
  };
  return createGateway({
    upstreams,
    // What is replayed was paid for when it was recorded.
    budget: tape.mode === 'replay' ? {} : budget,
    spent,
    ...(priced && { price: priceBy(settings.prices) }),
    folder: socketParent(),
    timings: timingsFor(settings.timeoutSeconds * 1000),
  });
}

export async function judgeOf(
  { gateway, plan, tapes }: RunContext,
  { noJudge, host, judgeVotes }: ModelOptions,
  judgePlan: JudgePlan | null,
  room: JudgeRoom,
): Promise<RunJudge | null> {
  if (!gateway || noJudge) return null;
  if (tapes.mode === 'replay') return replayJudge(plan, tapes, gateway, room, host, judgeVotes);
  return judgePlan && setUpJudge(judgePlan, gateway, room, tapes);
}
