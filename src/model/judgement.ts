/** What a judge is asked about a case, what it must answer, and what became of its votes. Plain data. */
import { z } from 'zod';
import type { ScaleRange } from './case.ts';
import type { ErrorKind, Verdict } from './trial.ts';

/** Of a criterion with a scale: all of it holds. */
export const MAX_SCORE = 10;

/** A sentence a judge decides. */
export interface JudgedCriterion {
  readonly id: string;
  readonly text: string;
  readonly weight?: number | undefined;
  /** See Criterion. */
  readonly scale?: readonly ScaleRange[] | undefined;
  readonly negate?: boolean | undefined;
  readonly minScore?: number | undefined;
}

/** Evidence and reason come before the verdict, so that a model thinks before it decides. */
const criterionReasons = z.strictObject({
  id: z.string().describe('The id of the criterion, exactly as given'),
  evidence: z.array(z.string()).describe('Passages copied exactly from the material'),
  reason: z.string().describe('One or two sentences'),
});

const criterionVerdict = criterionReasons.extend({ verdict: z.enum(['PASS', 'FAIL']) });

/** Of a criterion with a scale. */
const criterionScore = criterionReasons.extend({
  score: z.int().min(0).max(MAX_SCORE).describe('A whole number from 0 to 10'),
});

/** What a model must answer, entry by entry: which form one has depends on its criterion. */
export const judgeAnswer = z.strictObject({ criteria: z.array(z.unknown()) });

export function answerOf({ scale }: Pick<JudgedCriterion, 'scale'>) {
  return scale === undefined ? criterionVerdict : criterionScore;
}

/** The verdict of a score is worked out, not told. */
export interface CriterionVerdict extends Readonly<z.output<typeof criterionVerdict>> {
  /** As the model gave it, 0 to 10; left out: the criterion has no scale. */
  readonly score?: number;
}

/** The same for programs. Without `$schema`: one of the CLIs knows only an older draft by name. */
export function judgeAnswerSchema(
  criteria: readonly Pick<JudgedCriterion, 'scale'>[],
): Record<string, unknown> {
  const [first = criterionVerdict, ...others] = [...new Set(criteria.map(answerOf))];
  const entry = others.length === 0 ? first : z.union([first, ...others]);
  const answer = z.strictObject({ criteria: z.array(entry).describe('One entry for each criterion') });
  const { $schema: _, ...schema } = z.toJSONSchema(answer, { override: withoutBounds });
  return schema;
}

/** Some servers refuse schemas that bound a number; the answer is checked in any case. */
function withoutBounds({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete jsonSchema.minimum;
  delete jsonSchema.maximum;
}

export type JudgeProvider = 'anthropic' | 'openai' | 'google';
export type JudgeTransportId = 'api' | 'claude-cli' | 'codex-cli';

/** Why criteria are undecided. None of these says anything about the agent or the package. */
export type JudgeErrorKind =
  | 'judge-unusable'
  | 'judge-split'
  | Extract<
      ErrorKind,
      'no-judge' | 'budget' | 'interrupted' | 'sandbox' | 'engine-failed' | 'internal' | `model-${string}`
    >;

/** One vote on all criteria of a case. Only one that was cast counts for or against anything. */
export type Vote =
  | {
      readonly state: 'cast';
      readonly criteria: readonly CriterionVerdict[];
      /** The id that answered; null: it was not told. */
      readonly model: string | null;
      /** How often it was asked for. */
      readonly attempts: number;
    }
  | {
      readonly state: 'unusable';
      readonly why: string;
      readonly model: string | null;
      readonly attempts: number;
    }
  | {
      readonly state: 'failed';
      readonly errorKind: JudgeErrorKind;
      readonly error: string;
      readonly attempts: number;
    };

export interface CriterionJudgement extends JudgedCriterion {
  readonly result: Verdict;
  /** From 0 to 1, of a criterion with a scale; null: undecided. Left out: all or nothing. */
  readonly score?: number | null;
  readonly reason: string;
  readonly evidence: readonly string[];
  readonly votes: { readonly pass: number; readonly fail: number; readonly undecided: number };
  /** Share of all votes that went to the result; null when there is none. */
  readonly agreement: number | null;
}

export interface Judgement {
  readonly result: Verdict;
  readonly reason: string;
  readonly model: string | null;
  readonly provider: JudgeProvider;
  readonly transport: JudgeTransportId;
  readonly criteria: readonly CriterionJudgement[];
  readonly votes: readonly Vote[];
  /** Of all votes, those for unusable answers included. One of a CLI may take several requests. */
  readonly attempts: number;
  readonly prompt: { readonly version: string; readonly sha256: string };
  /** Both are null unless the result is SKIP. */
  readonly error: string | null;
  readonly errorKind: JudgeErrorKind | null;
}
