/** Has a model decide the criteria of a case, by votes. */
import type {
  JudgedCriterion,
  JudgeErrorKind,
  Judgement,
  JudgeProvider,
  JudgeTransportId,
  Vote,
} from '../model/judgement.ts';
import { type Background, digest, type Exhibit, type Happening } from './digest.ts';
import type { RandomText } from './fence.ts';
import { type JudgePrompt, type PromptTemplate, readTemplate, renderPrompt } from './prompt.ts';
import { createLibrary, type Library } from './quotes.ts';
import { readAnswer } from './read-answer.ts';
import { countVotes } from './votes.ts';

/** A way to a model. Each call is one request, and knows nothing of the others. */
export interface JudgeTransport {
  readonly id: JudgeTransportId;
  readonly provider: JudgeProvider;
  /** Should not reject; if it does, that is a failure like any other and decides nothing. */
  ask(prompt: JudgePrompt, signal: AbortSignal): Promise<JudgeReply>;
}

export type JudgeReply =
  /** JSON that claims to be an answer; nothing about it has been checked. */
  | { readonly state: 'answered'; readonly answer: unknown; readonly model: string | null }
  /** The model said something, but no answer: prose, a refusal, half of an answer. */
  | { readonly state: 'unusable'; readonly why: string; readonly model: string | null }
  /** The model was not reached, or did not answer. */
  | { readonly state: 'failed'; readonly errorKind: JudgeErrorKind; readonly error: string };

export interface Question extends Happening, Background {
  /** At least one, each with an id of its own. */
  readonly criteria: readonly JudgedCriterion[];
}

/** Criteria, and what they are decided by. */
export interface Material {
  readonly criteria: readonly JudgedCriterion[];
  readonly exhibits: readonly Exhibit[];
}

export interface JudgeOptions {
  /** How many are cast. A criterion is decided by more than half of them. */
  readonly votes: number;
  /** How often one vote may ask before it is unusable. */
  readonly attempts?: number;
  readonly signal: AbortSignal;
  /** For the marks around material. */
  readonly random?: RandomText;
}

const ATTEMPTS = 3;

export function judgeCase(
  question: Question,
  transport: JudgeTransport,
  options: JudgeOptions,
): Promise<Judgement> {
  return judgeMaterial(materialOf(question), transport, options);
}

export function materialOf(question: Question): Material {
  return { criteria: question.criteria, exhibits: digest(question) };
}

export async function judgeMaterial(
  { criteria, exhibits }: Material,
  transport: JudgeTransport,
  options: JudgeOptions,
): Promise<Judgement> {
  const { votes: count, attempts: maxAttempts = ATTEMPTS } = options;
  if (criteria.length === 0) throw new Error('a case without criteria has nothing to judge');
  if (new Set(criteria.map(({ id }) => id)).size < criteria.length) throw new Error('criteria share an id');
  if (!(Number.isInteger(count) && count > 0)) throw new Error('votes must be a whole number above 0');
  const template = readTemplate();
  const ballot: Ballot = {
    ...{ criteria, exhibits, template, transport, maxAttempts },
    library: createLibrary(exhibits),
    signal: options.signal,
    random: options.random,
  };
  const votes = await Promise.all(Array.from({ length: count }, () => castVote(ballot)));
  return {
    ...countVotes(criteria, votes),
    provider: transport.provider,
    transport: transport.id,
    votes,
    attempts: votes.reduce((sum, vote) => sum + vote.attempts, 0),
    prompt: { version: template.version, sha256: template.sha256 },
  };
}

interface Ballot {
  readonly criteria: readonly JudgedCriterion[];
  readonly exhibits: readonly Exhibit[];
  readonly library: Library;
  readonly template: PromptTemplate;
  readonly transport: JudgeTransport;
  readonly maxAttempts: number;
  readonly signal: AbortSignal;
  readonly random: RandomText | undefined;
}

async function castVote(ballot: Ballot): Promise<Vote> {
  const { criteria, exhibits, library, template, maxAttempts, signal, random } = ballot;
  let problems: readonly string[] = [];
  let model: string | null = null;
  for (let attempts = 0; attempts < maxAttempts; ) {
    if (signal.aborted) return { ...INTERRUPTED, attempts };
    const reply = await ask(ballot, renderPrompt(template, criteria, exhibits, problems, random));
    attempts += 1;
    if (reply.state === 'failed') return { ...reply, attempts };
    model = reply.model;
    const read =
      reply.state === 'answered'
        ? readAnswer(reply.answer, criteria, library)
        : ({ usable: false, problems: [reply.why] } as const);
    if (read.usable) return { state: 'cast', criteria: read.criteria, model, attempts };
    problems = read.problems;
  }
  return { state: 'unusable', why: problems.join('; '), model, attempts: maxAttempts };
}

const INTERRUPTED = {
  state: 'failed',
  errorKind: 'interrupted',
  error: 'the run was interrupted while this case was judged',
} as const;

async function ask({ transport, signal }: Ballot, prompt: JudgePrompt): Promise<JudgeReply> {
  try {
    const reply = await transport.ask(prompt, signal);
    return reply.state === 'failed' && signal.aborted ? INTERRUPTED : reply;
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    return { state: 'failed', errorKind: 'internal', error: `the judge could not be asked: ${error}` };
  }
}
