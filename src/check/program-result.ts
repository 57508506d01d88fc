/** What a program that grades has said: a score, or why there is none. A program that does not work says nothing about the agent. Pure. */
import { z } from 'zod';
import type { GraderProgram } from '../model/grader.ts';
import type { ProcessOutcome } from '../model/process.ts';
import type { Json } from '../model/tests.ts';
import { type GraderResult, graded, unknown } from './check.ts';
import { readScores } from './program-scores.ts';

export function readProgram(
  outcome: ProcessOutcome,
  timeoutMs: number,
  protocol?: GraderProgram['protocol'],
): GraderResult {
  const { ended, exitCode, stdout, stderr, error, exceeded } = outcome;
  const said = lastWords(stderr.text);
  const because = said === '' ? '' : `: ${said}`;
  if (ended === 'timed-out')
    return unknown(`the program was still running after ${timeoutMs / 1000} s${because}`);
  if (exceeded) return unknown(`the program ${exceeded.error}`);
  if (ended === 'aborted') return unknown('the run was interrupted while the program ran');
  if (ended === 'not-started') return unknown(`the program could not be started: ${error}`);
  if (stdout.truncated) return unknown(`the program printed ${stdout.bytes} bytes, more than is read`);
  const code = exitCode ?? 1;
  if (code !== 0 && said !== '') return unknown(`the program ended with exit code ${code}${because}`);
  if (code >= ENDED_BY_SIGNAL) return unknown(`the program was ended by signal ${code - ENDED_BY_SIGNAL}`);
  const text = stdout.text.trim();
  if (protocol === 'agentcarousel')
    return code === 0 ? readScores(text) : unknown(`the program ended with exit code ${code}`);
  if (isJson(text)) return readResult(text, code);
  // What stands before or after it is for standard error: a score that is overlooked must not become a 1.
  if (HAS_SCORE.test(text)) return unknown('the program printed other words beside its JSON');
  return byExitCode(code, text);
}

const HAS_SCORE = /["']score["']\s*:/;

/** Also a single value: a program that prints 0.2 means a score, and none that is understood. */
function isJson(text: string): boolean {
  if (/^[[{]/.test(text)) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const ENDED_BY_SIGNAL = 128;

/** The convention of test runners, for programs that print no JSON. */
function byExitCode(code: number, text: string): GraderResult {
  const words = lastLine(text);
  return graded(code === 0 ? 1 : 0, `exit code ${code}${words === '' ? '' : `: ${words}`}`);
}

const strings = z.array(z.string()).catch([]);

const result = z.looseObject({
  score: z.number(),
  hits: strings.default([]),
  misses: strings.default([]),
  reasoning: z.string().catch('').default(''),
  assertions: z
    .array(z.looseObject({ text: z.string(), passed: z.boolean(), evidence: z.string().optional() }))
    .catch([])
    .default([]),
});

function readResult(text: string, code: number): GraderResult {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return unknown(`the program printed JSON that cannot be read: ${(error as Error).message}`);
  }
  const parsed = result.safeParse(json);
  if (!parsed.success) return unknown('the program printed JSON without a number as its score');
  const { score, hits, misses, reasoning, assertions, ...rest } = parsed.data;
  if (!(score >= 0 && score <= 1))
    return unknown(`the program gave a score of ${score}, which is not from 0 to 1`);
  if (code !== 0 && score === 1)
    return unknown(`the program gave the full score and ended with exit code ${code}`);
  const lines = (passed: boolean) =>
    assertions
      .filter((it) => it.passed === passed)
      .map(({ text: said, evidence }) => (evidence ? `${said} (${evidence})` : said));
  const missed = [...misses, ...lines(false)];
  const met = [...hits, ...lines(true)];
  const told = [
    ...(missed.length > 0 ? [`missed: ${missed.join('; ')}`] : []),
    ...(reasoning === '' ? [] : [reasoning]),
    ...(missed.length === 0 && reasoning === '' && met.length > 0 ? [`met: ${met.join('; ')}`] : []),
  ];
  const details = detailsIn(rest['details'], { hits: met, misses: missed });
  return { ...graded(score, shortened(told.join('. ') || 'the program gave no reason')), details };
}

const MAX_MESSAGE = 1_000;
const MAX_DETAILS = 16 * 1024;

/** Kept as long as they are short enough for a report. */
function detailsIn(details: unknown, lines: { readonly hits: string[]; readonly misses: string[] }): Json {
  const all = { ...lines, ...(details !== undefined && { details: details as Json }) };
  if (JSON.stringify(all).length <= MAX_DETAILS) return all;
  return { cut: `more than ${MAX_DETAILS} characters` };
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}…` : line;
}

/** The error itself, where a stack or the name of a runtime comes after it. */
function lastWords(stderr: string): string {
  const error = stderr.split('\n').findLast((line) => /^[\w.]*(?:Error|Exception)\b/.test(line));
  return lastLine(error ?? stderr);
}

function lastLine(text: string): string {
  const last = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return last.length > 300 ? `${last.slice(0, 300)}…` : last;
}
