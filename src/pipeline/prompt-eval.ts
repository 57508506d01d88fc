/** `aam prompt eval`: an evaluation by the agent that one is talking to, which needs no key. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { runGraders } from '../check/graders.ts';
import { digest } from '../judge/digest.ts';
import { readTemplate, renderPrompt } from '../judge/prompt.ts';
import type { Case, Criterion } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { GraderKind, Group } from '../model/grader.ts';
import type { Host } from '../model/host.ts';
import type { Verdict } from '../model/trial.ts';
import { selectCases } from '../plan/evals.ts';
import { makeWorkspace } from '../sandbox/workspace.ts';
import { type EvalSource, loadSource } from './eval-source.ts';
import type { FilesSeen } from './files-seen.ts';
import { leftFiles, NO_FILES } from './prompt-files.ts';
import { groupsOf } from './trial-decision.ts';

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
  // A list that leaves cases out would pass for the whole.
  if (mistakesOf(source) > 0) throw withMistakes(path);
  return {
    file: path,
    skill: source.pkg.skills.length === 1 ? (source.pkg.skills[0]?.name ?? null) : null,
    tests: source.suite.cases.map((it) => ({
      id: it.name,
      description: it.description,
      checks: it.graders.length,
      criteria: it.criteria.length,
      problem: problemOf(it),
    })),
  };
}

function problemOf({ fault, setup }: Case): string | null {
  if (fault !== null) return `it fails: ${fault.error}`;
  return setup === undefined
    ? null
    : 'it is undecided: its workspace has to be set up, and only  aam eval  does that';
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
  const problem = problemOf(it);
  if (problem !== null) throw new UserError(`the case ${it.name} cannot be run here: ${problem}`);
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
  /** Evaluators that count as one; left out: each counts by itself. */
  readonly groups?: readonly PromptGroup[];
}

interface PromptGroup {
  readonly name: string;
  /** Names of evaluators, or of other groups. */
  readonly members: readonly string[];
  readonly weight: number;
  readonly required: boolean;
  /** In words. */
  readonly how: string;
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
      /** What the judge gives: a verdict, or a score from 0 to 10. */
      readonly judged_by: 'verdict' | 'score';
      /** Of a score: it is taken from 10 first. */
      readonly negate: boolean;
      /** From which score on it has passed. */
      readonly pass_score: number;
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
  const left = workspace === null ? null : await leftFiles(it, resolve(host.cwd, workspace), workspace);
  return {
    test_id: it.name,
    pass_threshold: it.scoring.mode === 'all' ? 1 : it.scoring.threshold,
    evaluators: [...completed(it, answer, left), ...it.criteria.map((one) => ready(it, one, answer, left))],
    ...(groupsOf(it).length > 0 && { groups: groupsOf(it).map(groupOf) }),
  };
}

function groupOf({ id, members, weight, required, ...group }: Group): PromptGroup {
  return { name: id, members, weight, required, how: howOf(group) };
}

function howOf({
  aggregator,
  negate,
  minScore = 1,
}: Pick<Group, 'aggregator' | 'negate' | 'minScore'>): string {
  const turned = negate ? ', taken from 1' : '';
  const zero = 'It is 0 before that where a required member has not passed.';
  if (aggregator.kind === 'weighted-average')
    return `Its score is the mean of its members’ scores by weight${turned}. ${zero} It has passed from ${minScore} on.`;
  if (aggregator.kind !== 'threshold') return 'It stays undecided: only a run by  aam eval  decides it.';
  const { threshold } = aggregator;
  const mark = negate
    ? `while fewer than ${threshold} of its members have`
    : `when ${threshold} of them or more have`;
  return `Its score is the share of its members that have passed${turned}. ${zero} It has passed ${mark}.`;
}

async function load(path: string, host: PromptRequest['host']): Promise<EvalSource> {
  const source = await loadSource(path, host);
  if (source.suite.cases.length === 0 && mistakesOf(source) > 0) throw withMistakes(path);
  return source;
}

function mistakesOf({ loaded }: EvalSource): number {
  const found = loaded?.diagnostics ?? [];
  return found.filter(({ severity, rule }) => severity === 'error' && rule !== 'file_copy_error').length;
}

function withMistakes(path: string): UserError {
  return new UserError(`${path} has mistakes`, `see them:  aam validate ${path}`);
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

function completed(it: Case, answer: string, left: FilesSeen | null): PromptEvaluator[] {
  const observed = {
    ...{ answer, said: answer, hooks: [], events: [], target: it.target, installed: [], confirmed: [] },
    ...{ tellsSkills: false, tellsTools: false, gap: null, hookGap: null },
    ...{ durationMs: null, costUsd: null, usage: null },
    // Graders of files are not asked without them, and for the others they do not matter.
    ...(left?.seen ?? { ...NO_FILES.seen, fileGap: null }),
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

function ready(it: Case, criterion: Criterion, answer: string, left: FilesSeen | null): PromptEvaluator {
  const isLonger = it.followUps.length > 0;
  const unheard = isLonger ? ['what the agent answered before the last message is not known'] : [];
  const unlooked = left === null ? 'the files in the workspace were not looked at' : left.seen.fileGap;
  const exhibits = digest({
    prompt: [it.prompt, ...it.followUps].join('\n\n[after an answer of the agent, the user says:]\n\n'),
    output: answer,
    events: [],
    hooks: [],
    files: left?.changes ?? [],
    observed: { actions: false, hooks: false },
    gaps: [...(unlooked === null ? [] : [unlooked]), ...unheard],
    reference: it.reference,
  });
  const { system, prompt } = renderPrompt(readTemplate(), [criterion], exhibits, []);
  const { id: name, weight, required, scale, minScore = 1 } = criterion;
  const isScored = scale !== undefined;
  return {
    ...{ name, type: 'llm-judge', weight, required, status: 'prompt_ready' },
    prompt: { system_prompt: system, user_prompt: prompt },
    judged_by: isScored ? 'score' : 'verdict',
    // A verdict is turned round by the judge itself.
    negate: isScored && criterion.negate === true,
    pass_score: minScore,
  };
}
