/** Events and hook runs, one to a line. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { HookRun } from '../model/hook-log.ts';
import { entryLine } from './entry.ts';

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;
type Result = EventOf<'tool-result'>;

/** `output` is shown elsewhere: the message that it was is not repeated. */
export function actionLines(events: readonly AgentEvent[], output: string, budget: number): string[] {
  const results = resultsOfCalls(events);
  const shownWithCall = new Set(results.values());
  const last = events.findLast((event) => event.type === 'message' && !event.subAgent);
  const entries = events.flatMap((event): object[] => {
    switch (event.type) {
      case 'tool-call':
        return [
          { tool: event.tool, ...bySubAgent(event), input: event.input, ...ending(results.get(event)) },
        ];
      case 'tool-result':
        return shownWithCall.has(event) ? [] : [{ resultOf: event.id, ...ending(event) }];
      case 'message':
        return event === last && event.text === output ? [] : [{ said: event.text, ...bySubAgent(event) }];
      case 'turn':
        return [{ [USER]: event.prompt }];
      case 'skill':
        return [
          { skillLoaded: event.name, how: event.how === 'tool' ? 'as a skill' : 'by reading its file' },
        ];
      case 'sub-agent':
        return [{ subAgentStarted: event.name ?? 'the engine does not say which' }];
      case 'hook':
        return [
          {
            hookSeenByEngine: event.event,
            blocked: event.blocked,
            exitCode: event.exitCode,
            detail: event.detail,
          },
        ];
      case 'denied':
        return [{ toolDenied: event.tool, by: event.by, reason: event.reason }];
      case 'error':
        return ENGINE_NOTE.test(event.message) ? [] : [{ error: event.message }];
      case 'end':
        return event.ok ? [] : [{ endedBadly: event.reason ?? 'no reason given' }];
      case 'cut':
        return [{ [MISSING]: event.what }];
      case 'unreadable':
        return [{ [UNREADABLE]: event.line }];
      default:
        return [];
    }
  });
  return entries.map((entry) => entryLine(entry, budget));
}

export function hookLines(hooks: readonly HookRun[], budget: number): string[] {
  return hooks.map(({ event, toolName, command, exitCode, decision, reason, stdout, stderr, error }) =>
    entryLine(
      { hook: event, tool: toolName, exitCode, decision, command, reason, stdout, stderr, error },
      budget,
    ),
  );
}

/** A line about the record is no deed. The first key of an entry is always ours. */
export function isDeed(line: string): boolean {
  return !NO_DEED.some((key) => line.startsWith(`{"${key}":`));
}

const MISSING = 'missing from here on';
const UNREADABLE = 'unreadable';
const USER = 'the user said';
const NO_DEED = [MISSING, UNREADABLE, USER];

/** What the CLI says about itself is no part of the agent's work. */
const ENGINE_NOTE = /^Model metadata for `[^`]*` not found/;

/** The first result with a call's id is the first call's, and so on. */
function resultsOfCalls(events: readonly AgentEvent[]): Map<AgentEvent, Result> {
  const waiting = new Map<string, AgentEvent[]>();
  for (const event of events.toReversed()) {
    if (event.type !== 'tool-call') continue;
    const others = waiting.get(event.id);
    if (others) others.push(event);
    else waiting.set(event.id, [event]);
  }
  const results = new Map<AgentEvent, Result>();
  for (const event of events) {
    const call = event.type === 'tool-result' ? waiting.get(event.id)?.pop() : undefined;
    if (call && event.type === 'tool-result') results.set(call, event);
  }
  return results;
}

function ending(result: Result | undefined): object {
  if (!result) return { result: null };
  return result.isError ? { failed: true, result: result.output } : { result: result.output };
}

function bySubAgent({ subAgent }: { readonly subAgent: boolean }): object {
  return subAgent ? { by: 'a sub-agent' } : {};
}
