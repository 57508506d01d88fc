/** What a model would do in one eval case of an example package, told once for all agents. */
import type { AgentEngine } from '../eval.ts';
import type { ModelRequest, ToolCall, Turn } from '../model-server.ts';

export interface CaseScript {
  readonly package: string;
  readonly case: string;
  /** The conversation with the agent. Its last turn is the answer. */
  turns(speech: Speech): readonly ScriptedTurn[];
  /** What a judge would say; left out where a check fails before it is asked. Quotes must stand in what it is shown. */
  readonly judge?: { readonly evidence: readonly string[]; readonly reason: string };
  /** The conversation with a sub-agent, known by a sentence of its system prompt. */
  readonly subAgent?: { readonly knownBy: string; turns(speech: Speech): readonly ScriptedTurn[] };
}

/** A turn that needs something out of the request, such as an id, is made from it. */
export type ScriptedTurn = Turn | ((request: ModelRequest) => Turn);

/** The words each agent has for the same thing. */
export interface Speech {
  shell(command: string): ToolCall;
  /** A file of one or more whole lines, new or in place of another. */
  write(path: string, text: string): ToolCall;
  /** Reads the instructions of a skill. */
  skill(name: string): ToolCall;
  /** Where the agent finds a skill's files, seen from the workspace. */
  skillFolder(name: string): string;
  /** Starts a sub-agent and waits for it: one turn for each step. */
  delegate(agent: string, task: string): readonly ScriptedTurn[];
}

export const SPEECH: Readonly<Record<AgentEngine, Speech>> = {
  'claude-code': {
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Runs it' } }),
    write: (path, content) => ({ name: 'Write', input: { file_path: absolute(path), content } }),
    skill: (skill) => ({ name: 'Skill', input: { skill } }),
    skillFolder: (name) => `.claude/skills/${name}`,
    delegate: (subagent_type, prompt) => [
      { tools: [{ name: 'Agent', input: { subagent_type, prompt, description: 'Checks it' } }] },
    ],
  },
  codex: {
    shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
    write: (path, text) => ({ name: 'apply_patch', custom: patch(path, text) }),
    skill: (name) => ({ name: 'exec_command', input: { cmd: `cat .agents/skills/${name}/SKILL.md` } }),
    skillFolder: (name) => `.agents/skills/${name}`,
    delegate: (agent_type, message) => [
      { tools: [{ ...TEAM, name: 'spawn_agent', input: { agent_type, message } }] },
      ({ body }) => ({
        tools: [{ ...TEAM, name: 'wait_agent', input: { targets: [agentId(body)], timeout_ms: 30_000 } }],
      }),
    ],
  },
};

const TEAM = { namespace: 'multi_agent_v1' };

function absolute(path: string): string {
  return path.startsWith('/') ? path : `/workspace/${path}`;
}

function patch(path: string, text: string): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => `+${line}\n`);
  return `*** Begin Patch\n*** Add File: ${path}\n${lines.join('')}*** End Patch\n`;
}

/** As the result of spawn_agent named it. */
function agentId(body: unknown): string {
  return /agent_id\W+([0-9a-f-]{36})/.exec(JSON.stringify(body))?.[1] ?? '';
}
