/** Codex as a judge: without tools, its last message in a schema. Whether it keeps to the schema is not checked there. */
import { join } from 'node:path/posix';
import { statusInWords } from '../../model/usage.ts';
import { readJsonAnswer } from '../json-answer.ts';
import type { CliReading, JudgeCli } from './cli.ts';

const SCHEMA_FILE = 'judge-answer.schema.json';
const INSTRUCTIONS_FILE = 'judge-instructions.md';

export const codexCli: JudgeCli = {
  id: 'codex-cli',
  provider: 'openai',
  command: ({ system, prompt, schema }, { start, arguments: given, env, configFiles, configDir, model }) => ({
    argv: [
      ...start,
      ...['exec', '--json', '--ephemeral', '--skip-git-repo-check', '--sandbox', 'read-only'],
      ...WITHOUT.flatMap((feature) => ['--disable', feature]),
      ...['--config', `model_instructions_file=${JSON.stringify(join(configDir, INSTRUCTIONS_FILE))}`],
      ...['--output-schema', join(configDir, SCHEMA_FILE)],
      ...given,
      ...(model === null ? [] : ['--model', model]),
      '-',
    ],
    env,
    stdin: prompt,
    configFiles: {
      ...configFiles,
      [SCHEMA_FILE]: JSON.stringify(schema),
      [INSTRUCTIONS_FILE]: system,
    },
  }),
  read,
  costIn: () => null,
};

/** Everything that a judge could do but answer. */
const WITHOUT = [
  'shell_tool',
  'unified_exec',
  'multi_agent',
  'hooks',
  'view_image',
  'sleep_tool',
  'skill_search',
];

function read(stdout: string): CliReading {
  let said: string | null = null;
  let end: CliReading | null = null;
  for (const line of stdout.split('\n')) {
    const event = parse(line);
    if (event === null) continue;
    const item = event['item'] as Record<string, unknown> | undefined;
    if (event['type'] === 'item.completed' && item?.['type'] === 'agent_message') said = String(item['text']);
    else if (event['type'] === 'turn.completed') end = answerIn(said);
    else if (event['type'] === 'turn.failed') end = failureIn(event['error']);
  }
  return end ?? { state: 'cli-failed', message: null };
}

function answerIn(said: string | null): CliReading {
  if (said === null || said.trim() === '') return { state: 'unusable', why: 'the model said nothing' };
  return readJsonAnswer(said);
}

/** It gives no codes, only words. */
function failureIn(error: unknown): CliReading {
  const message = String((error as { message?: unknown } | null)?.message ?? 'it gave no reason');
  const status = statusInWords(message);
  if (status === null) return { state: 'cli-failed', message: message.slice(0, 300) };
  return { state: 'model-failed', status, message: message.slice(0, 300) };
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
