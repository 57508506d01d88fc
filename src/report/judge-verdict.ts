/** What the judge did, as a report has it. */
import type { CriterionJudgement, Vote } from '../model/judgement.ts';
import type { JudgeVerdictRecord } from '../model/report.ts';
import type { Judged } from '../model/trial.ts';
import { round, usageRecord } from './numbers.ts';

export function judgeVerdictRecord({ judgement, durationMs, usage, costUsd }: Judged): JudgeVerdictRecord {
  const { result, reason, model, provider, transport, criteria, votes, prompt } = judgement;
  return {
    result,
    reason,
    model,
    model_provider: provider,
    transport,
    criteria: criteria.map(criterionRecord),
    votes: votes.map(voteRecord),
    prompt,
    duration_seconds: round(durationMs / 1000, 3),
    usage: usageRecord(usage),
    cost_usd: costUsd,
  };
}

function criterionRecord(it: CriterionJudgement): JudgeVerdictRecord['criteria'][number] {
  const { id, text, weight, result, score, reason, evidence, votes, agreement } = it;
  return {
    id,
    text,
    ...(weight !== undefined && { weight }),
    result,
    ...(score !== undefined && { score: score === null ? null : round(score, 4) }),
    reason,
    evidence: [...evidence],
    votes,
    agreement: agreement === null ? null : round(agreement, 4),
  };
}

function voteRecord(vote: Vote): JudgeVerdictRecord['votes'][number] {
  const { state, attempts } = vote;
  const said = { state, attempts, model: vote.state === 'failed' ? null : vote.model };
  switch (vote.state) {
    case 'cast': {
      const verdicts = vote.criteria.map(({ id, verdict, score, reason, evidence }) => ({
        id,
        verdict,
        ...(score !== undefined && { score }),
        reason,
        evidence: [...evidence],
      }));
      return { ...said, error: null, verdicts };
    }
    case 'unusable':
      return { ...said, error: vote.why, verdicts: [] };
    case 'failed':
      return { ...said, error: vote.error, verdicts: [] };
  }
}
