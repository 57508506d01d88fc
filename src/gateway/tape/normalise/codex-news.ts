/** Codex tells the end of a sub-agent twice: to whoever waits for it, and sooner or later as a message. */
import { canonical, isObject, type Json } from '../canonical.ts';
import { textsOf } from './texts.ts';

/** Leaves out messages that say exactly what a wait has said: when they come depends on chance. */
export function withoutRepeatedNews(input: readonly Json[]): readonly Json[] {
  const told = new Set(input.flatMap(waitedFor));
  return told.size === 0 ? input : input.filter((item) => !told.has(newsOf(item) ?? ''));
}

function waitedFor(item: Json): string[] {
  if (!isObject(item) || item['type'] !== 'function_call_output') return [];
  const output = parsed(item['output']);
  if (!isObject(output) || !isObject(output['status']) || typeof output['timed_out'] !== 'boolean') return [];
  return Object.entries(output['status']).map(([agent, status]) => canonical([agent, status]));
}

const NEWS = /^<subagent_notification>\n(.*)\n<\/subagent_notification>$/;

function newsOf(item: Json): string | null {
  if (!isObject(item) || item['role'] !== 'user') return null;
  const texts = textsOf(item['content']);
  const news = parsed(NEWS.exec(texts[0] ?? '')?.[1]);
  if (texts.length !== 1 || !isObject(news) || Object.keys(news).length !== 2) return null;
  const { agent_path: agent, status } = news;
  return agent === undefined || status === undefined ? null : canonical([agent, status]);
}

function parsed(text: Json | undefined): Json | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
