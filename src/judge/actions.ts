/** Events and hook runs as lines of JSON: one to a line, so that no text inside can pass for another entry. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { HookRun } from '../model/hook-log.ts';
import { cut } from './cut.ts';
import { visible } from './visible.ts';

type Result = Extract<AgentEvent, { type: 'tool-result' }>;

/** `output` is shown elsewhere: what the agent says only there is not repeated. */
export function actionLines(events: readonly AgentEvent[], output: string, budget: number): string[] {
  const results = resultsById(events);
  const entries = events.flatMap((event): object[] => {
    switch (event.type) {
      case 'tool-call': {
        const result = results.get(event.id)?.shift();
        return [{ tool: event.tool, ...bySubAgent(event), input: event.input, ...ending(result) }];
      }
      case 'tool-result':
        // One whose call was seen has been shown with it.
        return results.get(event.id)?.includes(event) ? [{ resultOf: event.id, ...ending(event) }] : [];
      case 'message':
        return output.includes(event.text) && !event.subAgent
          ? []
          : [{ said: event.text, ...bySubAgent(event) }];
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
        return [{ error: event.message }];
      case 'end':
        return event.ok ? [] : [{ endedBadly: event.reason ?? 'no reason given' }];
      default:
        return [];
    }
  });
  return entries.map((entry) => line(entry, budget));
}

export function hookLines(hooks: readonly HookRun[], budget: number): string[] {
  return hooks.map(({ event, toolName, command, exitCode, decision, reason, stdout, stderr, error }) =>
    line({ hook: event, tool: toolName, command, exitCode, decision, reason, stdout, stderr, error }, budget),
  );
}

function resultsById(events: readonly AgentEvent[]): Map<string, Result[]> {
  const results = new Map<string, Result[]>();
  for (const event of events) {
    if (event.type !== 'tool-result') continue;
    const known = results.get(event.id);
    if (known) known.push(event);
    else results.set(event.id, [event]);
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

function line(entry: object, budget: number): string {
  const fields = Object.entries(entry).map(([key, value]) => [key, bounded(value, budget)]);
  return visible(JSON.stringify(Object.fromEntries(fields)));
}

function bounded(value: unknown, budget: number): unknown {
  const short = shortened(value, budget, 0);
  if (typeof short === 'string') return short;
  const text = JSON.stringify(short) ?? 'null';
  return text.length <= 2 * budget ? short : cut(visible(text), budget);
}

const MAX_DEPTH = 32;

function shortened(value: unknown, budget: number, depth: number): unknown {
  if (typeof value === 'string') return cut(visible(value), budget);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return '[nested too deeply to be shown]';
  if (Array.isArray(value)) return value.map((it) => shortened(it, budget, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key, shortened(it, budget, depth + 1)]),
  );
}
