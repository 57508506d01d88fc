/** The random mark of the fences around what the judge is shown. */
import { isList, isObject, type Json } from '../canonical.ts';
import type { Names } from '../names.ts';
import { textsOf } from './texts.ts';

/** Ours comes first: a fence inside the material is material. */
const FIRST_FENCE = /^<<<([0-9a-f]{32}) /m;

export function nameJudgeMark(body: Json, names: Names): void {
  const marks = userTexts(body).flatMap((text) => {
    const [, mark] = FIRST_FENCE.exec(text) ?? [];
    return mark !== undefined && text.includes(`\n<<<${mark} criteria`) ? [mark] : [];
  });
  if (marks[0] !== undefined) names.give('mark', marks[0]);
}

function userTexts(body: Json): string[] {
  if (!isObject(body)) return [];
  const list = body['messages'] ?? body['input'] ?? body['contents'];
  if (!isList(list)) return textsOf(list);
  return list.flatMap((it) =>
    isObject(it) && it['role'] === 'user' ? textsOf(it['content'] ?? it['parts']) : [],
  );
}
