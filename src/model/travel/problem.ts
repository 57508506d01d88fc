import type { z } from 'zod';
import { pathText } from '../diagnostic.ts';

const MAX_PROBLEM = 500;

/** The first thing that is wrong with a document, and where. Short, although a stranger may have written the document. */
export function travelProblem({ issues }: Pick<z.ZodError, 'issues'>): string {
  const [first] = issues;
  if (!first) return 'it is not what it should be';
  const place = pathText(first.path.map((part) => (typeof part === 'number' ? part : String(part))));
  return (place === '' ? first.message : `${place}: ${first.message}`).slice(0, MAX_PROBLEM);
}
