/** What a judge made of a trial, as it travels. */
import { z } from 'zod';
import { type CriterionJudgement, type Judgement, MAX_SCORE, type Vote } from '../judgement.ts';
import type { Judged } from '../trial.ts';
import type { Usage } from '../usage.ts';
import { MODEL_KINDS, trialErrorKind } from './error-kind.ts';
import { amount, exactly, flag, text, texts, whole } from './parts.ts';

export const verdict = z.enum(['PASS', 'FAIL', 'SKIP']);

export const usage = exactly<Usage>()(
  z.strictObject({
    requests: whole,
    inputTokens: amount,
    outputTokens: amount,
    cacheReadTokens: amount,
    cacheWriteTokens: amount,
    models: texts,
  }),
);

const errorKind = trialErrorKind.extract([
  ...(['judge-unusable', 'judge-split', 'no-judge', 'budget', 'interrupted'] as const),
  ...(['sandbox', 'engine-failed', 'internal'] as const),
  ...MODEL_KINDS,
]);

const criterionVerdict = z.strictObject({
  id: text,
  evidence: texts,
  reason: text,
  verdict: verdict.extract(['PASS', 'FAIL']),
  score: amount.max(MAX_SCORE).optional(),
});

const vote = exactly<Vote>()(
  z.discriminatedUnion('state', [
    z.strictObject({
      state: z.literal('cast'),
      criteria: z.array(criterionVerdict),
      model: text.nullable(),
      attempts: whole,
    }),
    z.strictObject({ state: z.literal('unusable'), why: text, model: text.nullable(), attempts: whole }),
    z.strictObject({ state: z.literal('failed'), errorKind, error: text, attempts: whole }),
  ]),
);

const criterion = exactly<CriterionJudgement>()(
  z.strictObject({
    id: text,
    text,
    weight: amount.optional(),
    scale: z.array(z.strictObject({ from: amount, to: amount, text })).optional(),
    negate: flag.optional(),
    minScore: amount.optional(),
    result: verdict,
    score: amount.nullable().optional(),
    reason: text,
    evidence: texts,
    votes: z.strictObject({ pass: whole, fail: whole, undecided: whole }),
    agreement: amount.nullable(),
  }),
);

const judgement = exactly<Judgement>()(
  z.strictObject({
    result: verdict,
    reason: text,
    model: text.nullable(),
    provider: z.enum(['anthropic', 'openai', 'google']),
    transport: z.enum(['api', 'claude-cli', 'codex-cli']),
    criteria: z.array(criterion),
    votes: z.array(vote),
    attempts: whole,
    prompt: z.strictObject({ version: text, sha256: text }),
    error: text.nullable(),
    errorKind: errorKind.nullable(),
  }),
);

export const judged = exactly<Judged>()(
  z.strictObject({
    judgement,
    durationMs: amount,
    usage,
    costUsd: amount.nullable(),
    warnings: texts,
  }),
);
