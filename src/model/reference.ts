/** The criterion of cases that say what a good result looks like and nothing else. */
import type { Criterion } from './case.ts';

const ID = 'expected-output';
const WORDS = 'What the agent did and answered agrees with this description of the expected result: ';

export function agreesWith(reference: string): Criterion {
  return { id: ID, text: `${WORDS}${reference}`, weight: 1, required: false };
}

/** What such a criterion was made of; null: it is another one. */
export function referenceIn({ id, text }: Pick<Criterion, 'id' | 'text'>): string | null {
  return id === ID && text.startsWith(WORDS) ? text.slice(WORDS.length) : null;
}
