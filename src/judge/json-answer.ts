/** Reads the JSON of an answer, which must say each thing once. */
import { visit } from 'jsonc-parser';

export type JsonAnswer =
  | { readonly state: 'answered'; readonly answer: unknown }
  | { readonly state: 'unusable'; readonly why: string };

export function readJsonAnswer(text: string): JsonAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { state: 'unusable', why: 'the answer is not JSON' };
  }
  const repeated = repeatedKey(text);
  return repeated === null ? { state: 'answered', answer } : { state: 'unusable', why: repeated };
}

/** Readers differ in which of two they take, so neither is taken. null: there is none. */
export function repeatedKey(json: string): string | null {
  const open: Set<string>[] = [];
  let repeated: string | null = null;
  try {
    visit(json, {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (key) => {
        if (open.at(-1)?.has(key)) repeated ??= key;
        open.at(-1)?.add(key);
      },
    });
  } catch (error) {
    if (error instanceof RangeError) return 'the answer is nested too deeply';
    throw error;
  }
  return repeated === null ? null : `the answer has the key ${JSON.stringify(repeated)} twice`;
}
