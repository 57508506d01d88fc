/** Reads what `claude --print --output-format stream-json` prints. */
import type { AgentEvent } from '../../model/agent-event.ts';
import type { Json } from '../../model/tests.ts';
import {
  contentText,
  type JsonObject,
  type LineReader,
  list,
  object,
  readJsonLines,
  text,
  textOrNull,
} from '../json-lines.ts';
import { skillAt, skillsRead } from '../skill-reads.ts';
import { readEnd } from './end.ts';
import { readHook } from './hook.ts';

export function readClaudeCode(lines: AsyncIterable<string>): AsyncIterable<AgentEvent> {
  return readJsonLines(lines, new ClaudeCodeReader());
}

interface ToolCall {
  readonly tool: string;
  readonly input: JsonObject;
}

class ClaudeCodeReader implements LineReader {
  readonly #calls = new Map<string, ToolCall>();
  readonly #started = new Set<string>();
  readonly #denied = new Set<string>();
  #hasSession = false;
  #result: JsonObject | null = null;

  *read(line: JsonObject): Iterable<AgentEvent> {
    if (line['type'] === 'system') yield* this.#system(line);
    else if (line['type'] === 'assistant') yield* this.#assistant(line);
    else if (line['type'] === 'user') yield* this.#user(line);
    // Work in the background can bring on another result; the last one counts.
    else if (line['type'] === 'result') this.#result = line;
  }

  *end(): Iterable<AgentEvent> {
    if (this.#result === null) return;
    for (const it of list(this.#result['permission_denials'])) {
      const { tool_name, tool_use_id } = object(it);
      yield* this.#deny(text(tool_use_id), text(tool_name), 'permissions', '');
    }
    yield* readEnd(this.#result);
  }

  *#system(line: JsonObject): Iterable<AgentEvent> {
    switch (line['subtype']) {
      case 'init':
        if (!this.#hasSession) yield session(line);
        this.#hasSession = true;
        break;
      case 'task_started':
        yield* this.#startSubAgent(text(line['tool_use_id']), textOrNull(line['subagent_type']));
        break;
      case 'hook_response':
        yield readHook(line);
        break;
      case 'permission_denied':
        yield* this.#deny(
          text(line['tool_use_id']),
          text(line['tool_name']),
          'permissions',
          text(line['message']),
        );
        break;
      case 'api_retry': {
        const reason = [line['error_status'], line['error']].filter((it) => it !== null).join(' ');
        yield {
          type: 'error',
          message: `the model failed (${reason}), retry ${line['attempt']} of ${line['max_retries']}`,
        };
        break;
      }
      case 'informational':
        if (line['level'] === 'warning') yield { type: 'error', message: text(line['content']) };
        break;
    }
  }

  *#assistant(line: JsonObject): Iterable<AgentEvent> {
    const subAgent = isSubAgent(line);
    for (const block of list(object(line['message'])['content']).map(object)) {
      if (block['type'] === 'text') yield spoken(line, text(block['text']), subAgent);
      else if (block['type'] === 'tool_use') {
        const [id, tool, input] = [text(block['id']), text(block['name']), block['input'] ?? null];
        this.#calls.set(id, { tool, input: object(input) });
        yield { type: 'tool-call', id, tool, input, subAgent };
      }
    }
  }

  *#user(line: JsonObject): Iterable<AgentEvent> {
    const meta = new Map(list(line['tool_result_meta']).map((it) => [object(it)['id'], object(it)]));
    for (const block of list(object(line['message'])['content']).map(object)) {
      if (block['type'] !== 'tool_result') continue;
      const id = text(block['tool_use_id']);
      const output = contentText(block['content']);
      const isError = block['is_error'] === true;
      const call = this.#calls.get(id) ?? { tool: '', input: {} };
      yield { type: 'tool-result', id, output, isError };
      const { decision, source } = object(meta.get(id)?.['permission_decision']);
      if (decision === 'reject')
        yield* this.#deny(id, call.tool, source === 'hook' ? 'hook' : 'permissions', output);
      if (!isError) yield* this.#succeeded(id, call, object(line['tool_use_result']));
    }
  }

  *#succeeded(id: string, { tool, input }: ToolCall, result: JsonObject): Iterable<AgentEvent> {
    if (tool === 'Skill') {
      const name = textOrNull(result['commandName']) ?? text(input['skill']);
      yield { type: 'skill', name, how: 'tool' };
    } else if (tool === 'Read') {
      const name = skillAt(text(input['file_path']));
      if (name !== null) yield { type: 'skill', name, how: 'read' };
    } else if (tool === 'Bash') {
      for (const name of skillsRead(text(input['command']))) yield { type: 'skill', name, how: 'read' };
    } else if (tool === 'Agent' || tool === 'Task') {
      yield* this.#startSubAgent(id, textOrNull(result['agentType']));
    }
  }

  /** Told when one starts, and again by its result. */
  *#startSubAgent(callId: string, named: string | null): Iterable<AgentEvent> {
    const call = this.#calls.get(callId);
    if (this.#started.has(callId) || (call?.tool !== 'Agent' && call?.tool !== 'Task')) return;
    this.#started.add(callId);
    yield { type: 'sub-agent', name: named ?? textOrNull(call.input['subagent_type']) };
  }

  /** Told by an event of its own, with the result of the call, and once more at the end. */
  *#deny(id: string, tool: string, by: 'hook' | 'permissions', reason: string): Iterable<AgentEvent> {
    if (this.#denied.has(id)) return;
    this.#denied.add(id);
    yield { type: 'denied', tool, by, reason };
  }
}

function session(line: JsonObject): AgentEvent {
  return {
    type: 'session',
    sessionId: textOrNull(line['session_id']),
    model: textOrNull(line['model']),
    engineVersion: textOrNull(line['claude_code_version']),
    skills: names(line['skills']),
    agents: names(line['agents']),
  };
}

function names(value: Json | undefined): string[] | null {
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : null;
}

function isSubAgent(line: JsonObject): boolean {
  return textOrNull(line['parent_tool_use_id']) !== null;
}

/** The CLI puts words of its own into the model's mouth: failures of the API, answers to its own commands. */
function spoken(line: JsonObject, said: string, subAgent: boolean): AgentEvent {
  if (line['is_api_error_message'] === true) return { type: 'error', message: said };
  if (line['local_command_source'] !== undefined)
    return { type: 'error', message: `the prompt was taken for a command of the engine: ${said}` };
  return { type: 'message', text: said, subAgent };
}
