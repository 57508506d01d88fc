/** What all judging of a run shares: where a CLI runs, how many requests there are at once, and when to stop. */
import pLimit, { type LimitFunction } from 'p-limit';
import type { JudgeTransport } from '../judge/judge.ts';
import { overBudget } from '../judge/transports/door.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

export interface JudgeRoom {
  readonly sandbox: Sandbox;
  /** An existing folder for what lives only as long as a question. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  /** Why nothing more may be spent; null while something may. */
  stopped(): string | null;
  readonly places: JudgePlaces;
}

interface JudgePlaces {
  readonly api: LimitFunction;
  readonly cli: LimitFunction;
}

const REQUESTS = 16;

/** A judge's CLI takes as much memory as an agent, a request next to none. Votes count like cases. */
export function judgePlaces(jobs: number): JudgePlaces {
  return { api: pLimit(REQUESTS), cli: pLimit(jobs) };
}

/** Every request waits for a place, and is not sent if the budget is used up by then. */
export function inRoom(transport: JudgeTransport, { places, stopped }: JudgeRoom): JudgeTransport {
  const place = transport.id === 'api' ? places.api : places.cli;
  return {
    id: transport.id,
    provider: transport.provider,
    ask: (prompt, signal) =>
      place(async () => {
        const why = stopped();
        if (why !== null) return overBudget(why);
        return transport.ask(prompt, signal);
      }),
  };
}
