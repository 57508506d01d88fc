/** What a hook of the package did during a trial, as the shim around it reported. */
import { z } from 'zod';

const text = z.string();
const position = z.int().nonnegative();

export const hookRun = z.object({
  event: text.describe('In the package’s own spelling: pre-tool-use, stop…'),
  group: position.describe('Which group of the event, counted from 0'),
  index: position.describe('Which hook of the group, counted from 0'),
  command: text,
  toolName: text.nullable(),
  exitCode: z.int().nullable().describe('null: it could not be started or did not end in time'),
  decision: z.enum(['allow', 'ask', 'block', 'none']),
  reason: text,
  stdout: text,
  stderr: text,
  error: text
    .nullable()
    .describe('The hook itself is broken: missing, crashed, timed out, no JSON where JSON was meant'),
  durationMs: z.number().nonnegative(),
});

export type HookRun = Readonly<z.output<typeof hookRun>>;

/** Told when a hook begins, so that one that never ends is known. */
export const hookStart = hookRun.pick({ event: true, group: true, index: true }).extend({
  began: z.literal(true),
});

export type HookStart = Readonly<z.output<typeof hookStart>>;

/** Events of packages, as Claude Code and Codex spell them. */
export const ENGINE_HOOK_EVENTS: Readonly<Record<string, string>> = {
  'pre-tool-use': 'PreToolUse',
  'permission-request': 'PermissionRequest',
  'post-tool-use': 'PostToolUse',
  'pre-prompt': 'UserPromptSubmit',
  'session-start': 'SessionStart',
  'session-end': 'SessionEnd',
  stop: 'Stop',
  'sub-agent-end': 'SubagentStop',
  'pre-compact': 'PreCompact',
  notification: 'Notification',
};
