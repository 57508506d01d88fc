/** Tool calls that Codex did not carry out: it prints no event for them, only a record of its log. */
import type { AgentEvent } from '../../model/agent-event.ts';

/** The log is prose that others may write into, so nothing here says that a hook blocked: its shim does. */
export function readCodexErrors(stderr: string): AgentEvent[] {
  const records = stderr.split(/^(?=\d{4}-\d\d-\d\dT\S+ +[A-Z]+ )/m);
  return records.flatMap((record): AgentEvent[] => {
    const message = /^\S+ +ERROR codex_core::tools::router: error=([\s\S]*)$/.exec(record)?.[1]?.trim();
    if (message === undefined) return [];
    const byHook = /^(?:Command|Tool call) blocked by \w+ hook: /.test(message);
    const byRule = /\brejected: /.test(message);
    if (!byHook && !byRule) return [{ type: 'error', message }];
    return [{ type: 'denied', tool: toolOf(message), by: byHook ? 'hook' : 'permissions', reason: message }];
  });
}

function toolOf(message: string): string {
  if (message.includes('*** Begin Patch')) return 'apply_patch';
  return /^(?:exec_command|Command)\b/.test(message) ? 'Bash' : 'unknown';
}
