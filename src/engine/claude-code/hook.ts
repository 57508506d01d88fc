/** How Claude Code says what a hook did. */
import type { AgentEvent } from '../../model/agent-event.ts';
import type { Json } from '../../model/tests.ts';
import { type JsonObject, numberOrNull, object, text } from '../json-lines.ts';

const BLOCK = 2;

/** For the others, it only gets the hook's words to the model. */
const CAN_BLOCK = new Set([
  'PreToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
]);

export function readHook(line: JsonObject): AgentEvent {
  const event = text(line['hook_event']);
  const exitCode = numberOrNull(line['exit_code']);
  const wantsBlock = exitCode === BLOCK || (exitCode === 0 && answersBlock(text(line['stdout'])));
  return {
    type: 'hook',
    event,
    blocked: wantsBlock && CAN_BLOCK.has(event),
    exitCode,
    detail: (text(line['stderr']) || text(line['stdout']) || text(line['output'])).trim(),
  };
}

function answersBlock(stdout: string): boolean {
  const answer = object(parse(stdout));
  const specific = object(answer['hookSpecificOutput']);
  return (
    answer['decision'] === 'block' ||
    specific['permissionDecision'] === 'deny' ||
    object(specific['decision'])['behavior'] === 'deny'
  );
}

function parse(stdout: string): Json | undefined {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}
