/** What Claude Code fills in by itself in a request to the Messages API. */
import { isList, isObject, type Json, type JsonObject } from '../canonical.ts';
import { type Names, placeholder } from '../names.ts';
import { withoutGitStatus } from './git-status.ts';
import { eachText, type IsPrompt } from './texts.ts';

export function normaliseAnthropic(body: Json, names: Names, isPrompt: IsPrompt): Json {
  if (!isObject(body)) return body;
  return withoutCacheMarks({
    ...body,
    ...(isObject(body['metadata']) && { metadata: withoutUser(body['metadata']) }),
    ...(body['system'] !== undefined && { system: eachText(body['system'], systemText) }),
    ...(isList(body['messages']) && { messages: messages(body['messages'], names, isPrompt) }),
  });
}

/** They steer billing and caching; the model does not see them. */
function withoutCacheMarks(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([key]) => key !== 'cache_control');
  return Object.fromEntries(
    kept.map(([key, field]) => [key, HAVE_CACHE_MARKS.has(key) ? inLists(field) : field]),
  );
}

const HAVE_CACHE_MARKS = new Set(['system', 'tools', 'messages', 'content']);

function inLists(value: Json): Json {
  if (!isList(value)) return value;
  return value.map((item) => (isObject(item) ? withoutCacheMarks(item) : item));
}

/** Device, account and session. */
function withoutUser(metadata: JsonObject): JsonObject {
  const { user_id: _, ...kept } = metadata;
  return kept;
}

function systemText(text: string): string {
  return text.replace(
    /^(x-anthropic-billing-header: cc_version=\d+\.\d+\.\d+)\.[0-9a-f]+(?=;)/,
    `$1.${placeholder('build')}`,
  );
}

function messages(list: readonly Json[], names: Names, isPrompt: IsPrompt): Json {
  let calls: ReadonlyMap<string, string> = new Map();
  return list.map((message) => {
    if (!isObject(message)) return message;
    const { role, content } = message;
    if (content === undefined) return message;
    if (role === 'system') return { ...message, content: eachText(content, briefing) };
    if (!isList(content)) return message;
    if (role === 'assistant') {
      calls = callsIn(content);
      return { ...message, content: content.map((block) => withName(block, 'id', 'tool_use', names)) };
    }
    const blocks = inOrderOfCalls(content, [...calls.keys()]);
    return { ...message, content: blocks.map((block) => userBlock(block, calls, names, isPrompt)) };
  });
}

/** The name of the tool, by the id of the call. */
function callsIn(content: readonly Json[]): ReadonlyMap<string, string> {
  return new Map(
    content.flatMap((block): [string, string][] => {
      const id = idOf(block, 'tool_use', 'id');
      return id === null ? [] : [[id, idOf(block, 'tool_use', 'name') ?? '']];
    }),
  );
}

/** Environment, date, skills and sub-agents, which older models get as a reminder of the user's. */
function briefing(text: string): string {
  return text
    .replace(
      /(# Environment\nYou have been invoked in the following environment: \n(?: - [^\n]*\n)*? - OS Version: )[^\n]*/,
      `$1${placeholder('os')}`,
    )
    .replace(/((?:^|\n)Today's date is )\d{4}-\d{2}-\d{2}(?=\.\s*$)/, `$1${placeholder('date')}`);
}

const REMINDER = /^<system-reminder>\n([\s\S]*)\n<\/system-reminder>\s*$/;

function userBlock(block: Json, calls: ReadonlyMap<string, string>, names: Names, isPrompt: IsPrompt): Json {
  if (!isObject(block)) return block;
  if (block['type'] === 'tool_result') {
    const result = withName(block, 'tool_use_id', 'tool_result', names);
    const { content } = block;
    if (content === undefined) return result;
    const tool = calls.get(idOf(block, 'tool_result', 'tool_use_id') ?? '') ?? '';
    return { ...result, content: eachText(content, (text) => claudeToolResult(text, tool, names)) };
  }
  const { text } = block;
  if (typeof text !== 'string' || isPrompt(text)) return block;
  const reminder = REMINDER.exec(text)?.[1];
  if (reminder === undefined) return block;
  if (!CLI_REMINDER.test(reminder)) return { ...block, text: withoutGitStatus(text) };
  return { ...block, text: text.replace(reminder, () => briefing(reminder)) };
}

/** Reminders that hold files of the user's are not touched. */
const CLI_REMINDER = /^(?:Today's date is \d{4}-\d{2}-\d{2}\.|# Environment\nYou have been invoked in )/;

export function claudeToolResult(text: string, tool: string, names: Names): string {
  const [, saved] = SAVED_OUTPUT.exec(text) ?? [];
  if (saved !== undefined) names.give('saved-output', saved);
  const [, agent] = HANDED_BACK.exec(text) ?? [];
  if (agent === undefined || tool !== 'Agent') return text;
  names.give('agent', agent);
  return text.replace(/(\nduration_ms: )\d+(?=<\/usage>\s*$)/, `$1${placeholder('time')}`);
}

const SAVED_OUTPUT =
  /^<persisted-output>\nOutput too large \([^)\n]*\)\. Full output saved to: (\/\S+\/tool-results\/[\w-]+\.\w+)\n/;
const HANDED_BACK =
  /\nagentId: (a[0-9a-f]{16}) \(use SendMessage with to: '\1'[^\n]*\n<usage>[^<]*<\/usage>\s*$/;

/** Tools that run side by side are told in the order they ended. */
function inOrderOfCalls(content: readonly Json[], calls: readonly string[]): readonly Json[] {
  const rank = (block: Json) => {
    const id = idOf(block, 'tool_result', 'tool_use_id');
    const index = id === null ? -1 : calls.indexOf(id);
    return index < 0 ? calls.length : index;
  };
  const isResult = (block: Json) => isObject(block) && block['type'] === 'tool_result';
  const results = content.filter(isResult).sort((a, b) => rank(a) - rank(b));
  return content.map((block) => (isResult(block) ? (results.shift() ?? block) : block));
}

function idOf(block: Json, type: string, field: string): string | null {
  if (!isObject(block) || block['type'] !== type) return null;
  const id = block[field];
  return typeof id === 'string' ? id : null;
}

function withName(block: Json, field: string, type: string, names: Names): JsonObject {
  const id = idOf(block, type, field);
  const fields = block as JsonObject;
  return id === null ? fields : { ...fields, [field]: names.give('call', id) };
}
