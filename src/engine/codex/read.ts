/** Reads what `codex exec --json` prints. */
import type { AgentEvent } from '../../model/agent-event.ts';
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
import { skillsRead } from '../skill-reads.ts';
import { readFailure, withoutUrl } from './failure.ts';
import { scriptOf } from './script-of.ts';

export function readCodex(lines: AsyncIterable<string>): AsyncIterable<AgentEvent> {
  return readJsonLines(lines, new CodexReader());
}

type End = Extract<AgentEvent, { type: 'end' }>;

class CodexReader implements LineReader {
  readonly #called = new Set<string>();
  #answer = '';
  #end: Pick<End, 'ok' | 'reason' | 'modelError'> | null = null;

  *read(line: JsonObject): Iterable<AgentEvent> {
    switch (line['type']) {
      case 'thread.started': {
        const sessionId = textOrNull(line['thread_id']);
        yield { type: 'session', sessionId, model: null, engineVersion: null, skills: null, agents: null };
        break;
      }
      case 'item.started':
        yield* this.#started(object(line['item']));
        break;
      case 'item.completed':
        yield* this.#completed(object(line['item']));
        break;
      case 'error':
        yield { type: 'error', message: withoutUrl(text(line['message'])) };
        break;
      case 'turn.completed':
        this.#end = { ok: true, reason: 'completed', modelError: null };
        break;
      case 'turn.failed': {
        const message = text(object(line['error'])['message']);
        this.#end = { ok: false, reason: withoutUrl(message), modelError: readFailure(message) };
        break;
      }
    }
  }

  *end(): Iterable<AgentEvent> {
    if (this.#end !== null) yield { type: 'end', ...this.#end, output: this.#answer, costUsd: null };
  }

  *#completed(item: JsonObject): Iterable<AgentEvent> {
    if (item['type'] === 'agent_message') {
      this.#answer = text(item['text']);
      yield { type: 'message', text: this.#answer, subAgent: false };
    } else if (item['type'] === 'error') {
      const message = text(item['message']);
      // Told at every start, because the engine asks for it.
      if (!message.startsWith('`--dangerously-bypass-hook-trust`')) yield { type: 'error', message };
    } else {
      yield* this.#started(item);
      yield* finished(item);
    }
  }

  /** Quick items are told only when they are done. */
  *#started(item: JsonObject): Iterable<AgentEvent> {
    const id = text(item['id']);
    const call = toolCall(item);
    if (call === null || this.#called.has(id)) return;
    this.#called.add(id);
    yield { type: 'tool-call', id, ...call, subAgent: false };
  }
}

type Call = Pick<Extract<AgentEvent, { type: 'tool-call' }>, 'tool' | 'input'>;

/** Under the names that Codex itself gives to hooks. */
function toolCall(item: JsonObject): Call | null {
  switch (item['type']) {
    case 'command_execution':
      return { tool: 'Bash', input: { command: scriptOf(text(item['command'])) } };
    case 'file_change':
      return { tool: 'apply_patch', input: { changes: item['changes'] ?? [] } };
    case 'mcp_tool_call':
      return {
        tool: `mcp__${text(item['server'])}__${text(item['tool'])}`,
        input: item['arguments'] ?? null,
      };
    case 'collab_tool_call':
      return { tool: text(item['tool']), input: { prompt: item['prompt'] ?? null } };
    case 'web_search':
      return { tool: 'web_search', input: { query: item['query'] ?? null } };
    default:
      return null;
  }
}

function* finished(item: JsonObject): Iterable<AgentEvent> {
  const id = text(item['id']);
  const isError = item['status'] === 'failed' || item['status'] === 'declined';
  switch (item['type']) {
    case 'command_execution': {
      const output = text(item['aggregated_output']);
      yield { type: 'tool-result', id, output, isError };
      if (item['status'] === 'declined')
        yield { type: 'denied', tool: 'Bash', by: 'permissions', reason: output };
      if (isError) break;
      for (const name of skillsRead(scriptOf(text(item['command'])))) {
        yield { type: 'skill', name, how: 'read' };
      }
      break;
    }
    case 'file_change': {
      const changes = list(item['changes']).map(object);
      const output = changes.map((it) => `${text(it['kind'])} ${text(it['path'])}`).join('\n');
      yield { type: 'tool-result', id, output, isError };
      break;
    }
    case 'mcp_tool_call': {
      const failure = text(object(item['error'])['message']);
      const output = failure || contentText(object(item['result'])['content']);
      yield { type: 'tool-result', id, output, isError: isError || failure !== '' };
      break;
    }
    case 'collab_tool_call':
      yield* collaborated(item, id, isError);
      break;
    case 'web_search':
      yield { type: 'tool-result', id, output: '', isError };
      break;
  }
}

/** Of what sub-agents do, Codex prints only that they start and what they say last. */
function* collaborated(item: JsonObject, id: string, isError: boolean): Iterable<AgentEvent> {
  const states = Object.values(object(item['agents_states'])).map(object);
  const said = states.map((it) => text(it['message'])).filter((it) => it !== '');
  yield { type: 'tool-result', id, output: said.join('\n'), isError };
  if (isError) return;
  if (item['tool'] === 'spawn_agent') yield { type: 'sub-agent', name: null };
  for (const it of said) yield { type: 'message', text: it, subAgent: true };
}
