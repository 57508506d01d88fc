/** What aam fills in by itself when it asks a judge, and what the judge is shown of the CLIs' own ways. */
import { jsonOrNull } from '../../../model/json-or-null.ts';
import { isList, isObject, type Json, mapTexts } from '../canonical.ts';
import type { Names } from '../names.ts';
import { claudeToolResult } from './anthropic.ts';
import { codexToolOutput } from './openai.ts';
import { type IsPrompt, textsOf } from './texts.ts';

/** Ours comes first: a fence inside the material is material. */
const FIRST_FENCE = /^<<<([0-9a-f]{32}) /m;

/** Leaves every other request as it is. */
export function normaliseJudge(body: Json, names: Names, isPrompt: IsPrompt): Json {
  const mark = markIn(body, isPrompt);
  if (mark === null) return body;
  names.give('mark', mark);
  // Titles as the judge's digest gives them. What ran side by side stands there in an order that depends on chance; the
  // agent's own requests, which are compared in full, have fixed all of the order that does not.
  const record = new RegExp(
    `(<<<${mark} the (?:actions|hooks) [^\\n]*, one to a line, in their order\\n)([\\s\\S]*?)(?=\\n${mark}>>>)`,
    'g',
  );
  return mapTexts(body, (text) =>
    text.replace(record, (_, fence: string, lines: string) => fence + inOneOrder(lines.split('\n'), names)),
  );
}

function markIn(body: Json, isPrompt: IsPrompt): string | null {
  const asked = userTexts(body).filter((text) => !isPrompt(text));
  const marks = asked.flatMap((text) => {
    const [, mark] = FIRST_FENCE.exec(text) ?? [];
    return mark !== undefined && text.includes(`\n<<<${mark} criteria`) ? [mark] : [];
  });
  return marks[0] ?? null;
}

function userTexts(body: Json): string[] {
  if (!isObject(body)) return [];
  const list = body['messages'] ?? body['input'] ?? body['contents'];
  if (!isList(list)) return textsOf(list);
  return list.flatMap((it) =>
    isObject(it) && it['role'] === 'user' ? textsOf(it['content'] ?? it['parts']) : [],
  );
}

/** Names are given in the order of what does not change, so that they do not depend on chance either. */
function inOneOrder(lines: readonly string[], names: Names): string {
  const all = names.copy();
  for (const line of lines) withoutChance(line, all);
  return lines
    .map((line) => ({ line, shape: all.blank(withoutChance(line, all)) }))
    .sort((a, b) => (a.shape < b.shape ? -1 : a.shape > b.shape ? 1 : 0))
    .map(({ line }) => withoutChance(line, names))
    .join('\n');
}

/** The result of a tool by the rules that hold for it in the agent's own requests. */
function withoutChance(line: string, names: Names): string {
  const entry = jsonOrNull(line) as Json;
  if (!isObject(entry)) return line;
  const { tool, result } = entry;
  if (typeof tool !== 'string' || typeof result !== 'string') return line;
  const changed = codexToolOutput(claudeToolResult(result, tool, names), names);
  return changed === result ? line : JSON.stringify({ ...entry, result: changed });
}
