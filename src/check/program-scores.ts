/** What a program of agentcarousel's kind has said: scores of rubric items, and whether the case has passed. Pure. */
import { z } from 'zod';
import { type GraderResult, graded, unknown } from './check.ts';

const answer = z.looseObject({
  scores: z
    .array(
      z.looseObject({
        rubric_id: z.string(),
        score: z.number().min(0).max(1),
        rationale: z.string().nullish(),
      }),
    )
    .nullish(),
  passed: z.boolean().nullish(),
});

/** The mean of the scores counts; what the program itself says has not passed is nothing, whatever its scores. */
export function readScores(text: string): GraderResult {
  const parsed = answer.safeParse(jsonOf(text));
  if (!parsed.success)
    return unknown('the program did not print {"scores": [{"rubric_id", "score" from 0 to 1}], "passed"}');
  const { scores, passed } = parsed.data;
  const given = scores ?? [];
  if (given.length === 0 && typeof passed !== 'boolean')
    return unknown('the program printed neither scores nor whether the case has passed');
  const mean = given.reduce((sum, { score }) => sum + score, 0) / given.length;
  const each = given.map(
    ({ rubric_id: id, score, rationale }) => `${id} ${score}${rationale ? ` (${rationale})` : ''}`,
  );
  const said = each.length > 0 ? `: ${shortened(each.join(', '))}` : '';
  if (passed === false) return graded(0, `the program says that the case has not passed${said}`);
  const words = passed === true ? 'says that the case has passed' : 'gave scores';
  return graded(given.length > 0 ? mean : 1, `the program ${words}${said}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_MESSAGE = 1_000;

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}
