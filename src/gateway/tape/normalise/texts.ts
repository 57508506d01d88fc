/** Texts as both APIs hold them. */
import { isList, isObject, type Json } from '../canonical.ts';

/** Whether a text is what the case says, and so nothing of a CLI. */
export type IsPrompt = (text: string) => boolean;

/** Changes a text, or the text blocks of a list. */
export function eachText(content: Json, change: (text: string) => string): Json {
  if (typeof content === 'string') return change(content);
  if (!isList(content)) return content;
  return content.map((block) =>
    isObject(block) && typeof block['text'] === 'string' ? { ...block, text: change(block['text']) } : block,
  );
}

export function textsOf(content: Json | undefined): string[] {
  if (typeof content === 'string') return [content];
  if (!isList(content)) return [];
  return content.flatMap((block) =>
    isObject(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
}
