/** A deterministic grader of a case: which kind, what it is given, and how much it counts. Plain data. */
import type { Json } from './tests.ts';

/** What each kind is given. */
export interface GraderOptions {
  readonly contains: OfText & Texts & { readonly match: 'all' | 'any' };
  /** None of them. */
  readonly 'not-contains': OfText & Texts;
  /** White space around text and value does not count. */
  readonly 'starts-with': OfText & OneText;
  readonly 'ends-with': OfText & OneText;
  readonly equals: OfText & OneText;
  /** As JavaScript has them. */
  readonly regex: OfText & { readonly pattern: string; readonly flags?: string };
  /** The whole text is JSON. */
  readonly 'is-json': OfText;
  /** Every part of the value is in the text's JSON. */
  readonly 'json-subset': OfText & { readonly value: Json };
  /** There now, and not before. */
  readonly 'files-created': Paths;
  /** There now. */
  readonly 'files-exist': Paths;
  /** Also of what must not be in it, the file must be there: `none`. */
  readonly 'file-contains': Texts & { readonly path: string; readonly match: 'all' | 'any' | 'none' };
  readonly 'agent-blocked': { readonly expected: boolean };
  /** The agent loaded this very skill, or did not. */
  readonly 'skill-trigger': { readonly skill: string; readonly expected: boolean };
}

interface OfText {
  /** `answer`: the final one. `said`: everything the agent said to people, the answer included. */
  readonly of: 'answer' | 'said';
}

interface Texts {
  readonly values: readonly string[];
  readonly ignoreCase?: boolean;
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
  };

export type Grader = { readonly [Kind in GraderKind]: GraderOf<Kind> }[GraderKind];

/** What a grader or a criterion counts for. */
export interface Share {
  /** Relative to the others of its case; only where a case is scored. */
  readonly weight: number;
  /** Without it the case does not pass, whatever its score. */
  readonly required: boolean;
}

/** How a case is decided from its parts. */
export type Scoring =
  /** Every part must pass. */
  | { readonly mode: 'all' }
  /** The weighted share of what passed must reach the threshold, and every required part must pass. */
  | { readonly mode: 'score'; readonly threshold: number };

/** One that counts like all others, as in formats that know no weights. */
export function grader<Kind extends GraderKind>(
  id: string,
  kind: Kind,
  options: GraderOptions[Kind],
  more: Partial<Share & { readonly negate: boolean }> = {},
): GraderOf<Kind> {
  return { id, kind, options, weight: 1, required: false, negate: false, ...more };
}
