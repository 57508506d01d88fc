/** What was graded in a trial, one by one, whoever graded it. */
import type { Case } from '../model/case.ts';
import type { TrialResult, Verdict } from '../model/trial.ts';
import type { Usage } from '../model/usage.ts';

export interface GradedPart {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly weight: number;
  /** null: undecided. */
  readonly passed: boolean | null;
  readonly score: number | null;
  readonly evidence: string;
}

export function partsOf({ graders, criteria }: Case, { checks, judged }: TrialResult): GradedPart[] {
  return [
    ...graders.map(({ id, kind, weight, options }) => {
      const outcome = checks.find(({ check }) => check === id);
      return {
        ...{ id, type: kind, weight },
        text: `${kind} ${JSON.stringify(options)}`,
        passed: passedBy(outcome?.verdict),
        score: outcome?.score ?? null,
        evidence: outcome?.message ?? '',
      };
    }),
    ...criteria.map(({ id, text, weight }) => {
      const outcome = judged?.judgement.criteria.find((it) => it.id === id);
      const quotes = outcome?.evidence.map((it) => JSON.stringify(it)) ?? [];
      return {
        ...{ id, type: 'llm-judge', weight, text },
        passed: passedBy(outcome?.result),
        score: outcome?.score ?? asNumber(passedBy(outcome?.result)),
        evidence: [outcome?.reason ?? '', ...quotes].join(' ').trim(),
      };
    }),
  ];
}

function asNumber(passed: boolean | null): number | null {
  return passed === null ? null : Number(passed);
}

export function passedBy(verdict: Verdict | undefined): boolean | null {
  return verdict === undefined || verdict === 'SKIP' ? null : verdict === 'PASS';
}

/** All that the model read and wrote, whether or not it came from a cache. */
export function tokensOf(usage: Usage): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}
