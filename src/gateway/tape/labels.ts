/** Names the pieces of a request in the words of people who write packages. */
import { isObject, type Json, type JsonObject } from './canonical.ts';
import type { Piece } from './parts.ts';
import { textOf } from './piece-text.ts';

export const BRIEFING = 'what the CLI tells the model';
export const JUDGE_QUESTION = 'what the judge is asked';
export const PROMPT = 'the prompt';
export const SYSTEM_PROMPT = 'the system prompt';

export function labelsOf(pieces: readonly Piece[]): string[] {
  const calls = new Map<string, Call>();
  let hasPrompt = false;
  return pieces.map(({ slot, name, role, value }) => {
    const block = isObject(value) ? value : {};
    if (slot === 'setting') return `the setting ${name}`;
    if (slot === 'system') return SYSTEM_PROMPT;
    if (slot === 'tool') return `tool definition ${word(block['name']) || word(block['type'])}`;
    const type = word(block['type']);
    if (type === 'tool_use' || type.endsWith('_call')) return noteCall(block, calls);
    if (type === 'tool_result' || type.endsWith('_call_output')) return resultLabel(block, calls);
    if (role === 'assistant' || role === 'model' || type === 'reasoning') return 'what the model said before';
    if (role === 'system' || role === 'developer') return BRIEFING;
    const known = userTextLabel(textOf(value));
    if (known !== null) return known;
    const label = hasPrompt ? 'a later message to the agent' : PROMPT;
    hasPrompt = true;
    return label;
  });
}

interface Call {
  /** Such as `2 (Bash)`. */
  readonly name: string;
  /** The skill whose text it reads. */
  readonly skill: string | null;
}

function noteCall(block: JsonObject, calls: Map<string, Call>): string {
  const name = `${calls.size + 1} (${word(block['name']) || word(block['type'])})`;
  const skill = /skills\/([a-z0-9-]+)\/SKILL\.md/.exec(JSON.stringify(block))?.[1] ?? null;
  calls.set(word(block['call_id']) || word(block['id']), { name, skill });
  return `tool call ${name}`;
}

function resultLabel(block: JsonObject, calls: ReadonlyMap<string, Call>): string {
  const call = calls.get(word(block['tool_use_id']) || word(block['call_id']));
  if (!call) return 'the result of a tool call';
  if (call.skill === null) return `the result of tool call ${call.name}`;
  return `the text of the skill ${call.skill} (SKILL.md), read by tool call ${call.name}`;
}

/** null: it is none that a CLI or the judge words in its own way. */
function userTextLabel(text: string): string | null {
  for (const [rule, label] of USER_TEXTS) {
    const match = rule.exec(text);
    if (match) return label.replace('%', () => match[1] ?? '');
  }
  return null;
}

const USER_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^Base directory for this skill: \S*\/([a-z0-9-]+)\n/, 'the text of the skill % (SKILL.md)'],
  [/^<skill>\s*<name>([^<]*)<\/name>/, 'the text of the skill % (SKILL.md)'],
  [/^<system-reminder>[\s\S]*?\nContents of \S*?([\w.-]+) \(/, 'the instructions of the package (%)'],
  [/^# AGENTS\.md instructions for /, 'the instructions of the package (AGENTS.md)'],
  [/^<system-reminder>[\s\S]*?\n# gitStatus\n/, 'the state of the git repository'],
  [/^<system-reminder>/, 'a reminder of the CLI'],
  [/^<environment_context>/, 'the environment'],
  [/^<subagent_notification>/, 'the news that a sub-agent has ended'],
  [/^<<<⟦mark-1⟧ /m, JUDGE_QUESTION],
];

function word(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
