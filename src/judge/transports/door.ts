/** What a transport needs of a door of the gateway, and what the door knows about a model that did not answer. */
import type { JudgeErrorKind } from '../../model/judgement.ts';
import { kindOfStatus, type ModelFailure } from '../../model/usage.ts';
import type { JudgeReply } from '../judge.ts';

export interface JudgeDoor {
  /** Path of the unix socket on the host. */
  readonly socket: string;
  readonly failure: ModelFailure | null;
  /** How the model failed a request that nobody waits for any more. */
  readonly unanswered?: ModelFailure | null;
  readonly usage: { readonly models: readonly string[] };
}

type Failed = Extract<JudgeReply, { state: 'failed' }>;

export function failedBy({ kind, status, message }: ModelFailure): Failed {
  if (kind === 'budget') return overBudget(message);
  const errorKind: JudgeErrorKind = `model-${kind}`;
  const code = status === null || message.includes(String(status)) ? '' : ` (${status})`;
  return { state: 'failed', errorKind, error: `the judge’s model did not answer${code}: ${message}` };
}

export function overBudget(message: string): Failed {
  return { state: 'failed', errorKind: 'budget', error: `the judge was not asked: ${message}` };
}

/** We stopped waiting; the door may know what for. */
export function failedToAnswerIn({ failure, unanswered }: JudgeDoor, ms: number): Failed {
  const message = `no answer after ${Math.round(ms / 1000)} s`;
  return failedBy(unanswered ?? failure ?? { kind: 'stalled', status: null, message });
}

/** The door knows best, but it forgets a failure once another request was answered. */
export function failedWith(door: JudgeDoor, status: number | null, message: string): Failed {
  const own = kindOf(status, message);
  const { failure } = door;
  const isKnown = failure !== null && (failure.kind === own || VAGUE.has(own));
  // Some servers repeat the key they refuse: only the gateway can take it out of their words.
  const words = status === null ? message : `it answered ${status}`;
  return failedBy(isKnown ? failure : { kind: own, status, message: words });
}

/** What the gateway answers in the place of an upstream says less than it knows. */
const VAGUE: ReadonlySet<ModelFailure['kind']> = new Set(['server-error', 'unreachable', 'stalled']);

/** The gateway's own answers in the place of an upstream have statuses of their own. */
function kindOf(status: number | null, message: string): ModelFailure['kind'] {
  if (status === 403 && message.startsWith('budget: ')) return 'budget';
  if (status === 502) return 'unreachable';
  return status === 504 ? 'stalled' : kindOfStatus(status);
}
