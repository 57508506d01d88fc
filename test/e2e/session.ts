/** A package with skill, hook and sub-agent, and a session that uses all of them. */
import { type AgentEngine, evalCase, PACKAGE, shell } from '../helpers/eval.ts';
import type { ModelRequest, Script, Turn } from '../helpers/model-server.ts';
import type { Files } from '../helpers/package.ts';

export const SESSION_FILES: Files = {
  ...PACKAGE,
  'hooks/hooks.json': {
    version: 1,
    hooks: { 'pre-tool-use': [{ hooks: [{ type: 'command', command: '$PACKAGE_ROOT/hooks/look.sh' }] }] },
  },
  'hooks/look.sh!': '#!/bin/sh\ncat > /dev/null\n',
  'agents/helper/agent.yaml': 'name: helper\ndescription: Helps.\nsystem_prompt: system-prompt.md\n',
  'agents/helper/system-prompt.md': '---\ndescription: Helps\n---\nHelp.\n',
  'rules/tone/RULE.md': '---\nname: tone\ndescription: Tone\napply:\n  mode: always\n---\nBe kind.\n',
  'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['All done.'], 'files-created': ['made'] } }),
};

/** A session that repeats whatever the CLIs name anew in every run. */
export const SESSION_SCRIPTS: Readonly<Record<AgentEngine, Script>> = {
  'claude-code': (request) => {
    if (isSubAgent(request))
      return [{ tools: [shell('claude-code', 'echo sub')] }, { text: 'Found it.' }][request.turn] ?? {};
    const saved = /saved to: (\S+?)\\n/.exec(JSON.stringify(request.body))?.[1];
    const turns: Turn[] = [
      { text: 'Reading.', tools: [{ name: 'Skill', input: { skill: 'echo' } }] },
      {
        tools: [
          shell('claude-code', 'seq 1 9000'),
          shell('claude-code', 'touch made'),
          shell('claude-code', 'false'),
        ],
      },
      { tools: [{ name: 'Read', input: { file_path: saved, limit: 3 } }] },
      { tools: ['one', 'two'].map((it) => ({ name: 'Agent', input: subTask('helper', it) })) },
      { text: 'All done.' },
    ];
    return turns[request.turn] ?? {};
  },
  codex: (request) => {
    if (isSubAgent(request))
      return [{ tools: [shell('codex', 'echo sub')] }, { text: 'Found it.' }][request.turn] ?? {};
    const agent = /agent_id\\":\\"([0-9a-f-]+)/.exec(JSON.stringify(request.body))?.[1];
    const turns: Turn[] = [
      { text: 'Reading.', tools: [shell('codex', 'cat .agents/skills/echo/SKILL.md')] },
      { tools: [shell('codex', 'touch made'), shell('codex', 'false'), shell('codex', 'echo "$PATH"')] },
      {
        tools: [
          {
            namespace: 'multi_agent_v1',
            name: 'spawn_agent',
            input: { message: 'SUBTASK', agent_type: 'helper' },
          },
        ],
      },
      { tools: [{ namespace: 'multi_agent_v1', name: 'wait_agent', input: { targets: [agent] } }] },
      // By the end of this one the news of the sub-agent has come, if not before.
      { tools: [shell('codex', 'sleep 1')] },
      { text: 'All done.' },
    ];
    return turns[request.turn] ?? {};
  },
};

function subTask(agent: string, what: string): object {
  return { description: what, prompt: `SUBTASK ${what}`, subagent_type: agent };
}

/** The first words of a sub-agent's conversation are its task. */
function isSubAgent({ body }: ModelRequest): boolean {
  const said = JSON.stringify(
    (body.messages ?? body.input).filter((it: { role?: string }) => it.role === 'user'),
  );
  return said.includes('SUBTASK') && !said.includes('Do it.');
}
