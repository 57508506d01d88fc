/** A deterministic grader of a case: which kind, what it is given, and how much it counts. Plain data. */
import type { Position } from './diagnostic.ts';
import type { Dialect } from './pattern.ts';
import type { Json } from './tests.ts';

/** What each kind is given. */
export interface GraderOptions {
  readonly contains: OfText & Texts & { readonly match: 'all' | 'any' };
  /** None of them. */
  readonly 'not-contains': OfText & Texts;
  /** White space around text and value does not count. */
  readonly 'starts-with': OfText & OneText;
  readonly 'ends-with': OfText & OneText;
  readonly equals: OfText & OneText & { readonly exact?: boolean };
  /** As JavaScript has them, or Rust. */
  readonly regex: OfText & Pattern;
  /** The whole text is JSON. */
  readonly 'is-json': OfText;
  /** Every part of the value is in the text's JSON. */
  readonly 'json-subset': OfText & { readonly value: Json };
  /** What a part of the text's JSON is or has. */
  readonly 'json-field': OfText & JsonField;
  /** How much of a file's lines the text has, by the longest run of lines that both have in this order. */
  readonly golden: OfText & Golden;
  /** There now, and not before. */
  readonly 'files-created': Paths;
  /** There now. */
  readonly 'files-exist': Paths;
  /** Also of what must not be in it, the file must be there: `none`. */
  readonly 'file-contains': Texts & { readonly path: string; readonly match: 'all' | 'any' | 'none' };
  readonly 'agent-blocked': { readonly expected: boolean };
  /** The agent loaded this very skill, or did not. */
  readonly 'skill-trigger': { readonly skill: string; readonly expected: boolean };
  readonly 'tool-trajectory': ToolTrajectory;
  /** Fields of the answer's JSON against those of the reference. */
  readonly 'field-accuracy': FieldAccuracy;
  /** From the agent's start to its end. */
  readonly latency: { readonly maxMs: number };
  readonly cost: { readonly maxUsd: number };
  readonly 'token-usage': {
    readonly maxTotal: number | null;
    readonly maxInput: number | null;
    readonly maxOutput: number | null;
  };
  readonly 'execution-metrics': ExecutionMetrics;
  /** A program of the author decides. It runs in the sandbox, after the agent. */
  readonly program: GraderProgram;
}

export interface JsonField {
  /** A top-level key, a JSON pointer (`/a/0`) or a JSONPath (`$.a[0]`), of which one value has to do. */
  readonly field: string;
  readonly relation: 'contains' | 'not-contains' | 'equals' | 'regex';
  /** A regex is one of Rust. */
  readonly value: string;
}

export interface Golden {
  /** As its author wrote it. */
  readonly path: string;
  /** null: the file is not there. */
  readonly text: string | null;
  /** Space at the ends of lines and how much there is within does not count. */
  readonly ignoreSpace: boolean;
  /** Likeness from which on it holds, all or nothing; left out: it holds in part. */
  readonly least?: number;
}

export interface ToolTrajectory {
  /**
   * `any-order`: at least so many calls of each tool. `in-order`: the expected calls in this order, others between them.
   * `exact`: these calls and no others. `superset`: each expected call is there. `subset`: no call but the expected.
   */
  readonly mode: 'any-order' | 'in-order' | 'exact' | 'superset' | 'subset';
  /** Of `any-order`. */
  readonly minimums: Readonly<Record<string, number>>;
  /** Of the other modes. */
  readonly expected: readonly ExpectedCall[];
}

export interface ExpectedCall {
  readonly tool: string;
  /** null: any. */
  readonly args: Json | null;
  /**
   * `superset`: the call has all that is expected, also within lists. `part`: the same, but lists are equal.
   * `subset`: it has nothing else. A list: only these fields, by paths.
   */
  readonly argsMatch: 'exact' | 'ignore' | 'subset' | 'superset' | 'part' | readonly string[];
  readonly maxDurationMs: number | null;
}

export interface FieldAccuracy {
  readonly reference: Json;
  readonly fields: readonly ExpectedField[];
  readonly aggregation: 'weighted-average' | 'all-or-nothing';
}

