/** What Codex fills in by itself in a request to the Responses API. */
import { isList, isObject, type Json, type JsonObject } from '../canonical.ts';
import { type Names, placeholder } from '../names.ts';
import { withoutRepeatedNews } from './codex-news.ts';
import { eachText, type IsPrompt } from './texts.ts';

export function normaliseOpenai(body: Json, names: Names, isPrompt: IsPrompt): Json {
  if (!isObject(body)) return body;
  // Session, turn, installation and time stamps; the model does not see them.
  const { client_metadata: _, prompt_cache_key: __, ...kept } = body;
  const { input } = kept;
  if (!isList(input)) return kept;
  return { ...kept, input: withoutRepeatedNews(input).map((item) => inputItem(item, names, isPrompt)) };
}

function inputItem(item: Json, names: Names, isPrompt: IsPrompt): Json {
  if (!isObject(item)) return item;
  const named: JsonObject = {
    ...item,
    ...(typeof item['id'] === 'string' && { id: names.give('item', item['id']) }),
    ...(typeof item['call_id'] === 'string' && { call_id: names.give('call', item['call_id']) }),
  };
  const { type, role, output, content } = item;
  if (typeof type === 'string' && type.endsWith('_call_output') && output !== undefined) {
    return { ...named, output: eachText(output, (text) => codexToolOutput(text, names)) };
  }
  if (role !== 'user' || content === undefined) return named;
  return { ...named, content: eachText(content, (text) => (isPrompt(text) ? text : environment(text))) };
}

function environment(text: string): string {
  return text.replace(
    /^(<environment_context>\n(?: {2}<(?:cwd|shell)>[^<]*<\/\w+>\n)* {2}<current_date>)\d{4}-\d{2}-\d{2}(<\/current_date>\n {2}<timezone>)[^<]*(?=<\/timezone>\n)/,
    `$1${placeholder('date')}$2${placeholder('timezone')}`,
  );
}

export function codexToolOutput(text: string, names: Names): string {
  const [, agent] = SPAWNED.exec(text) ?? [];
  if (agent !== undefined) names.give('agent', agent);
  return OUTPUT_RULES.reduce((changed, [rule, replacement]) => changed.replace(rule, replacement), text);
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const SPAWNED = new RegExp(`^\\{"agent_id":"(${UUID})","nickname":`);

const OUTPUT_RULES: readonly (readonly [RegExp, string])[] = [
  // Of a command.
  [
    /^Chunk ID: [0-9a-f]{6}\nWall time: \d+(?:\.\d+)? seconds\n/,
    `Chunk ID: ${placeholder('chunk')}\nWall time: ${placeholder('time')} seconds\n`,
  ],
  // Of a script in code mode, and of a command in it.
  [/^(Script [^\n]*\nWall time )\d+(?:\.\d+)?(?= seconds\n)/, `$1${placeholder('time')}`],
  [
    /^\{"chunk_id":"[0-9a-f]{6}","wall_time_seconds":\d+(?:\.\d+)?(?:e-?\d+)?(?=,)/,
    `{"chunk_id":"${placeholder('chunk')}","wall_time_seconds":"${placeholder('time')}"`,
  ],
  // A sub-agent is given a nickname by chance.
  [new RegExp(`^(\\{"agent_id":"${UUID}","nickname":")[^"\\\\]*(?="\\}$)`), `$1${placeholder('nickname')}`],
  // Where Codex keeps links to itself; it stands in PATH.
  [/(\/tmp\/arg0[\w-]*\/codex-arg0)\w{6}(?=[:/\s]|$)/g, `$1${placeholder('random')}`],
];
