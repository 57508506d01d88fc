/** What the judge quoted of the trial that is shown, and where it stands. */
import { createContext } from 'preact';
import type { ViewerCapture, ViewerText } from '../model/viewer.ts';
import { findQuotes } from './highlight.ts';
import { visible } from './visible.ts';

/** Every text of the trial marks these. */
export const Evidence = createContext<readonly string[]>([]);

export function holdsQuote(text: ViewerText | null, quotes: readonly string[]): boolean {
  if (text === null || quotes.length === 0) return false;
  const parts = typeof text === 'string' ? [text] : [text.head, text.tail];
  return parts.some((part) => findQuotes(visible(part), quotes).length > 0);
}

/** In words; null: nowhere in this page. */
export function placeOf(quote: string, capture: ViewerCapture): string | null {
  const quotes = [quote];
  if (holdsQuote(capture.output, quotes)) return 'in the output';
  for (const step of capture.steps) {
    if (step.type === 'message' && holdsQuote(step.text, quotes)) return 'in a message';
    if (step.type === 'note' && holdsQuote(step.text, quotes)) return `in the timeline: ${step.title}`;
    if (step.type !== 'tool') continue;
    if (holdsQuote(step.input, quotes)) return `in a call of ${step.tool}`;
    if (holdsQuote(step.output, quotes)) return `in a result of ${step.tool}`;
  }
  const hook = capture.hooks.find((it) =>
    [it.reason, it.stdout, it.stderr].some((text) => holdsQuote(text, quotes)),
  );
  if (hook) return `in what the hook ${hook.event} said`;
  const file = capture.files.find(({ diff }) => holdsQuote(diff, quotes));
  return file ? `in ${file.path}` : null;
}
