/** Whose fault is it? Tells an agent that failed from a model, engine or sandbox that did. Pure. */
import { scrub } from '../gateway/tape/scrub.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { HookRun } from '../model/hook-log.ts';
import type { Exceeded, ProcessOutcome } from '../model/process.ts';
import type { ErrorKind, Verdict } from '../model/trial.ts';
import { kindOfStatus, type ModelFailure } from '../model/usage.ts';

export interface Evidence {
  readonly outcome: ProcessOutcome;
  readonly events: readonly AgentEvent[];
  /** The last failure of the model that nothing recovered from. */
  readonly modelFailure: ModelFailure | null;
  /** What a request was waiting for when the agent was ended. */
  readonly unanswered: ModelFailure | null;
  /** How often the model was asked, in this turn. */
  readonly requests: number;
  /** It was asked before, in an earlier turn. */
  readonly askedBefore: boolean;
  /** Hooks of the package began. */
  readonly ranHooks: boolean;
  /** One of them had not ended by then. */
  readonly isInHook: boolean;
  /** A hook kept the engine from going on. */
  readonly heldBack: boolean;
  /** The prompt calls a command of the package, which may do things before the model is asked. */
  readonly callsCommand: boolean;
  /** The engine brings its own model: aam sees no requests. */
  readonly ownModel: boolean;
  readonly timeoutSeconds: number;
  /** --max-memory; null: none. */
  readonly memoryBytes: number | null;
  /** The whole run is. */
  readonly isInterrupted: boolean;
}

export interface Fault {
  readonly verdict: Exclude<Verdict, 'PASS'>;
  readonly errorKind: ErrorKind;
  readonly error: string;
}

/** null: the agent did its work, so that its checks can decide. */
export function findFault(evidence: Evidence): Fault | null {
  const found = evidence.outcome.ended === 'aborted' ? INTERRUPTED : faultIn(evidence);
  if (!evidence.isInterrupted || found === null) return found;
  // Some agents give up by themselves before they are ended, when their model does; some get the same signal as aam.
  return found.verdict === 'SKIP' || wasTold(evidence.outcome) ? INTERRUPTED : found;
}

/** By a signal that asks to end, whoever sent it. */
export function wasTold({ ended, exitCode }: ProcessOutcome): boolean {
  return ended === 'exited' && exitCode !== null && TOLD.includes(exitCode);
}

/** SIGHUP, SIGINT, SIGTERM. */
const TOLD: readonly number[] = [129, 130, 143];

const INTERRUPTED = undecided('interrupted', 'the run was interrupted while this case ran');

function faultIn(evidence: Evidence): Fault | null {
  const { outcome, events, unanswered, timeoutSeconds } = evidence;
  const end = events.findLast((event) => event.type === 'end');
  if (outcome.unstartable) return undecided('engine-failed', unstartable(evidence));
  if (outcome.ended === 'not-started') return undecided('sandbox', `the sandbox failed: ${outcome.error}`);
  // Whatever the model did, nobody else has done this.
  if (outcome.exceeded) return failed(OVER_LIMIT[outcome.exceeded.limit], overLimit(outcome.exceeded));
  const modelFailure = blamed(evidence, end !== undefined && !end.ok && outcome.ended !== 'timed-out');
  if (modelFailure && !(end?.ok ?? false)) return byModel(modelFailure);
  if (outcome.ended === 'timed-out') {
    if (unanswered && !end) return byModel(unanswered);
    if (isStuck(evidence))
      return undecided('engine-failed', `the engine had not asked its model after ${timeoutSeconds} s`);
    return failed(
      'timeout',
      `the agent was still running after ${timeoutSeconds} s; it and all it started were ended`,
    );
  }
  if (evidence.ownModel && outcome.stdout.truncated) {
    const size = `${outcome.stdout.bytes} bytes`;
    return failed(
      'too-much-output',
      `the agent wrote ${size}, more than is kept of an answer (--max-output)`,
    );
  }
  if (!end) return withoutEnd(evidence);
  if (end.ok && outcome.exitCode !== 0) {
    return failed('agent-crashed', crashed(evidence, end.output));
  }
  if (end.ok) return answeredByItself(evidence);
  if (end.outOfBudget) return undecided('budget', SPENT);
  if (end.modelError) {
    const status = end.modelError.status;
    return byModel({ kind: kindOfStatus(status), status, message: end.modelError.message });
  }
  return failed(
    'agent-error',
    `the agent ended with an error: ${end.reason ?? (end.output || 'it gave no reason')}`,
  );
}

const OVER_LIMIT = { disk: 'too-much-disk', processes: 'too-many-processes' } as const;

function overLimit({ limit, error }: Exceeded): string {
  const flag = limit === 'disk' ? ' (--max-disk)' : '';
  return `the agent ${error}${flag}; it and all it started were ended`;
}

/** A refused request may come from anything the agent runs, so it counts only when the engine ended with an error. */
function blamed({ modelFailure }: Evidence, engineGaveUp: boolean): ModelFailure | null {
  return modelFailure?.kind === 'bad-request' && !engineGaveUp ? null : modelFailure;
}