export interface ExpectedField {
  /** `a.b[0].c`. */
  readonly path: string;
  readonly match:
    | { readonly kind: 'exact' }
    | { readonly kind: 'numeric-tolerance'; readonly tolerance: number; readonly relative: boolean }
    | { readonly kind: 'date'; readonly formats: readonly string[] };
  readonly required: boolean;
  readonly weight: number;
}

/** Each one that is not null counts alike. */
export interface ExecutionMetrics {
  readonly maxToolCalls: number | null;
  readonly maxModelCalls: number | null;
  readonly maxTokens: number | null;
  readonly maxCostUsd: number | null;
  readonly maxDurationMs: number | null;
  readonly targetExplorationRatio: number | null;
  readonly explorationTolerance: number;
}

export interface GraderProgram {
  readonly argv: readonly [string, ...string[]];
  /** Absolute. Visible to the program alone, never to the agent. */
  readonly cwd: string;
  /** Passed on as it is. */
  readonly config: Json;
  /** What it is told as `output`: all messages, as the protocol had it first, or the text of the answer; left out: messages. */
  readonly output?: 'messages' | 'text';
  readonly timeoutMs: number;
  /** How it is told about the case and how it answers; left out: as AgentV does. */
  readonly protocol?: 'agentcarousel';
}

interface OfText {
  /** `answer`: the final one. `said`: everything the agent said to people, the answer included. */
  readonly of: 'answer' | 'said';
}

interface Texts {
  readonly values: readonly string[];
  readonly ignoreCase?: boolean;
}

interface Pattern {
  readonly pattern: string;
  readonly flags?: string;
  /** Left out: JavaScript. */
  readonly dialect?: Dialect;
}

interface OneText {
  readonly value: string;
  readonly ignoreCase?: boolean;
}

/** Relative to the workspace. */
interface Paths {
  readonly paths: readonly string[];
}

export type GraderKind = keyof GraderOptions;

export type GraderOf<Kind extends GraderKind> = {
  /** Unique in its case; what reports call it. */
  readonly id: string;
  readonly kind: Kind;
  readonly options: GraderOptions[Kind];
} & Share & {
    /** It must not hold. What could not be found out does not hold either way. */
    readonly negate: boolean;
    /** Where its author wrote it, in the file of the case. */
    readonly place?: Position;
  };

export type Grader = { readonly [Kind in GraderKind]: GraderOf<Kind> }[GraderKind];

/** What a grader, a criterion or a group counts for. */
export interface Share {
  /** Relative to the others of its case or group; only where a case is scored. */
  readonly weight: number;
  /** Without it the case does not pass, whatever its score; in a group: the group scores nothing. */
  readonly required: boolean;
  /** From which score on it has passed, where it can be passed in part; left out: 1. */
  readonly minScore?: number;
}

/** How a case is decided from its parts. */
export type Scoring =
  /** Every part must pass. */
  | { readonly mode: 'all' }
  /** The weighted mean of the scores must reach the threshold, and every required part must pass. */
  | { readonly mode: 'score'; readonly threshold: number; readonly groups?: readonly Group[] };

/** Graders, criteria and groups that count as one. A member counts only through its group. */
export interface Group extends Share {
  /** Unique among the graders, criteria and groups of its case. */
  readonly id: string;
  readonly members: readonly string[];
  readonly aggregator: Aggregator;
  readonly negate: boolean;
}

export type Aggregator =
  /** By the weights of the members. */
  | { readonly kind: 'weighted-average' }
  /** This share of the members has passed. */
  | { readonly kind: 'threshold'; readonly threshold: number }
  | { readonly kind: 'program'; readonly program: GraderProgram }
  /** A judge decides by the results of the members. */
  | { readonly kind: 'judge'; readonly instructions: string };

/** One that counts like all others, as in formats that know no weights. */
export function grader<Kind extends GraderKind>(
  id: string,
  kind: Kind,
  options: GraderOptions[Kind],
  more: Partial<Share & Pick<GraderOf<Kind>, 'negate' | 'place'>> = {},
): GraderOf<Kind> {
  return { id, kind, options, weight: 1, required: false, negate: false, ...more };
}
