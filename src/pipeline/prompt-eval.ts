/** `aam prompt eval`: an evaluation by the agent that one is talking to, which needs no key. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { runGraders } from '../check/graders.ts';
import { digest } from '../judge/digest.ts';
import { readTemplate, renderPrompt } from '../judge/prompt.ts';
import type { Case, Criterion } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { GraderKind } from '../model/grader.ts';
import type { Host } from '../model/host.ts';
import type { Verdict } from '../model/trial.ts';
import { selectCases } from '../plan/evals.ts';
import { makeWorkspace } from '../sandbox/workspace.ts';
import { type EvalSource, loadSource } from './eval-source.ts';
import { type LeftFiles, lookAtFiles, NO_FILES } from './prompt-files.ts';

export interface PromptRequest {
  /** An eval file, or a folder with one. */
  readonly path: string;
  readonly host: Pick<Host, 'cwd' | 'env'>;
}

export interface PromptOverview {
  readonly file: string;
  readonly skill: string | null;
  readonly tests: readonly {
    readonly id: string;
    readonly description: string | null;
    readonly checks: number;
    readonly criteria: number;
    /** Why it cannot be run; null: it can. */
    readonly problem: string | null;
  }[];
}

export async function promptOverview({ path, host }: PromptRequest): Promise<PromptOverview> {
  const source = await load(path, host);
  return {
    file: path,
    skill: source.pkg.skills.length === 1 ? (source.pkg.skills[0]?.name ?? null) : null,
    tests: source.suite.cases.map(({ name, description, graders, criteria, fault }) => ({
      id: name,
      description,
      checks: graders.length,
      criteria: criteria.length,
      problem: fault?.error ?? null,
    })),
  };
}

/** With the names that other tools for these prompts have. */
export interface PromptInput {
  readonly test_id: string;
  readonly input: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
  /** Absolute paths of the files the candidate needs, and where it expects them. */
  readonly files: readonly { readonly from: string | null; readonly to: string }[];
  readonly guideline_paths: readonly string[];
  /** For whoever leads the evaluation, never for the candidate. */
  readonly criteria: string;
}

/** `workspace`: a folder that is made, with the files of the case in it; null: none. */
export async function promptInput(
  { path, host }: PromptRequest,
  testId: string,
  workspace: string | null,
): Promise<PromptInput> {
  const it = caseOf(await load(path, host), testId);
  if (it.fault !== null) throw new UserError(`the case ${it.name} cannot be run: ${it.fault.error}`);
  if (workspace !== null) {
    const root = resolve(host.cwd, workspace);
    if (await stat(root).catch(() => null)) throw new UserError(`${workspace} exists already`);
    makeWorkspace(
      root,
      it.files.map(({ from, to }) => (from === null ? { to, text: '' } : { to, from })),
    );
  }
  return {
    test_id: it.name,
    input: [
      ...(it.instructions === undefined ? [] : [{ role: 'system' as const, content: it.instructions }]),
      ...[it.prompt, ...it.followUps].map((content) => ({ role: 'user' as const, content })),
    ],
    files: it.files,
    guideline_paths: [],
    criteria: [...it.criteria.map(({ text }) => text), ...(it.reference === null ? [] : [it.reference])].join(
      '\n',
    ),
  };
}

export interface PromptJudgement {
  readonly test_id: string;
  /** The weighted mean of the scores must reach it. */
  readonly pass_threshold: number;
  readonly evaluators: readonly PromptEvaluator[];
}

type PromptEvaluator = {
  readonly name: string;
  readonly type: string;
  readonly weight: number;
  readonly required: boolean;
} & (
  | {
      readonly status: 'completed';
      readonly result: {
        readonly score: number;
        readonly verdict: 'pass' | 'fail';
        readonly hits: readonly string[];
        readonly misses: readonly string[];
        readonly reasoning: string;
      };
    }
  | {
      readonly status: 'prompt_ready';
      readonly prompt: { readonly system_prompt: string; readonly user_prompt: string };
    }
  /** An answer alone does not show it; `aam eval` does. */
  | { readonly status: 'not_observable'; readonly reason: string }
);

export interface JudgeRequest {
  readonly testId: string;
  readonly answerFile: string;
  /** The folder the candidate worked in; null: only its answer is known. */
  readonly workspace: string | null;
}

