/** Codex, headless. It knows only TCP, so the bridge takes it to the gateway. */
import { readCodex } from './codex/read.ts';
import { readCodexErrors } from './codex/stderr.ts';
import type { Engine } from './engine.ts';

export const codex: Engine = {
  id: 'codex',
  provider: 'openai',
  confirmsBlocks: ['pre-tool-use'],
  // It repeats whatever else is an error, on top of the gateway's own attempts.
  finalStatus: 400,
  shows: { actions: true, hooks: true, skills: true },
  keepsSessions: true,
  takesInstructions: true,
  command: ({ prompt, instructions, turn, model, program, configDir, socket, node, bridge, workspace }) => ({
    argv: [
      node,
      ...[bridge, socket, '--', program],
      ...['exec', '--json', ...(turn ? [] : ['--ephemeral']), '--skip-git-repo-check'],
      // The sandbox around it is the boundary, and the hooks in it are those under test.
      ...['--sandbox', 'danger-full-access', '--dangerously-bypass-hook-trust'],
      ...['--config', 'model_providers.gateway.base_url="http://127.0.0.1:__AAM_PORT__/v1"'],
      ...(model === null ? [] : ['--model', model]),
      ...(turn?.resumes ? ['resume', turn.resumes] : []),
      '-',
    ],
    // Its log is read, so that what the case asks for in its own environment must not change it.
    env: { CODEX_HOME: configDir, RUST_LOG: 'error' },
    stdin: prompt,
    configFiles: { 'config.toml': config(workspace, instructions) },
  }),
  read: readCodex,
  readErrors: readCodexErrors,
};

/** A JSON string is a TOML string too, but for a character that JSON leaves as it is. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007f');
}

const config = (workspace: string, instructions: string | undefined) => `model_provider = "gateway"
${instructions === undefined ? '' : `developer_instructions = ${tomlText(instructions)}\n`}approval_policy = "never"
sandbox_mode = "danger-full-access"
allow_login_shell = false
check_for_update_on_startup = false
web_search = "disabled"

# The gateway waits and retries. Here: a stream that broke on the way, and a gateway that hangs.
[model_providers.gateway]
name = "gateway"
wire_api = "responses"
requires_openai_auth = false
supports_websockets = false
request_max_retries = 1
stream_max_retries = 2
stream_idle_timeout_ms = 180000

[features]
hooks = true
multi_agent = true
apps = false
browser_use = false
computer_use = false
goals = false
image_generation = false
memories = false
plugins = false
shell_snapshot = false
skill_mcp_dependency_install = false
tool_suggest = false
unbounded_connection_retries = false

[skills]
bundled = { enabled = false }

[history]
persistence = "none"

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
exporter = "none"
metrics_exporter = "none"
trace_exporter = "none"

# Else its hooks, agents and MCP servers are passed over.
[projects.${JSON.stringify(workspace)}]
trust_level = "trusted"
`;
