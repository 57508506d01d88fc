/** The models of a run: where they are, the gateway to them, and the one that judges. */

import { existsSync } from 'node:fs';
import { resolveUpstreams, type Upstreams } from '../gateway/credentials.ts';
import { createGateway, type Gateway } from '../gateway/gateway.ts';
import { socketParent } from '../host/socket-folder.ts';
import { PrerequisiteError } from '../model/errors.ts';
import type { SharedLimits } from '../model/shared-limits.ts';
import type { Spent } from '../model/usage.ts';
import { type CommandRequest, evalCommand } from './eval-command.ts';
import type { RunContext } from './eval-context.ts';
import { priceBy } from './eval-cost.ts';
import { type JudgePlan, planJudge, type RunJudge, setUpJudge } from './eval-judge.ts';
import type { EvalPlan } from './eval-plan.ts';
import { timingsFor } from './eval-timings.ts';
import type { JudgeRoom } from './judge-room.ts';
import { tapeFile, tapeFolder } from './tapes.ts';
import { replayJudge } from './tapes-judge.ts';

type ModelOptions = CommandRequest;

/** Without credentials this says so at once. */
export async function findModels(plan: EvalPlan, options: ModelOptions) {
  const { host, noJudge, judgeVotes, tape } = options;
  const { engine, settings } = plan;
  if (tape.mode === 'replay') return { upstreams: {}, judgePlan: null };
  if (engine.provider === null && (noJudge || settings.judge === null))
    return { upstreams: null, judgePlan: null };
  const upstreams = await resolveUpstreams(host);
  const upstream = engine.provider && upstreams[engine.provider];
  if (upstream?.state === 'missing') {
    const folder = tapeFolder(plan.home, tape.folder);
    const isTaped = plan.trials.some(({ id }) => existsSync(tapeFile(folder, id)));
    const replay = `or without a model, from tapes:  ${evalCommand(options, { tape: 'replay' })}`;
    throw new PrerequisiteError(upstream.problem, ...upstream.fix, ...(isTaped ? [replay] : []));
  }
  return { upstreams, judgePlan: noJudge ? null : planJudge(plan, upstreams, host, judgeVotes) };
}

/** null: neither agent nor judge needs a model of ours. */
export async function openGateway(
  { settings }: EvalPlan,
  { maxTokens, maxCostUsd, tape }: ModelOptions,
  upstreams: Partial<Upstreams> | null,
  spent: Spent,
  secrets: readonly string[],
  shared: SharedLimits | undefined,
): Promise<Gateway | null> {
  if (upstreams === null) return null;
  const priced = Object.keys(settings.prices).length > 0;
  const budget = {
    ...(maxTokens !== null && { maxTokens }),
    ...(maxCostUsd !== null && priced && { maxCostUsd }),
  };
  return createGateway({
    upstreams,
    secrets,
    // What is replayed was paid for when it was recorded.
    budget: tape.mode === 'replay' ? {} : budget,
    spent,
    ...(priced && { price: priceBy(settings.prices) }),
    ...(shared && { shared }),
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
