/** The judge of a replayed run: the one of each tape, since no list of models can be asked for another. */
import type { Gateway } from '../gateway/gateway.ts';
import type { Host } from '../model/host.ts';
import { askJudge, programOf, type RunJudge } from './eval-judge.ts';
import type { EvalPlan } from './eval-plan.ts';
import type { JudgeRoom } from './judge-room.ts';
import type { EvalTapes, TapeJudge } from './tapes.ts';

/** Throws a PrerequisiteError when a tape needs a CLI to judge that is not there. */
export function replayJudge(
  { trials, settings }: EvalPlan,
  tapes: EvalTapes,
  gateway: Gateway,
  room: JudgeRoom,
  host: Host,
  votes: number,
): RunJudge {
  const programs = new Map(trials.map((trial) => [trial.id, programFor(tapes.judge(trial), host)]));
  return {
    async judge(trial, material) {
      const judge = tapes.judge(trial);
      const why = whyNot(judge, settings.judge);
      if (judge === null || why !== null) {
        tapes.miss(trial, why ?? '');
        return null;
      }
      const { provider, transport: way, model } = judge;
      const program = programs.get(trial.id) ?? null;
      // Whether the server knew more than chat completions is on the tape.
      const chat = provider === 'openai' ? { isNeeded: false } : null;
      return askJudge(trial, material, { provider, way, program, votes, model, chat }, gateway, room, tapes);
    },
  };
}

function programFor(judge: TapeJudge | null, host: Host): string | null {
  return judge === null || judge.transport === 'api' ? null : programOf(judge.transport, host);
}

function whyNot(judge: TapeJudge | null, name: string | null): string | null {
  if (judge === null) return 'no judge was asked when it was recorded';
  if (judge.name === name) return null;
  return `the judge is ${name ?? 'the model of the agent'}, and was ${judge.name ?? 'the model of the agent'}`;
}
