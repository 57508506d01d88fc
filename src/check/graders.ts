/** The graders of eval cases: one implementation for each kind, whatever format a case comes from. */
import type { Case } from '../model/case.ts';
import type { Grader, GraderKind, GraderOptions } from '../model/grader.ts';
import type { HookRun } from '../model/hook-log.ts';
import { verdictOfScore } from '../model/score.ts';
import type { CheckOutcome } from '../model/trial.ts';
import { type GraderResult, unknown } from './check.ts';
import { agentBlocked, type InstalledHook } from './kinds/agent-blocked.ts';
import { contains, notContains } from './kinds/contains.ts';
import { edges } from './kinds/edges.ts';
import { fieldAccuracy } from './kinds/field-accuracy.ts';
import { filesCreated } from './kinds/files-created.ts';
import { type FileText, fileContains, filesExist } from './kinds/files-exist.ts';
import { golden } from './kinds/golden.ts';
import { isJson } from './kinds/is-json.ts';
import { jsonField } from './kinds/json-field.ts';
import { jsonSubset } from './kinds/json-subset.ts';
import { cost, executionMetrics, latency, type Measured, tokenUsage } from './kinds/measures.ts';
import { regex } from './kinds/regex.ts';
import { skillTrigger } from './kinds/skill-trigger.ts';
import { toolTrajectory } from './kinds/tool-trajectory.ts';

/** What a trial shows of itself. */
export interface Observed extends Measured {
  /** The final answer. */
  readonly answer: string;
  /** The answer to each prompt of the case that was given, in order. */
  readonly answers?: readonly string[];
  /** Everything the agent said. */
  readonly said: string;
  readonly created: readonly string[];
  /** See FilesSeen. */
  readonly notFiles: Readonly<Record<string, string>>;
  readonly existedBefore: readonly string[];
  /** Files that are there now. */
  readonly present: readonly string[];
  readonly read: (path: string) => FileText;
  readonly hooks: readonly HookRun[];
  /** skill:<name>, hook:<event> or agent:<name>. */
  readonly target: string | null;
  /** See BlockEvidence. */
  readonly installed: readonly InstalledHook[];
  readonly confirmed: readonly string[];
  readonly tellsSkills: boolean;
  /** Why reports of hooks are not whole, as `gap` says it of events and words; null: they are. */
  readonly hookGap: string | null;
  /** The same for the files. */
  readonly fileGap: string | null;
}

type Kinds = {
  readonly [Kind in GraderKind]: (options: GraderOptions[Kind], observed: Observed) => GraderResult;
};

const GRADERS: Kinds = {
  contains: ({ of, values, ...matching }, it) => contains(values, it[of], WHERE[of], matching),
  'not-contains': ({ of, values, ignoreCase }, it) =>
    notContains(values, it[of], WHERE[of], it.gap, ignoreCase),
  'starts-with': (options, it) => edges('starts-with', options, it[options.of], WHERE[options.of]),
  'ends-with': (options, it) => edges('ends-with', options, it[options.of], WHERE[options.of]),
  equals: (options, it) => edges('equals', options, it[options.of], WHERE[options.of]),
  regex: ({ of, ...pattern }, it) => regex(pattern, it[of], WHERE[of]),
  'is-json': ({ of }, it) => isJson(it[of], WHERE[of]),
  'json-subset': ({ of, value }, it) => jsonSubset(value, it[of], WHERE[of]),
  'json-field': ({ of, ...options }, it) => jsonField(options, it[of], WHERE[of], it.gap),
  golden: ({ of, ...options }, it) => golden(options, it[of], WHERE[of]),
  'files-created': ({ paths }, it) => filesCreated(paths, it),
  'files-exist': ({ paths }, it) => filesExist(paths, it.present),
  'file-contains': (options, it) => fileContains(options, it.read),
  'agent-blocked': ({ expected }, it) => agentBlocked(expected, { ...it, gap: it.hookGap ?? it.gap }),
  'skill-trigger': (options, it) => skillTrigger(options, it),
  'tool-trajectory': (options, it) => toolTrajectory(options, it),
  'field-accuracy': (options, it) => fieldAccuracy(options, it.answer),
  latency: (options, it) => latency(options, it),
  cost: (options, it) => cost(options, it),
  'token-usage': (options, it) => tokenUsage(options, it),
  'execution-metrics': (options, it) => executionMetrics(options, it),
  // Programs run after everything was looked at: see `outcomeOf`.
  program: () => unknown('the program has not run'),
};

const WHERE = { answer: 'the answer', said: 'the output' } as const;

/** In the order of the case. */
export function runGraders({ graders }: Pick<Case, 'graders'>, observed: Observed): CheckOutcome[] {
  const missing = observed.gap ?? observed.hookGap ?? observed.fileGap;
  return graders.map(asked).map((it) => {
    const found = grade(it, observed);
    return outcomeOf(it, found ?? TOO_DEEP, found === null ? TOO_DEEP.message : missing);
  });
}

/** Neither what must be there nor what must not can be shown of it. */
const TOO_DEEP = {
  verdict: 'FAIL',
  message: 'what the agent gave is nested too deeply to be looked at',
} as const;

/** A file that is not there says nothing about what must not be in it. */
function asked(it: Grader): Grader {
  if (it.kind !== 'file-contains' || !it.negate) return it;
  const { match, values } = it.options;
  const isNone = match === 'any' || values.length === 1;
  return isNone ? { ...it, negate: false, options: { ...it.options, match: 'none' } } : it;
}

/** null: the stack does not reach to the bottom of it. What authors write is never that deep. */
function grade<Kind extends GraderKind>(
  { kind, options }: { readonly kind: Kind; readonly options: GraderOptions[Kind] },
  observed: Observed,
): GraderResult | null {
  try {
    return GRADERS[kind](options, observed);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** What a grader found, as its case counts it. `missing`: why there may be more than was seen; null: there is not. */
export function outcomeOf(
  { id, negate, minScore }: Grader,
  found: GraderResult,
  missing: string | null,
): CheckOutcome {
  const { score, message } = negate ? negated(found, missing) : { ...found, score: scoreOf(found) };
  const verdict = verdictOfScore(score, minScore);
  return {
    check: id,
    verdict,
    score,
    message,
    ...(found.details !== undefined && { details: found.details }),
  };
}

type Scored = Pick<CheckOutcome, 'score' | 'message'>;

/** What is not known to its end may hold in the part that is missing. */
function negated(found: GraderResult, missing: string | null): Scored {
  const score = scoreOf(found);
  const { message } = found;
  if (score === null) return { score, message };
  // Kinds that hold in part say themselves what they do not know.
  if (found.score === undefined && score === 0 && missing !== null)
    return { score: 0, message: `it must not be so, and may be: ${missing}` };
  return { score: 1 - score, message: score > 0 ? `${message}, which must not be` : message };
}

function scoreOf({ verdict, score }: GraderResult): number | null {
  return verdict === 'SKIP' ? null : (score ?? Number(verdict === 'PASS'));
}

/** Paths that a grader speaks of: they are looked at however many files there are. */
export function pathsOf({ graders }: Pick<Case, 'graders'>): string[] {
  return graders.flatMap((it: Grader) => {
    if (it.kind === 'files-created' || it.kind === 'files-exist') return it.options.paths;
    return it.kind === 'file-contains' ? [it.options.path] : [];
  });
}