/** It never got going, and nothing of the package ran that could have kept it. */
function isStuck({ requests, askedBefore, ownModel, ranHooks, callsCommand }: Evidence): boolean {
  return !ownModel && requests === 0 && !askedBefore && !ranHooks && !callsCommand;
}

/** Some prompts are commands of the engine, which then says something that is not the model's. */
function answeredByItself({ requests, ownModel, heldBack, callsCommand, events }: Evidence): Fault | null {
  if (ownModel || heldBack || requests > 0) return null;
  const told = events.findLast((event) => event.type === 'error');
  const words = told ? `: ${told.message}` : '';
  if (callsCommand)
    return failed('agent-error', `the command of the package ended before the model was asked${words}`);
  return undecided('engine-failed', `the engine ended without having asked its model${words}`);
}

/** For what came between two turns of a session. */
export function withoutSession(): Fault {
  return undecided('engine-failed', 'the engine did not name its session, so that nothing can go on with it');
}

export function spentAll(): Fault {
  return undecided('budget', SPENT);
}

const SPENT = 'the agent stopped: it had spent all of --max-cost-usd alone';

/** A hook kept the engine from going on. */
export function wasHeldBack(hooks: readonly HookRun[], events: readonly AgentEvent[]): boolean {
  return (
    hooks.some(({ decision }) => decision === 'block') ||
    events.some(
      (event) =>
        (event.type === 'hook' && event.blocked) || (event.type === 'end' && event.reason === 'hook_stopped'),
    )
  );
}

/** What a trial that failed comes to when the model had failed it on the way; null: that had not happened. */
export function excuseFor(unrecovered: readonly ModelFailure[], failure: string): Fault | null {
  const [first] = unrecovered;
  if (first === undefined) return null;
  const { verdict, errorKind, error } = byModel(first);
  const more = unrecovered.length > 1 ? ` (and ${unrecovered.length - 1} more like it)` : '';
  const why = 'the agent went on without that answer, so the case cannot be blamed for what failed';
  return { verdict, errorKind, error: `${error}${more}; ${why}: ${failure}` };
}

function unstartable({ outcome, ownModel }: Evidence): string {
  const isLong = ownModel && outcome.error?.includes('command line is longer');
  return isLong
    ? `${outcome.error}: give the prompt by {prompt_file}, or on standard input by leaving {prompt} out`
    : `the agent could not be started: ${outcome.error}`;
}

function crashed({ outcome, ownModel }: Evidence, output: string): string {
  const what = ownModel && output.trim() === '' ? 'without output' : 'after its answer';
  return `the agent ended with exit code ${outcome.exitCode} ${what}${lastWords(outcome)}`;
}

const MAX_SEEN = 100_000;
const MAX_LAST = 300;

export function lastWords({ stderr }: ProcessOutcome): string {
  // Before anything is cut: half a secret does not look like one.
  const lines = scrub(stderr.text.slice(-MAX_SEEN)).trim().split('\n').slice(-3).join(' ');
  const last = lines.length <= MAX_LAST ? lines : `…${lines.slice(-MAX_LAST).replace(/^\S+/, '')}`;
  return last ? `: ${last}` : '';
}

/** An engine that never got as far as its model, or a hook, did not start; one that did crashed. */
function withoutEnd({ outcome, events, requests, ownModel, isInHook, memoryBytes }: Evidence): Fault {
  const code = outcome.exitCode === null ? '' : ` with exit code ${outcome.exitCode}`;
  const limit =
    memoryBytes === null
      ? ''
      : `; --max-memory gives each process ${Math.round(memoryBytes / 1024 ** 2)} MiB`;
  const words = lastWords(outcome);
  const told = events.findLast((event) => event.type === 'error');
  // Hooks can end their engine, and no other trouble of its start waits for them.
  if (ownModel || requests > 0 || isInHook) {
    const when = requests === 0 && isInHook ? ' while a hook of the package ran' : '';
    return failed('agent-crashed', `the agent ended${code} without an answer${when}${words}${limit}`);
  }
  return undecided(
    'engine-failed',
    `the engine ended${code} before it asked its model${told ? `: ${told.message}` : words}${limit}`,
  );
}

const MODEL_SENTENCES: Readonly<Record<ModelFailure['kind'], string>> = {
  auth: 'the model refused the credentials',
  'rate-limit': 'the model’s rate limit outlasted the retries',
  overloaded: 'the model was overloaded for longer than the retries',
  'server-error': 'the model’s server failed',
  'bad-request': 'the model’s server refused the request',
  unreachable: 'the model could not be reached',
  'cut-off': 'the model’s answer broke off',
  stalled: 'the model stopped answering',
  budget: 'the budget of the run is used up',
};

function byModel({ kind, status, message }: ModelFailure): Fault {
  const errorKind: ErrorKind = kind === 'budget' ? 'budget' : `model-${kind}`;
  const code = status === null ? '' : ` (${status})`;
  return undecided(errorKind, `${MODEL_SENTENCES[kind]}${code}: ${message}`);
}

function undecided(errorKind: ErrorKind, error: string): Fault {
  return { verdict: 'SKIP', errorKind, error };
}

function failed(errorKind: ErrorKind, error: string): Fault {
  return { verdict: 'FAIL', errorKind, error };
}
