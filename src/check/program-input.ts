/** What a program that grades is told on its standard input, in the words of its protocol. Pure. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { Case } from '../model/case.ts';
import type { GraderProgram } from '../model/grader.ts';
import type { Json } from '../model/tests.ts';
import type { FileChange } from '../model/trial.ts';
import type { Usage } from '../model/usage.ts';

/** What a trial shows of itself to a program. */
export interface ProgramEvidence {
  readonly answer: string;
  readonly events: readonly AgentEvent[];
  readonly files: readonly FileChange[];
  readonly durationMs: number | null;
  readonly costUsd: number | null;
  readonly usage: Usage | null;
  /** As the program sees it. */
  readonly workspace: string;
}

/** Fields of all generations of the protocol; those that changed their meaning are as `program.output` says. */
export function programInput(it: Case, program: GraderProgram, evidence: ProgramEvidence): string {
  if (program.protocol === 'agentcarousel') return JSON.stringify(carouselInput(it, program, evidence));
  const { answer, events, files, durationMs, costUsd, usage, workspace } = evidence;
  const messages = messagesOf(events, answer);
  const summary = summaryOf(events, usage);
  return JSON.stringify({
    question: it.prompt,
    criteria: it.written?.criteria ?? it.criteria.map(({ text }) => text).join('\n'),
    expected_output: messagesIn(it.written?.expectedOutput ?? it.reference, 'assistant'),
    reference_answer: it.reference,
    answer,
    output: program.output === 'text' ? answer : messages,
    output_path: null,
    messages,
    guideline_files: [],
    input_files: it.files.map(({ to }) => `${workspace}/${to}`),
    input: it.written ? messagesIn(it.written.input, 'user') : inputOf(it),
    metadata: it.metadata,
    trace: summary,
    trace_summary: summary,
    token_usage: usage && {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cached: usage.cacheReadTokens + usage.cacheWriteTokens,
    },
    cost_usd: costUsd,
    duration_ms: durationMs === null ? null : Math.round(durationMs),
    start_time: null,
    end_time: null,
    file_changes: files.length === 0 ? null : files.map(changeOf).join('\n'),
    workspace_path: workspace,
    config: program.config,
  });
}

/** The case as it is written in its fixture, and what came of it. */
function carouselInput(
  { name, aliases }: Case,
  { config }: GraderProgram,
  { answer, events, durationMs, costUsd, usage, workspace }: ProgramEvidence,
): object {
  const results = new Map(
    events.flatMap((event) => (event.type === 'tool-result' ? [[event.id, event] as const] : [])),
  );
  const calls = events.flatMap((event) => (event.type === 'tool-call' && !event.subAgent ? [event] : []));
  return {
    case: config,
    result: {
      case_id: aliases[0] ?? name,
      status: 'passed',
      error: null,
      trace: {
        steps: calls.map(({ id, tool, input }, index) => ({
          ...{ index, kind: 'tool_call', tool, args: input },
          result: results.get(id)?.output ?? null,
          latency_ms: results.get(id)?.durationMs ?? null,
        })),
        final_output: answer,
        redacted: false,
      },
      metrics: {
        latency_ms: durationMs === null ? null : Math.round(durationMs),
        tokens_in: usage?.inputTokens ?? null,
        tokens_out: usage?.outputTokens ?? null,
        cost_usd: costUsd,
      },
      workspace_path: workspace,
    },
  };
}

/** What is no list of messages already is the content of one. */
function messagesIn(written: Json, role: Message['role']): Json {
  if (written === null) return [];
  const isList = Array.isArray(written) && written.every((it) => isObject(it) && 'role' in it);
  return isList ? written : [{ role, content: written }];
}

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inputOf({ instructions, prompt, followUps }: Case): object[] {
  return [
    ...(instructions === undefined ? [] : [{ role: 'system', content: instructions }]),
    ...[prompt, ...followUps].map((content) => ({ role: 'user', content })),
  ];
}

interface Message {
  readonly role: 'assistant' | 'user';
  readonly content: string;
  readonly tool_calls?: object[];
}

/** Calls stand at the message that they came after. */
function messagesOf(events: readonly AgentEvent[], answer: string): Message[] {
  const results = new Map(
    events.flatMap((event) => (event.type === 'tool-result' ? [[event.id, event] as const] : [])),
  );
  const messages: (Message & { readonly tool_calls: object[] })[] = [];
  const say = (role: Message['role'], content: string) => messages.push({ role, content, tool_calls: [] });
  for (const event of events) {
    if (event.type === 'message' && !event.subAgent) say('assistant', event.text);
    if (event.type === 'turn') say('user', event.prompt);
    if (event.type !== 'tool-call' || event.subAgent) continue;
    if (messages.at(-1)?.role !== 'assistant') say('assistant', '');
    const result = results.get(event.id);
    messages.at(-1)?.tool_calls.push({
      ...{ id: event.id, tool: event.tool, input: event.input, output: result?.output ?? null },
      ...(result?.durationMs !== undefined && { duration_ms: result.durationMs }),
    });
  }
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (last?.content !== answer) say('assistant', answer);
  return messages.map(({ tool_calls, ...message }) =>
    tool_calls.length > 0 ? { ...message, tool_calls } : message,
  );
}

function summaryOf(events: readonly AgentEvent[], usage: Usage | null): object {
  const tools = events.flatMap((event) => (event.type === 'tool-call' ? [event.tool] : []));
  const counts = new Map<string, number>();
  for (const tool of tools) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return {
    event_count: tools.length,
    tool_names: [...counts.keys()].sort(),
    tool_calls_by_name: Object.fromEntries(counts),
    error_count: events.filter((event) => event.type === 'tool-result' && event.isError).length,
    llm_call_count: usage?.requests || null,
  };
}

function changeOf({ path, change, diff }: FileChange): string {
  return diff ?? `${path}: ${change}, and no text that could be shown`;
}
