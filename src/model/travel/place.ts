/**
 * Paths of the machine that plans mean nothing on another one. There they are places in the bundle of files that
 * travels along: `bundle:<path>`.
 */
import { z } from 'zod';
import { nameProblem } from '../archive-name.ts';
import { text } from './parts.ts';

const PREFIX = 'bundle:';

export const bundlePlace = text.superRefine((place, context) => {
  const problem = placeProblem(place);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

/** A word of a command: free text, or a place. */
export const bundleWord = text.superRefine((word, context) => {
  const problem = isPlace(word) ? placeProblem(word) : null;
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});

/** What is said about the paths of a document, wherever they stand in it. All that is done to paths goes through it. */
export interface PathSchemas {
  readonly path: z.ZodType<string>;
  readonly word: z.ZodType<string>;
  /** Of Case.sources. */
  readonly sources: z.ZodType<string[]>;
}

/** As documents travel: what a case was made from stays behind. */
export const TRAVELLING: PathSchemas = {
  path: bundlePlace,
  word: bundleWord,
  sources: z.array(text).max(0, { error: 'must be empty: what a case was made from does not travel' }),
};

export function isPlace(word: string): boolean {
  return word.startsWith(PREFIX);
}

/** The path in the bundle; `place` is a valid one. */
export function pathInBundle(place: string): string {
  return place.slice(PREFIX.length);
}

function placeProblem(place: string): string | null {
  if (!isPlace(place)) return `must be a place in the bundle, ${PREFIX}<path>`;
  const problem = nameProblem(pathInBundle(place));
  return problem === null ? null : `names a place in the bundle that ${problem}`;
}
