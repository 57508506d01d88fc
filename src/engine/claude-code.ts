/** Claude Code, headless. It sees the workspace's own settings and no others. */
import { join } from 'node:path';
import { promptFor } from './claude-code/prompt.ts';
import { readClaudeCode } from './claude-code/read.ts';
import type { Engine, SessionTurn } from './engine.ts';

export const claudeCode: Engine = {
  id: 'claude-code',
  provider: 'anthropic',
  confirmsBlocks: ['pre-tool-use', 'pre-prompt', 'stop', 'sub-agent-end', 'pre-compact'],
  finalStatus: null,
  shows: { actions: true, hooks: true, skills: true },
  keepsSessions: true,
  takesInstructions: true,
  command: ({
    prompt,
    instructions,
    turn,
    files,
    model,
    program,
    configDir,
    socket,
    network,
    budgetUsd,
  }) => ({
    argv: [
      program,
      '--print',
      ...['--output-format', 'stream-json', '--verbose', '--include-hook-events', '--forward-subagent-text'],
      ...['--permission-mode', 'bypassPermissions', ...sessionFlags(turn)],
      ...['--disallowedTools', [...WAITING_TOOLS, ...(network ? [] : NETWORK_TOOLS)].join(',')],
      ...['--setting-sources', 'project', '--settings', JSON.stringify(SETTINGS)],
      ...(instructions === undefined
        ? []
        : ['--append-system-prompt-file', join(configDir, INSTRUCTIONS_FILE)]),
      ...(model === null ? [] : ['--model', model]),
      ...(budgetUsd === null ? [] : ['--max-budget-usd', String(budgetUsd)]),
    ],
    env: { ...ENVIRONMENT, CLAUDE_CONFIG_DIR: configDir, ANTHROPIC_UNIX_SOCKET: socket },
    stdin: promptFor(prompt, files),
    configFiles: { ...(instructions !== undefined && { [INSTRUCTIONS_FILE]: instructions }) },
  }),
  read: readClaudeCode,
};

/** A file, because an argument may not be that long. */
const INSTRUCTIONS_FILE = 'instructions.md';

function sessionFlags(turn: SessionTurn | undefined): string[] {
  if (!turn) return ['--no-session-persistence'];
  return turn.resumes === null ? [] : ['--resume', turn.resumes];
}

/** They plan work for later: it would stay alive for that long after its answer, alone. */
const WAITING_TOOLS = ['Monitor', 'ScheduleWakeup', 'CronCreate', 'CronDelete', 'CronList'];
/** The first one would reach the web through the model's own servers. */
const NETWORK_TOOLS = ['WebSearch', 'WebFetch'];

/** The skill of this plugin is offered even when bundled skills are off. */
const SETTINGS = { enabledPlugins: { 'cc-plugin-plugin-authoring@builtin': false } };

const ENVIRONMENT = {
  // The socket is taken only along with a plain-http address; where that one points does not matter.
  ANTHROPIC_BASE_URL: 'http://127.0.0.1',
  ANTHROPIC_API_KEY: 'the-gateway-has-the-key',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // Root may not bypass permissions without it.
  IS_SANDBOX: '1',
  // The gateway waits and retries. Here: a stream that broke on the way, and a gateway that hangs.
  CLAUDE_CODE_MAX_RETRIES: '2',
  CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
  API_TIMEOUT_MS: '3600000',
  CLAUDE_ENABLE_BYTE_WATCHDOG: '1',
  CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '180000',
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  CLAUDE_CODE_DISABLE_CRON: '1',
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: '1',
};
