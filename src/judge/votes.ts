/** Counts votes. Totals are ours: a model's own are not asked for. */
import type {
  CriterionJudgement,
  CriterionVerdict,
  JudgedCriterion,
  JudgeErrorKind,
  Judgement,
  Vote,
} from '../model/judgement.ts';
import { abridge } from './cut.ts';
import { shareOf } from './read-answer.ts';

type Counted = Pick<Judgement, 'result' | 'reason' | 'model' | 'criteria' | 'error' | 'errorKind'>;

export function countVotes(criteria: readonly JudgedCriterion[], votes: readonly Vote[]): Counted {
  const judged = criteria.map((criterion) => decide(criterion, votes));
  const undecided = judged.filter(({ result }) => result === 'SKIP');
  const failed = judged.filter(({ result }) => result === 'FAIL');
  const model = modelOf(votes);
  if (failed.length > 0)
    return { ...DECIDED, result: 'FAIL', reason: reasonOf(failed, judged), model, criteria: judged };
  if (judged.length > 0 && undecided.length === 0) {
    return { ...DECIDED, result: 'PASS', reason: reasonOf(judged, judged), model, criteria: judged };
  }
  const why = whyUndecided(votes);
  return { result: 'SKIP', reason: why.error, model, criteria: judged, ...why };
}

const DECIDED = { error: null, errorKind: null } as const;

function decide(criterion: JudgedCriterion, votes: readonly Vote[]): CriterionJudgement {
  const cast = votes.flatMap((vote) =>
    vote.state === 'cast' ? vote.criteria.filter(({ id }) => id === criterion.id) : [],
  );
  const forIt = cast.filter(({ verdict }) => verdict === 'PASS');
  const against = cast.filter(({ verdict }) => verdict === 'FAIL');
  const counts = {
    pass: forIt.length,
    fail: against.length,
    undecided: votes.length - forIt.length - against.length,
  };
  const majority = [forIt, against].find((side) => side.length > votes.length / 2);
  const score = medianOf(cast, criterion);
  const speaker = majority && speakerOf(majority, score, criterion);
  if (!majority || !speaker) {
    const shares = `${counts.pass} PASS, ${counts.fail} FAIL, ${counts.undecided} undecided`;
    const reason =
      votes.length === 1
        ? whyUndecided(votes).error
        : `no majority among ${plural(votes.length, 'vote')}: ${shares}`;
    const open = criterion.scale === undefined ? {} : { score: null };
    return { ...criterion, result: 'SKIP', ...open, reason, evidence: [], votes: counts, agreement: null };
  }
  return {
    ...criterion,
    result: speaker.verdict,
    ...(score !== null && { score }),
    reason: oneLine(speaker),
    evidence: speaker.evidence,
    votes: counts,
    agreement: majority.length / votes.length,
  };
}

/** null: the criterion has no scale, or no vote was cast. */
function medianOf(cast: readonly CriterionVerdict[], criterion: JudgedCriterion): number | null {
  const scores = cast.flatMap((it) => scoreIn(it, criterion) ?? []).sort((a, b) => a - b);
  const [low, high] = [scores[Math.ceil(scores.length / 2) - 1], scores[Math.floor(scores.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

function scoreIn({ score }: CriterionVerdict, { negate }: JudgedCriterion): number | null {
  return score === undefined ? null : shareOf(score, negate);
}

/** Who speaks for the others: the first, or the first of those nearest to the score. */
function speakerOf(
  side: readonly CriterionVerdict[],
  score: number | null,
  criterion: JudgedCriterion,
): CriterionVerdict | undefined {
  const distance = (it: CriterionVerdict) => Math.abs((scoreIn(it, criterion) ?? 0) - (score ?? 0));
  return side.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Of a single criterion its own reason; of several, each with its id. */
function reasonOf(deciding: readonly CriterionJudgement[], all: readonly CriterionJudgement[]): string {
  const [first] = deciding;
  if (all.length === 1 && first) return first.reason;
  return deciding.map(({ id, reason }) => `${id}: ${reason}`).join(' ');
}

function oneLine({ reason }: CriterionVerdict): string {
  return abridge(reason.replace(/\s+/g, ' ').trim(), 1_000);
}

function modelOf(votes: readonly Vote[]): string | null {
  const named = votes.filter((vote) => vote.state !== 'failed' && vote.model !== null);
  const best = named.find(({ state }) => state === 'cast') ?? named[0];
  return best && best.state !== 'failed' ? best.model : null;
}

function whyUndecided(votes: readonly Vote[]): {
  readonly error: string;
  readonly errorKind: JudgeErrorKind;
} {
  const unusable = votes.filter((vote) => vote.state === 'unusable');
  const failed = votes.filter((vote) => vote.state === 'failed');
  const [badAnswer] = unusable;
  const [failure] = failed;
  const share = (count: number) => (votes.length === 1 ? '' : `${count} of ${votes.length} votes: `);
  if (badAnswer && unusable.length >= failed.length) {
    const error = `${share(unusable.length)}the judge gave no usable answer in ${plural(badAnswer.attempts, 'attempt')}: ${abridge(badAnswer.why, 500)}`;
    return { errorKind: 'judge-unusable', error };
  }
  if (failure) return { errorKind: failure.errorKind, error: `${share(failed.length)}${failure.error}` };
  return { errorKind: 'judge-split', error: `the ${votes.length} votes of the judge have no majority` };
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