export async function promptJudge(
  { path, host }: PromptRequest,
  { testId, answerFile, workspace }: JudgeRequest,
): Promise<PromptJudgement> {
  const it = caseOf(await load(path, host), testId);
  const answer = await readFile(resolve(host.cwd, answerFile), 'utf8').catch((error: Error) => {
    throw new UserError(`the answer could not be read: ${error.message}`);
  });
  if (answer.trim() === '')
    throw new UserError(`${answerFile} is empty`, 'write the answer of the candidate into it');
  const left = workspace === null ? null : await lookAtFiles(it, resolve(host.cwd, workspace), workspace);
  return {
    test_id: it.name,
    pass_threshold: it.scoring.mode === 'all' ? 1 : it.scoring.threshold,
    evaluators: [...completed(it, answer, left), ...it.criteria.map((one) => ready(it, one, answer, left))],
  };
}

async function load(path: string, host: PromptRequest['host']): Promise<EvalSource> {
  const source = await loadSource(path, host);
  const mistakes = source.loaded?.diagnostics.filter(
    ({ severity, rule }) => severity === 'error' && rule !== 'file_copy_error',
  );
  if (source.suite.cases.length === 0 && mistakes?.length)
    throw new UserError(`${path} has mistakes`, `see them:  aam validate ${path}`);
  return source;
}

function caseOf({ suite }: EvalSource, testId: string): Case {
  const [it] = selectCases(suite.cases, { cases: [testId], targets: [] });
  if (!it) throw new UserError(`there is no case ${testId}`);
  return it;
}

/** What is seen in an answer, and in the files beside it. */
const OF_ANSWER: ReadonlySet<GraderKind> = new Set([
  ...(['contains', 'not-contains', 'starts-with', 'ends-with', 'equals', 'regex', 'is-json'] as const),
  ...(['json-subset', 'field-accuracy'] as const),
]);
const OF_FILES: ReadonlySet<GraderKind> = new Set(['files-created', 'files-exist', 'file-contains']);

function completed(it: Case, answer: string, left: LeftFiles | null): PromptEvaluator[] {
  const observed = {
    ...{ answer, said: answer, hooks: [], events: [], target: it.target, installed: [], confirmed: [] },
    ...{ tellsSkills: false, tellsTools: false, gap: null, hookGap: null },
    ...{ durationMs: null, costUsd: null, usage: null },
    ...(left?.seen ?? NO_FILES.seen),
  };
  const outcomes = runGraders(it, observed);
  return it.graders.map(({ id, kind, weight, required }, index): PromptEvaluator => {
    const about = { name: id, type: kind, weight, required };
    const outcome = outcomes[index];
    const isSeen = OF_ANSWER.has(kind) || (OF_FILES.has(kind) && left !== null);
    if (!isSeen || !outcome || outcome.verdict === 'SKIP')
      return { ...about, status: 'not_observable', reason: whyNot(kind, outcome?.message) };
    return {
      ...about,
      status: 'completed',
      result: resultOf(outcome.verdict, outcome.score ?? null, outcome.message),
    };
  });
}

function whyNot(kind: GraderKind, message: string | undefined): string {
  if (OF_FILES.has(kind)) return 'it is about files: give the folder the candidate worked in by --workspace';
  return OF_ANSWER.has(kind) ? (message ?? '') : 'only a run by  aam eval  shows it';
}

function resultOf(verdict: Exclude<Verdict, 'SKIP'>, score: number | null, message: string) {
  const isPassed = verdict === 'PASS';
  return {
    score: score ?? (isPassed ? 1 : 0),
    verdict: isPassed ? ('pass' as const) : ('fail' as const),
    hits: isPassed ? [message] : [],
    misses: isPassed ? [] : [message],
    reasoning: message,
  };
}

function ready(it: Case, criterion: Criterion, answer: string, left: LeftFiles | null): PromptEvaluator {
  const exhibits = digest({
    prompt: it.prompt,
    output: answer,
    events: [],
    hooks: [],
    files: left?.changes ?? [],
    observed: { actions: false, hooks: false },
    gaps: left === null ? ['the files in the workspace were not looked at'] : left.gaps,
    reference: it.reference,
  });
  const { system, prompt } = renderPrompt(readTemplate(), [criterion], exhibits, []);
  const { id: name, weight, required } = criterion;
  const asked = { system_prompt: system, user_prompt: prompt };
  return { name, type: 'llm-judge', weight, required, status: 'prompt_ready', prompt: asked };
}
