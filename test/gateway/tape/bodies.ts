/** Requests as the CLIs make them, cut to what the rules look at. */
export interface Varying {
  readonly day: string;
  readonly os: string;
  readonly id: string;
  readonly ms: number;
}

export const ONE: Varying = { day: '2026-11-15', os: 'Linux 6.18.44', id: '1', ms: 12 };
export const OTHER: Varying = { day: '2027-01-02', os: 'Linux 5.10.0-x', id: '2', ms: 4711 };

const agentId = (id: string) => `a${id.repeat(16)}`;
const uuid = (id: string) => '00000000-0000-7000-8000-000000000000'.replaceAll('0', id);
const savedAt = (id: string) => `/agent/projects/-workspace/${uuid(id)}/tool-results/b${id}x.txt`;

export function claudeBody({ day, os, id, ms }: Varying) {
  const call = (number: number) => `toolu_${id}${number}`;
  const results = [
    {
      type: 'tool_result',
      tool_use_id: call(1),
      content: `<persisted-output>\nOutput too large (42.9KB). Full output saved to: ${savedAt(id)}\n\nPreview (first 2KB):\n1\n`,
    },
    {
      type: 'tool_result',
      tool_use_id: call(2),
      content: [{ type: 'text', text: handBack(id, ms) }],
      is_error: false,
    },
  ];
  return {
    model: 'claude-opus-5-5',
    max_tokens: 128000,
    metadata: { user_id: `{"device_id":"${id}"}` },
    system: [
      {
        type: 'text',
        text: `x-anthropic-billing-header: cc_version=2.1.325.ab${id}; cc_entrypoint=sdk-cli;`,
      },
      { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } },
    ],
    tools: [{ name: 'Bash', description: 'Runs a command.', input_schema: { type: 'object' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: `<system-reminder>\nToday's date is ${day}.\n</system-reminder>` },
          { type: 'text', text: 'Extract the text.' },
        ],
      },
      {
        role: 'system',
        content: `# Environment\nYou have been invoked in the following environment: \n - Platform: linux\n - Shell: bash\n - OS Version: ${os}\n\nThe following skills are available for use with the Skill tool:\n\n- pdf-tools: Reads PDFs.\n- other: Does other things.\n\nToday's date is ${day}.`,
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: call(1), name: 'Bash', input: { command: 'seq 1 9000' } },
          { type: 'tool_use', id: call(2), name: 'Agent', input: { prompt: 'Look.' } },
        ],
      },
      { role: 'user', content: id === '1' ? results : results.toReversed() },
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: call(3),
            name: 'SendMessage',
            input: { to: agentId(id), file: savedAt(id) },
          },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call(3), content: 'Sent.' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: call(4), name: 'Skill', input: { skill: 'pdf-tools' } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: call(4), content: 'Launching skill: pdf-tools' },
          {
            type: 'text',
            text: 'Base directory for this skill: /workspace/.claude/skills/pdf-tools\n\nRun the script.\nThen check.\n',
          },
        ],
      },
    ],
  };
}

function handBack(id: string, ms: number): string {
  const agent = agentId(id);
  return `The report follows:\n  done\nagentId: ${agent} (use SendMessage with to: '${agent}', summary: '<recap>' to continue this agent)\n<usage>subagent_tokens: 107\ntool_uses: 1\nduration_ms: ${ms}</usage>`;
}

export function codexBody({ day, os, id, ms }: Varying) {
  const item = (number: number) => ({ id: `msg_${uuid(id)}${number}` });
  const output = (number: number, text: unknown) => ({
    type: 'function_call_output',
    ...item(number),
    call_id: `call_${id}${number}`,
    output: text,
  });
  const call = (number: number, name: string, input: object) => ({
    type: 'function_call',
    ...item(number),
    call_id: `call_${id}${number}`,
    name,
    arguments: JSON.stringify(input),
  });
  const text = (words: string) => [{ type: 'input_text', text: words }];
  return {
    model: 'gpt-5.5',
    input: [
      { type: 'message', ...item(1), role: 'developer', content: text('You are a coding agent.') },
      {
        type: 'message',
        ...item(2),
        role: 'user',
        content: text(
          `<environment_context>\n  <cwd>/workspace</cwd>\n  <shell>sh</shell>\n  <current_date>${day}</current_date>\n  <timezone>Etc/${os}</timezone>\n</environment_context>`,
        ),
      },
      { type: 'message', ...item(3), role: 'user', content: text('Extract the text.') },
      call(4, 'exec_command', { cmd: 'cat .agents/skills/pdf-tools/SKILL.md' }),
      output(
        4,
        `Chunk ID: ${id.repeat(6)}\nWall time: ${ms / 1000} seconds\nProcess exited with code 0\nOutput:\nRun the script.\n/agent/tmp/arg0-linux/codex-arg0abcde${id}:/usr/bin`,
      ),
      call(5, 'exec', {}),
      output(5, [
        { type: 'input_text', text: `Script completed\nWall time ${ms / 1000} seconds\nOutput:\n` },
        {
          type: 'input_text',
          text: `{"chunk_id":"${id.repeat(6)}","wall_time_seconds":${ms / 1e6},"exit_code":0,"output":"x"}`,
        },
      ]),
      call(6, 'spawn_agent', { message: 'Look.' }),
      output(6, `{"agent_id":"${uuid(id)}","nickname":"Name${id}"}`),
      call(7, 'wait_agent', { targets: [uuid(id)] }),
      output(7, `{"status":{"${uuid(id)}":{"completed":"Found."}},"timed_out":false}`),
      ...(id === '1'
        ? []
        : [
            {
              type: 'message',
              ...item(9),
              role: 'user',
              content: text(
                `<subagent_notification>\n{"agent_path":"${uuid(id)}","status":{"completed":"Found."}}\n</subagent_notification>`,
              ),
            },
          ]),
    ],
    tools: [{ type: 'function', name: 'exec_command', description: 'Runs a command.' }],
    store: false,
    prompt_cache_key: uuid(id),
    client_metadata: { session_id: uuid(id), started: String(ms) },
  };
}

export function judgeBody(mark: string, { criteria = 'It is exact.', shown = 'The total is 119.' } = {}) {
  const prompt = `The mark is ${mark}.\n\n<<<${mark} the output\n${shown}\n${mark}>>>\n\n<<<${mark} criteria, one to a line\n{"id":"c1","criterion":"${criteria}"}\n${mark}>>>\n`;
  return {
    model: 'claude-opus-5-5',
    system: 'You judge.',
    messages: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
  };
}

export const MARKS = ['0123456789abcdef', 'fedcba9876543210', 'aaaabbbbccccdddd'].map((it) => it + it) as [
  string,
  string,
  string,
];
